"""Soulbound Weapon: a weapon that comes when it is called."""

import pytest

from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import Table, strike

pytestmark = pytest.mark.heading("Soulbound Weapon")
SPARE = {"spare_weapon": {"size": "light", "attack_type": "melee", "damage_type": "none"}}


def disarmed(**knight: object) -> Table:
    """Let the rogue knock the knight's weapon away, and the knight walk off in the next round."""
    fighters = {"knight": {"talents": ["soulbound_weapon"], **knight}, "rogue": {}}
    table = on_map(".......  KR..... .......", fighters, [(1, 1), (8, 6)])
    table.engage(knight="might", rogue="agility: disarm 1").finish_round()
    assert table.fighter("knight")["armed"] is False
    return table


def test_it_comes_back_from_anywhere_as_an_interaction() -> None:
    table = disarmed()
    assert "use a" in table.legal("knight")
    table.play(knight="use a")
    assert (table.fighter("knight")["armed"], table.fighter("knight")["interaction"]) == (True, False)
    assert "use a" not in table.legal("knight")


def test_in_hand_or_replaced_by_another_weapon_it_is_not_called() -> None:
    assert "use a" not in Table({"knight": {"talents": ["soulbound_weapon"]}, "rogue": {}}).legal("knight")
    table = disarmed(**SPARE).play(knight="swap")
    assert "use a" not in table.legal("knight")


@pytest.mark.parametrize(("field", "die"), [("talents", ()), ("destiny_talents", (3,))])
def test_as_destiny_the_weapon_has_a_d4(field: str, die: tuple[int, ...]) -> None:
    table = strike({field: ["soulbound_weapon"]}, dice=[(1, 1, 1), die, (1, 1)])
    assert table.rolls() == (3 + sum(die), 2)
    claws = {"size": "light", "attack_type": "melee", "damage_type": "none", "natural": True}
    assert strike({field: ["soulbound_weapon"], "weapon": claws}, dice=[(1, 1, 1), (1, 1)]).rolls() == (3, 2)


def test_another_weapon_has_none() -> None:
    knight = {"destiny_talents": ["soulbound_weapon"], **SPARE}
    table = Table({"knight": knight, "rogue": {}}, [(1, 1, 1), (1, 1), (1, 1, 1), 3, (1, 1)]).play(knight="swap")
    assert table.engage(knight="might: attack 1", rogue="cunning").rolls() == (3, 2)
    table.finish_round().play(knight="swap").engage(knight="might: attack 1", rogue="cunning")
    assert table.rolls() == (6, 2)


def test_a_second_interaction_costs_the_action() -> None:
    table = disarmed(talents=["soulbound_weapon"], **SPARE)
    table.play(knight="pick_up" if "pick_up" in table.legal("knight") else "use a")
    assert table.fighter("knight")["interaction"] is False
