"""Tactics: attacks on a creature in trouble have advantage."""

import pytest

from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import Fields, Table

OWNER = {"abilities": ["tactics"]}


def levels(table: Table, striker: str = "knight") -> int:
    """Return the levels of an attack on the rogue after the knight's tactics."""
    table.play(knight="use_at 1 a").engage(**{striker: "might"}, rogue="cunning").pass_to("attack", "might")
    table.play(**{striker: "attack 1"})
    return int(table.last("attack")["attack_causes"].get("ability", 0))


CASES: list[tuple[dict[str, int], int, int]] = [  # conditions, levels, further dice of the defense
    ({}, 0, 0),
    ({"prone": 1}, 1, 1),
    ({"shaken": 2}, 0, 0),
    ({"shaken": 3}, 1, 0),
    ({"shaken": 1, "deafened": 1}, 0, 0),
    ({"shaken": 1, "deafened": 1, "mute": 1}, 1, 0),
    ({"shaken": 3, "deafened": 1, "prone": 1}, 3, 1),
]


@pytest.mark.heading("Tactics")
@pytest.mark.parametrize(("conditions", "wanted", "further"), CASES)
def test_conditions_of_the_target_give_advantage(conditions: dict[str, int], wanted: int, further: int) -> None:
    dice = [(1, 1, 1), (1,) * wanted, (1, 1), (1,) * further]
    assert levels(Table({"knight": OWNER, "rogue": {"conditions": conditions}}, dice)) == wanted


@pytest.mark.heading("Tactics")
@pytest.mark.parametrize(("allies", "wanted"), [(1, 0), (2, 1)])
def test_two_allies_beside_the_target_give_a_level_to_each_attacker(allies: int, wanted: int) -> None:
    fighters: Fields = {"knight": OWNER, "rogue": {}}
    fighters |= {f"monk{'ab'[number]}": {"team": "blue"} for number in range(allies)}
    assert levels(Table(fighters, [(1, 1, 1), (1,) * wanted, (1, 1)]), "monka") == wanted


@pytest.mark.heading("Tactics")
@pytest.mark.parametrize(("drawing", "wanted"), [("..\nKR", 1), ("...\nKR.", 0), ("....\nK.R.\n....", 0)])
def test_walls_on_two_sides_give_a_level(drawing: str, wanted: int) -> None:
    far = "K." in drawing
    table = on_map(drawing, {"knight": OWNER, "rogue": {}}, [] if far else [(1, 1, 1), (1,) * wanted, (1, 1)])
    if far:
        table.play(knight="use_at 1 a")
    else:
        assert levels(table) == wanted


@pytest.mark.heading("Tactics")
def test_a_target_more_than_30_feet_away_is_not_offered() -> None:
    near, far = (on_map(f"K{'.' * gap}R", {"knight": OWNER, "rogue": {}}) for gap in (5, 6))
    assert ("use_at 1 a" in near.legal("knight"), "use_at 1 a" in far.legal("knight")) == (True, False)


@pytest.mark.heading("Tactics")
def test_they_are_not_used_twice_on_one_target_and_end_with_the_round() -> None:
    table = Table({"knight": {**OWNER, "rush": 5}, "rogue": {"conditions": {"shaken": 5}}}, [(1, 1, 1), (1, 1)])
    table.play(knight="use_at 1 a")
    assert "use_at 1 a" not in table.legal("knight")
    table.finish_round().engage(knight="might: attack 1", rogue="cunning")
    assert table.last("attack")["attack_causes"] == {}


@pytest.mark.heading("Tactics")
def test_those_about_a_second_target_leave_the_first_in_its_trouble() -> None:
    prone = {"conditions": {"prone": 1}}
    table = Table({"knight": {**OWNER, "rush": 3}, "rogue": prone, "fox": {}}, [(1, 1, 1), (1,), (1, 1), (1,)])
    table.play(knight="use_at 1 a").play(knight="use_at 2 a")
    assert not {"use_at 1 a", "use_at 2 a"} & set(table.legal("knight"))
    table.engage(knight="might: attack 1", rogue="cunning")
    assert table.last("attack")["attack_causes"] == {"ability": 1}


@pytest.mark.heading("Instant Abilities")
def test_instants_before_the_phases_belong_to_none_of_them() -> None:
    table = Table({"knight": OWNER, "rogue": {}}, rules={"rush_mode": "round_number"})
    seen = []
    for _ in range(2):
        for window in ("instant", "stance", "instant", "instant", "attack"):
            table.pass_to(window)
            seen.append(table.phase)
            table.play(**({"rogue": "stance might"} if window == "stance" else {}))
        table.finish_round()
    assert seen == 2 * [None, None, None, "might", "might"]
