"""Creatures of several parts: parts fall with their body, grow, and move with it."""

import pytest

from tests.games.heart_rush.rules.map_table import at, on_map
from tests.games.heart_rush.rules.table import Dice, Fields, Table

HEAD = {"team": "red", "part_of": "hydra_0", "hp": 10}
HIT = [(8, 6, 8), (1, 1)]  # 20 of damage


def hydra(body: Fields, *heads: Fields) -> dict[str, Fields]:
    """Return the fighters: a knight against a hydra with these heads."""
    return {"knight": {}, "hydra": body, **dict(zip(("neck", "crest", "jaw"), heads, strict=False))}


def hit(table: Table, choice: str) -> None:
    """Let the knight's might beat the cunning of all enemies."""
    table.engage(knight="might", **{name: "cunning" for name in table.names[1:] if table.status(name) == "standing"})
    table.pass_to("attack", "might").play(knight=choice)


# ---- falling


@pytest.mark.heading("Creatures of Several Parts")
def test_a_head_at_0_hit_points_is_out_and_its_body_is_not() -> None:
    table = Table(hydra({}, {**HEAD, "hp": 20}, HEAD), HIT)
    hit(table, "attack 2")
    table.finish_round()
    assert [table.status(name) for name in ("hydra", "neck", "crest")] == ["standing", "defeated", "standing"]
    assert table.window == "action"


@pytest.mark.heading("Creatures of Several Parts")
def test_the_heads_go_out_with_their_body_and_its_side_has_lost() -> None:
    table = Table(hydra({"hp": 20}, HEAD, HEAD), HIT)
    hit(table, "attack 1")
    table.finish_round()
    assert [(table.status(name), table.hp(name)) for name in ("neck", "crest")] == [("defeated", 0)] * 2
    assert [event["fighter"] for event in table.events_of("down")] == ["hydra", "neck", "crest"]
    assert table.ending == ("victory", ["blue"])


@pytest.mark.heading("Creatures of Several Parts")
def test_a_body_that_yields_takes_its_heads_along() -> None:
    table = Table(hydra({"hp_now": 0}, HEAD), heroes="red").play(hydra="yield").pass_to("over")
    assert (table.status("hydra"), table.status("neck")) == ("unconscious", "defeated")


@pytest.mark.heading("Creatures of Several Parts")
def test_a_hydra_that_falls_leaves_another_its_heads() -> None:
    table = Table({**hydra({"hp": 20}, HEAD), "other": {}, "snout": {**HEAD, "part_of": "other_0"}}, HIT)
    hit(table, "attack 1")
    table.finish_round()
    assert (table.status("neck"), table.status("snout"), table.window) == ("defeated", "standing", "action")


@pytest.mark.heading("Creatures of Several Parts")
def test_a_head_is_no_hero() -> None:
    table = Table(hydra({}, {**HEAD, "hp": 20}), HIT, heroes="red")
    hit(table, "attack 2")
    table.finish_round()
    assert (table.status("neck"), table.status("hydra")) == ("defeated", "standing")


# ---- on a map


MAP = """
    ........
    .HH..K..
    .HH.....
    ........
"""


def lair(head: Fields, dice: Dice = (), drawing: str = MAP) -> Table:
    return on_map(drawing, hydra({"size": "L2"}, {**HEAD, "hp": 40, **head}), dice)


@pytest.mark.heading("Creatures of Several Parts")
def test_a_head_is_where_its_body_is_and_goes_where_it_goes() -> None:
    table = lair({})
    assert at(table, "neck") == (1, 1) and table.fighter("neck")["side"] == 2
    table.play(hydra="dash 1,0")
    assert at(table, "hydra") == at(table, "neck") == (2, 1)
    assert {"fighter": "neck", "type": "move", "how": "carried", "path": [[2, 1]]} in table.events_of("move")


@pytest.mark.heading("Creatures of Several Parts")
def test_it_does_not_move_by_itself() -> None:
    moves = {"dash", "sidestep"}
    table = lair({})
    assert moves & {choice.split()[0] for choice in table.legal("hydra")} == moves
    assert moves & {choice.split()[0] for choice in table.legal("neck")} == set()


@pytest.mark.heading("Forced Movement")
@pytest.mark.parametrize(("target", "pushed"), [("attack 1", (0, 1)), ("attack 2", (1, 1))])
def test_a_head_is_not_pushed_off_its_body(target: str, pushed: tuple[int, int]) -> None:
    # Might pushes 10 feet, and 5 less for each size that the target is larger: a body of size large 5 feet.
    table = on_map("....\n.HK.\n....", hydra({"size": "large"}, {**HEAD, "hp": 40}), HIT)
    hit(table, target)
    table.pass_to("action")
    assert at(table, "hydra") == at(table, "neck") == pushed


@pytest.mark.heading("Grappling")
def test_a_holder_that_moves_off_lets_a_head_go() -> None:
    table = lair({"conditions": {"grappled": {"source": "knight"}}}, drawing="......\n.HHK..\n.HH...\n......")
    table.play(knight="sidestep e")
    assert at(table, "knight") == (4, 1) and at(table, "neck") == (1, 1)
    assert "grappled" not in table.conditions("neck")
