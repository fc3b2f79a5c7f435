"""Light Footed: a bonus to defense without armor and shield."""

import pytest

from tests.games.heart_rush.rules.table import Table, strike

pytestmark = pytest.mark.heading("Light Footed")


@pytest.mark.parametrize(("field", "defense"), [("talents", 5 + 2), ("destiny_talents", 5 + 4)])
def test_defense_without_armor_and_shield_has_a_bonus(field: str, defense: int) -> None:
    table = strike({}, {field: ["light_footed"]}, dice=[(8, 6, 8), (3, 2)])
    assert (table.rolls(), table.last("attack")["defense_flat"]) == ((22, defense), {"ability_bonus": defense - 5})


@pytest.mark.parametrize(("worn", "defense"), [({"armor": "light"}, 5 + 2), ({"shield": "light_shield"}, 5 + 1)])
def test_armor_or_a_shield_leaves_no_bonus(worn: dict, defense: int) -> None:
    assert strike({}, {"talents": ["light_footed"], **worn}, dice=[(8, 6, 8), (3, 2)]).rolls() == (22, defense)


def test_attack_rolls_have_no_bonus() -> None:
    table = Table({"knight": {"talents": ["light_footed"]}, "rogue": {}}, [(8, 6, 8), (8, 6)])
    table.engage(knight="might: attack 1", rogue="cunning").pass_to("shrug")
    assert table.rolls() == (22, 14)
