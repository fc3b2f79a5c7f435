"""Hulking: one size larger."""

import pytest

from heartrush_env.tabletop.errors import ScenarioError
from tests.games.heart_rush.rules.map_table import at, on_map
from tests.games.heart_rush.rules.table import Table, weapon

pytestmark = pytest.mark.heading("Hulking")
HEAVY = {"weapon": weapon("heavy")}


@pytest.mark.parametrize(("talents", "square"), [([], 4), (["hulking"], 5)])
def test_it_pushes_as_a_larger_creature_does_and_fills_the_same_squares(talents: list[str], square: int) -> None:
    # Ten feet, and five more for the size.
    fighters = {"knight": {"destiny_talents": talents}, "rogue": {}}
    table = on_map("........ .KR..... ........", fighters, [(3, 2, 4), (1, 1)])
    table.engage(knight="might: attack 1", rogue="cunning").finish_round()
    assert (at(table, "rogue"), table.fighter("knight")["side"], table.faults()) == ((square, 1), 1, [])


@pytest.mark.parametrize(("size", "talents", "may"), [("medium", [], False), ("medium", ["hulking"], True)])
def test_a_large_fighter_has_a_hand_left_beside_a_heavy_melee_weapon(size: str, talents: list[str], may: bool) -> None:
    table = Table({"knight": {**HEAVY, "size": size, "talents": talents}, "rogue": {}})
    table.engage(knight="might", rogue="cunning").pass_to("attack")
    assert ("grapple 1" in table.legal("knight")) is may
    shielded = {**HEAVY, "size": size, "talents": talents, "shield": "heavy_shield"}
    if may:
        table = Table({"knight": shielded, "rogue": {}}).restore()
        assert table.faults() == []
    else:
        with pytest.raises(ScenarioError, match="needs two hands"):
            Table({"knight": shielded, "rogue": {}})


def test_a_small_fighter_holds_a_heavy_weapon_in_two_hands() -> None:
    small = {**HEAVY, "size": "small", "talents": ["Hulking"]}
    table = Table({"knight": small, "rogue": {}}).engage(knight="might", rogue="cunning").pass_to("attack")
    assert "grapple 1" not in table.legal("knight")
    with pytest.raises(ScenarioError, match="needs two hands"):
        Table({"knight": {**small, "shield": "light_shield"}, "rogue": {}})


@pytest.mark.parametrize(
    ("size", "talents", "squares", "levels"),
    [("heavy", [], 18, -3), ("heavy", ["hulking"], 18, 0), ("light", ["hulking"], 12, -3)],
)
def test_heavy_ranged_weapons_carry_thirty_feet_farther(
    size: str, talents: list[str], squares: int, levels: int
) -> None:
    # Twelve squares are the range of a heavy bow, and six that of a light one; each two squares more are a level.
    knight = {"weapon": weapon(size, "ranged"), "talents": talents}
    hindered = (12 if size == "heavy" else 8,) * -levels
    row = "K" + "." * (squares - 1) + "R"
    table = on_map(row, {"knight": knight, "rogue": {}}, [(3, 2, 4), hindered, (1, 1)])
    table.engage(knight="might: attack 1", rogue="cunning")
    assert table.last("attack")["attack_causes"].get("long_range", 0) == levels


def test_nothing_is_larger_than_the_largest_and_spare_weapons_are_light_too() -> None:
    knight = {"size": "L8", "talents": ["hulking"], "spare_weapon": weapon("heavy"), "spare_shield": "heavy_shield"}
    table = Table({"knight": knight, "rogue": {}}).restore()
    assert (table.sees("knight")["self size"], table.faults()) == (1, [])
