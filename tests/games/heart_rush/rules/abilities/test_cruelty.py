"""Cruelty: damage to enemies nearby is larger."""

import pytest

from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import Table, strike

pytestmark = pytest.mark.heading("Cruelty")


@pytest.mark.parametrize(("field", "healed"), [("talents", 0), ("destiny_talents", 1)])
def test_damage_to_an_enemy_is_one_larger(field: str, healed: int) -> None:
    table = strike({field: ["cruelty"], "hp_now": 20}, dice=[(2, 2, 3), (1, 1)])
    assert (table.hp("rogue"), table.hp("knight")) == (40 - 6, 20 + healed)


def test_there_must_be_some_and_the_owner_and_its_friends_are_spared() -> None:
    owner = {"destiny_talents": ["cruelty"], "hp_now": 20}
    table = strike(owner, dice=[(1, 1, 1), (4, 4)])
    assert (table.hp("rogue"), table.hp("knight")) == (40, 20)
    assert strike({}, owner, dice=[(2, 2, 3), (1, 1)]).hp("rogue") == 20 - 5


@pytest.mark.parametrize(("drawing", "taken"), [("O.RK", 6), ("O..RK", 5)])
def test_on_a_map_it_reaches_ten_feet(drawing: str, taken: int) -> None:
    fighters = {"knight": {}, "rogue": {}, "owl": {"team": "blue", "talents": ["cruelty"]}}
    table: Table = on_map(drawing, fighters, [(2, 2, 3), (1, 1)])
    table.engage(knight="agility: attack 1", rogue="might").pass_to("shrug").play()
    assert table.hp("rogue") == 40 - taken


def test_an_owner_that_it_heals_above_zero_in_the_same_batch_may_not_yield() -> None:
    # Both drop in one phase. The knight's own hit heals it before anyone is judged.
    fighters = {"knight": {"destiny_talents": ["cruelty"], "hp_now": 4}, "rogue": {"hp_now": 5}, "owl": {}}
    table = Table(fighters, [(2, 2, 3), (1, 1), (1, 1, 1), (2, 2, 3)], rules={"zero_hp": "all_choose"})
    table.engage(knight="might: attack 1", rogue="cunning", owl="might: attack 1").pass_to("yield")
    assert (table.hp("rogue"), table.hp("knight"), table.choosers()) == (5 - 6, 1, {"rogue"})
