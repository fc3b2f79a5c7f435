"""Haphazard: ones count for more."""

import pytest

from tests.games.heart_rush.rules.table import strike

pytestmark = pytest.mark.heading("Haphazard")


@pytest.mark.parametrize(("field", "value"), [("talents", 6), ("destiny_talents", 12)])
def test_ones_of_an_attack_count_for_more(field: str, value: int) -> None:
    table = strike({field: ["haphazard"]}, dice=[(1, 3, 1), (1, 2)])
    assert table.rolls() == (value + 3 + value, 3)  # the rogue's 1 stays
    assert table.last("attack")["attack_dice"] == [value, 3, value]


def test_ones_of_a_defense_count_for_more_and_a_roll_without_ones_stays() -> None:
    assert strike({}, {"talents": ["haphazard"]}, dice=[(1, 3, 1), (1, 2)]).rolls() == (5, 8)
    assert strike({"talents": ["haphazard"]}, dice=[(2, 3, 4), (2, 2)]).rolls() == (9, 4)


def test_they_count_before_dice_are_dropped() -> None:
    # With a level of disadvantage the largest of four goes: of 6 (a 1), 3, 5 and 2 that is the 6.
    owner = {"talents": ["haphazard"], "conditions": {"weakened": 1}}
    assert strike(owner, dice=[(1, 3, 5, 2), (2, 2)]).rolls() == (10, 4)


def test_a_further_die_counts_in_the_order_of_the_sheet() -> None:
    # Two threes earn a d8, which shows 1. Haphazard counts it as 6 if it comes later.
    dice = [(3, 3, 5, 1), (2, 2)]
    assert strike({"talents": ["destined_for_glory", "haphazard"]}, dice=dice).rolls() == (17, 4)
    assert strike({"talents": ["haphazard", "destined_for_glory"]}, dice=dice).rolls() == (12, 4)
