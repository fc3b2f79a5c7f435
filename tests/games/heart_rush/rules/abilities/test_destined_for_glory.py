"""Destined for Glory: a roll in which two dice match gains further dice."""

import pytest

from tests.games.heart_rush.rules.table import strike

pytestmark = pytest.mark.heading("Destined for Glory")


@pytest.mark.parametrize(("field", "number"), [("talents", 1), ("destiny_talents", 2)])
def test_two_dice_that_match_earn_further_dice(field: str, number: int) -> None:
    table = strike({field: ["destined_for_glory"]}, dice=[(4, 2, 4), (7,) * number, (1, 1)])
    assert table.rolls() == (10 + 7 * number, 2)
    assert table.last("attack")["attack_pool"][3:] == [["bonus", 8, 7]] * number


def test_three_that_match_earn_them_once_and_so_does_a_defense() -> None:
    owner = {"talents": ["destined_for_glory"]}
    assert strike(owner, owner, dice=[(4, 4, 4), (2,), (3, 3), (5,)]).rolls() == (14, 11)


def test_dice_that_differ_or_are_dropped_earn_none() -> None:
    assert strike({"talents": ["destined_for_glory"]}, dice=[(4, 2, 3), (1, 1)]).rolls() == (9, 2)
    # A level of disadvantage drops the largest: one of the two fives.
    owner = {"talents": ["destined_for_glory"], "conditions": {"weakened": 1}}
    assert strike(owner, dice=[(5, 2, 5, 1), (1, 1)]).rolls() == (8, 2)
