"""Light Footed: a bonus to defense without armor and shield."""

from __future__ import annotations

import pytest

from tests.games.heart_rush.rules.table import Table, strike

HEADING = "Talents > Light Footed"


@pytest.mark.heading(HEADING)
@pytest.mark.parametrize(("field", "defense"), [("talents", 5 + 2), ("destiny_talents", 5 + 4)])
def test_defense_without_armor_and_shield_has_a_bonus(field: str, defense: int) -> None:
    table = strike({}, {field: ["light_footed"]}, dice=[(8, 6, 8), (3, 2)])
    assert table.rolls() == (22, defense)
    assert table.last("attack")["defense_flat"] == {"ability_bonus": defense - 5}


@pytest.mark.heading(HEADING)
@pytest.mark.parametrize(("worn", "defense"), [({"armor": "light"}, 5 + 2), ({"shield": "light_shield"}, 5 + 1)])
def test_armor_or_a_shield_leaves_no_bonus(worn: dict, defense: int) -> None:
    table = strike({}, {"talents": ["light_footed"], **worn}, dice=[(8, 6, 8), (3, 2)])
    assert table.rolls() == (22, defense)


@pytest.mark.heading(HEADING)
def test_attack_rolls_have_no_bonus() -> None:
    table = Table({"knight": {"talents": ["light_footed"]}, "rogue": {}}, [(8, 6, 8), (8, 6)])
    table.engage(knight="might", rogue="cunning")
    table.pass_to("attack", "might")
    table.play(knight="attack 1")
    table.pass_to("shrug")
    assert table.rolls() == (22, 14)
