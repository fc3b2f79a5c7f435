"""Push Off: a leap from a wall."""

import pytest

from tests.games.heart_rush.rules.map_table import at, on_map
from tests.games.heart_rush.rules.table import Table

pytestmark = pytest.mark.heading("Push Off")
BASE, DESTINY = {"talents": ["push_off"], "speed": 20}, {"destiny_talents": ["push_off"], "speed": 20}
GROUND = "K.......\n........\n...R....\n........"


def farthest(table: Table) -> int:
    """Return the squares to the east of the knight's longest dash along its row."""
    dashes = [name.split()[1] for name in table.legal("knight") if name.startswith("dash")]
    return max([0, *(int(dash.split(",")[0]) for dash in dashes if dash.endswith(",0"))])


def test_it_leaps_two_squares_straight_and_the_dash_is_shorter() -> None:
    table = on_map(GROUND, {"knight": BASE, "rogue": {}}).play(knight="use a")
    assert (table.window, table.legal("knight")) == ("pick", ["sidestep e", "sidestep se", "sidestep s"])
    table.play(knight="sidestep e")
    assert (table.window, table.legal("knight")) == ("pick", ["pass", "pick 0"])
    table.play(knight="pick 0")
    assert (at(table, "knight"), table.window, farthest(table)) == ((2, 0), "action", 2)
    assert table.fighter("knight")["action"] and table.fighter("knight")["dash"]
    assert "use a" not in table.legal("knight"), "once a round"


def test_it_may_stop_after_one_square() -> None:
    table = on_map(GROUND, {"knight": BASE, "rogue": {}}).play(knight="use a").play(knight="sidestep e").play()
    assert (at(table, "knight"), farthest(table)) == ((1, 0), 3)
    assert farthest(table.finish_round()) == 4


@pytest.mark.parametrize(
    ("ground", "may"),
    [(GROUND, True), ("....\n....\n..K.\n....\nR...", False), ("....\n....\n..Ko\n....\nR...", True)],
)
def test_it_needs_a_wall_beside_it(ground: str, may: bool) -> None:
    assert ("use a" in on_map(ground, {"knight": BASE, "rogue": {}}).legal("knight")) is may


def test_it_needs_the_free_dash() -> None:
    table = on_map(GROUND, {"knight": BASE, "rogue": {}}).play(knight="dash 1,0")
    assert "use a" not in table.legal("knight")


@pytest.mark.parametrize("moves", [False, True])
def test_the_next_roll_from_where_it_lands_has_advantage(moves: bool) -> None:
    dice = [(1, 1, 1, *([] if moves else [6])), (8, 6), (1, 1, 1), (8, 6), (1, 1, 1), (8, 6)]
    table = on_map(GROUND, {"knight": BASE, "rogue": {}}, dice).play(knight="use a")
    table.play(knight="sidestep se").play(knight="pick 0")
    assert at(table, "knight") == (2, 2)
    if moves:
        table.play(knight="sidestep n")
    table.engage(knight="agility: attack 1", rogue="might")
    assert table.rolls() == (3 if moves else 8, 14)
    for knight, rogue in (("agility: attack 1", "might"), ("might", "agility: attack 1")):
        table.finish_round().engage(knight=knight, rogue=rogue)
        assert table.rolls() == (3, 14)


@pytest.mark.interplay("push_off", "several_attacks")
def test_of_two_rolls_from_where_it_lands_the_first_has_advantage() -> None:
    owner = {**BASE, "abilities": ["several_attacks"]}
    table = on_map(GROUND, {"knight": owner, "rogue": {}}, [(1, 1, 1, 6), (8, 6), (1, 1, 1), (8, 6)])
    table.play(knight="use a").play(knight="sidestep se").play(knight="pick 0")
    table.engage(knight="agility: attack 1", rogue="might")
    assert [event["attack_roll"] for event in table.events_of("attack")] == [8, 3]


@pytest.mark.interplay("dodge_and_weave", "push_off")
def test_of_destiny_it_leaps_three_times_and_each_square_is_a_step_for_dodge_and_weave() -> None:
    owner = {**DESTINY, "talents": ["dodge_and_weave"]}
    table = on_map("K...\n....\n.R..", {"knight": owner, "rogue": {}}, [(1, 1, 1), (1, 1, 6)])
    for way in ("sidestep e", "sidestep w", "sidestep s"):
        table.play(knight="use b").play(knight=way)
        if table.window == "pick":
            table.play()
    assert "use b" not in table.legal("knight") and at(table, "knight") == (0, 1)
    table.engage(knight="might", rogue="agility: attack 1")
    assert table.rolls() == (3, 7 + 3 * 2)  # the defense dice 1 and 6 count, and three steps
