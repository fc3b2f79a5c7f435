"""Fury: further heart dice below 0 hit points."""

import pytest

from tests.games.heart_rush.rules.table import Dice, Fields, Table

pytestmark = pytest.mark.heading("Fury")


def attacks(owner: Fields, hp_now: int, dice: Dice) -> Table:
    """Let the knight, a hero with these hit points, attack the rogue in might; the rogue is in cunning."""
    table = Table({"knight": {**owner, "hp_now": hp_now, "heart": 10}, "rogue": {}}, dice, heroes=["blue"])
    table.engage(knight="might: attack 1", rogue="cunning")
    return table


@pytest.mark.parametrize(("field", "number"), [("talents", 1), ("destiny_talents", 2)])
def test_below_zero_it_attacks_with_further_heart_dice(field: str, number: int) -> None:
    table = attacks({field: ["fury"]}, -1, [(3, 2, 4), (9,) * number, (1, 1)])
    assert table.rolls() == (9 + 9 * number, 2)
    assert table.last("attack")["attack_pool"][3:] == [["bonus", 10, 9]] * number


def test_it_is_the_heart_die_as_it_is_now() -> None:
    table = attacks({"talents": ["fury"], "heart_now": 6}, -1, [(3, 2, 4), (5,), (1, 1)])
    assert table.last("attack")["attack_pool"][3:] == [["bonus", 6, 5]]


def test_at_zero_it_has_none() -> None:
    assert attacks({"talents": ["fury"]}, 0, [(3, 2, 4), (1, 1)]).rolls() == (9, 2)
