"""Cruelty: damage to enemies nearby is larger."""

from __future__ import annotations

import pytest

from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import Table, strike

HEADING = "Talents > Cruelty"


@pytest.mark.heading(HEADING)
@pytest.mark.parametrize(("field", "healed"), [("talents", 0), ("destiny_talents", 1)])
def test_damage_to_an_enemy_is_one_larger(field: str, healed: int) -> None:
    table = strike({field: ["cruelty"], "hp_now": 20}, dice=[(2, 2, 3), (1, 1)])
    assert (table.hp("rogue"), table.hp("knight")) == (40 - 6, 20 + healed)


@pytest.mark.heading(HEADING)
def test_there_must_be_some() -> None:
    table = strike({"destiny_talents": ["cruelty"], "hp_now": 20}, dice=[(1, 1, 1), (4, 4)])
    assert (table.hp("rogue"), table.hp("knight")) == (40, 20)


@pytest.mark.heading(HEADING)
def test_the_owner_and_its_friends_are_spared() -> None:
    table = strike({}, {"destiny_talents": ["cruelty"], "hp_now": 20}, dice=[(2, 2, 3), (1, 1)])
    assert table.hp("rogue") == 20 - 5


@pytest.mark.heading(HEADING)
@pytest.mark.parametrize(("drawing", "taken"), [("O.RK", 6), ("O..RK", 5)])
def test_on_a_map_it_reaches_ten_feet(drawing: str, taken: int) -> None:
    fighters = {"knight": {}, "rogue": {}, "owl": {"team": "blue", "talents": ["cruelty"]}}
    table: Table = on_map(drawing, fighters, [(2, 2, 3), (1, 1)])
    table.engage(knight="agility", rogue="might")
    table.pass_to("attack", "agility")
    table.play(knight="attack 1")
    table.pass_to("shrug")
    table.play()
    assert table.hp("rogue") == 40 - taken


@pytest.mark.heading(HEADING)
def test_an_owner_that_it_heals_above_zero_in_the_same_batch_may_not_yield() -> None:
    # Both drop in one phase. The knight's own hit heals it before anyone is judged.
    fighters = {"knight": {"destiny_talents": ["cruelty"], "hp_now": 4}, "rogue": {"hp_now": 5}, "owl": {}}
    dice = [(2, 2, 3), (1, 1), (1, 1, 1), (2, 2, 3)]
    table = Table(fighters, dice, rules={"zero_hp": "all_choose"})
    table.engage(knight="might", rogue="cunning", owl="might")
    table.pass_to("attack", "might")
    table.play(knight="attack 1", owl="attack 1")
    table.pass_to("yield")
    assert (table.hp("rogue"), table.hp("knight")) == (5 - 6, 1)
    assert table.choosers() == {"rogue"}
