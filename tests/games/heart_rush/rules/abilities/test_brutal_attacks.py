"""Brutal Attacks: dice at their maximum are followed by more."""

import pytest

from tests.games.heart_rush.rules.table import strike

pytestmark = pytest.mark.heading("Brutal Attacks")
OWNER = {"abilities": ["brutal_attacks"]}


def test_each_die_at_its_maximum_is_followed_by_another_and_that_one_may_be_too() -> None:
    # Heart d8 and might d6 at their maximum, weapon d8 at 3: one d8; one d6, at its maximum again: one more.
    table = strike(OWNER, {}, dice=[(8, 6, 3), (2, 6, 1), (1, 1)])
    assert table.rolls() == (8 + 6 + 3 + 2 + 6 + 1, 2)
    assert table.last("attack")["attack_pool"][3:] == [["bonus", 8, 2], ["bonus", 6, 6], ["bonus", 6, 1]]


def test_a_die_below_its_maximum_or_dropped_or_of_a_defense_is_not() -> None:
    assert strike(OWNER, {}, dice=[(7, 5, 3), (1, 1)]).rolls() == (15, 2)
    owner = {**OWNER, "conditions": {"weakened": 1}}  # one more d8; the highest die goes
    assert strike(owner, {}, dice=[(8, 5, 3), 1, (1, 1)]).rolls() == (5 + 3 + 1, 2)
    assert strike({}, OWNER, dice=[(7, 5, 3), (8, 6)]).rolls() == (15, 14)


def test_dice_are_read_in_the_order_in_which_they_were_rolled() -> None:
    # Heart d8 and might d6 at their maximum: a d8, at its maximum too, then a d6, then the d8 for the first of these.
    table = strike(OWNER, {}, dice=[(8, 6, 3), (8, 1, 2), (1, 1)])
    assert table.last("attack")["attack_pool"][3:] == [["bonus", 8, 8], ["bonus", 6, 1], ["bonus", 8, 2]]


def test_of_equal_results_advantage_drops_the_one_rolled_first() -> None:
    # One level adds a d6. The heart d8 and both d6 show 6: the d8 goes, and both d6 are at their maximum.
    table = strike({**OWNER, "conditions": {"highground": 1}}, {}, dice=[(6, 6, 7), 6, (1, 1), (1, 1)])
    assert table.rolls() == (6 + 7 + 6 + 1 + 1, 2)


def test_a_roll_takes_twenty_further_dice_at_most() -> None:
    table = strike(OWNER, {}, dice=[(8, 1, 1), (8,) * 20, (1, 1)], answer="take")
    assert table.rolls() == (10 + 160, 2)


@pytest.mark.interplay("brutal_attacks", "committed_blows", "destined_for_glory", "favored_attacker")
def test_the_dice_of_other_abilities_leave_room_for_its_own() -> None:
    # Favored Attacker d8, Committed Blows 2d6 and Destined for Glory 2d8 for the match of two ones: 25 further dice.
    owner = {
        "destiny_talents": ["committed_blows", "destined_for_glory"],
        "abilities": ["favored_attacker", "brutal_attacks"],
    }
    table = strike(owner, {}, dice=[(8, 1, 1), (3, 4), (5,), (2, 3), (8,) * 20, (1, 1)], answer="take")
    assert table.rolls() == (10 + 7 + 5 + 5 + 160, 2)
