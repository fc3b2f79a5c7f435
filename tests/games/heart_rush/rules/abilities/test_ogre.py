"""The Ogre: Thick Hide."""

import pytest

from tests.games.heart_rush.rules.table import strike, weapon

pytestmark = pytest.mark.heading("Thick Hide")
OWNER = {"abilities": ["ogre.thick_hide"]}


@pytest.mark.parametrize(("kind", "left"), [("bludgeoning", 40 - 4), ("slashing", 40 - 7)])
def test_bludgeoning_damage_is_halved_and_rounded_up(kind: str, left: int) -> None:
    # In cunning no damage type but piercing adds a die: 5 + 3 + 1 against 1 + 1.
    attacker = {"weapon": weapon(damage_type=kind)}
    table = strike(attacker, OWNER, stance="cunning", against="agility", dice=[(5, 3, 1), (1, 1)])
    assert table.hp("rogue") == left


def test_so_are_the_blows_of_bare_hands() -> None:
    # d4, and d8 and d6: 5 + 3 + 1 against 1 + 1.
    table = strike({"weapon": "unarmed"}, OWNER, stance="cunning", against="agility", dice=[(5, 3, 1), (1, 1)])
    assert table.hp("rogue") == 40 - 4
