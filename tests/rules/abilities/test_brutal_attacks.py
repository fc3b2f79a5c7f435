"""Brutal Attacks: dice at their maximum are followed by more."""

from __future__ import annotations

import pytest

from tests.rules.table import strike

HEADING = "Combat Legacy > Brutal Attacks"
OWNER = {"abilities": ["brutal_attacks"]}


@pytest.mark.heading(HEADING)
def test_each_die_at_its_maximum_is_followed_by_another_and_that_one_may_be_too() -> None:
    # Heart d8 and might d6 at their maximum, weapon d8 at 3: one d8; one d6, at its maximum again: one more.
    table = strike(OWNER, {}, dice=[(8, 6, 3), (2, 6, 1), (1, 1)])
    assert table.rolls() == (8 + 6 + 3 + 2 + 6 + 1, 2)
    assert table.last("attack")["attack_pool"][3:] == [["bonus", 8, 2], ["bonus", 6, 6], ["bonus", 6, 1]]


@pytest.mark.heading(HEADING)
def test_a_die_below_its_maximum_is_not() -> None:
    assert strike(OWNER, {}, dice=[(7, 5, 3), (1, 1)]).rolls() == (15, 2)


@pytest.mark.heading(HEADING)
def test_a_die_that_disadvantage_drops_does_not_count() -> None:
    owner = {**OWNER, "conditions": {"weakened": 1}}  # one more d8; the highest die goes
    assert strike(owner, {}, dice=[(8, 5, 3), 1, (1, 1)]).rolls() == (5 + 3 + 1, 2)


@pytest.mark.heading(HEADING)
def test_defenses_stay_as_they_are() -> None:
    assert strike({}, OWNER, dice=[(7, 5, 3), (8, 6)]).rolls() == (15, 14)


@pytest.mark.heading(HEADING)
def test_a_roll_takes_eight_further_dice_at_most() -> None:
    table = strike(OWNER, {}, dice=[(8, 1, 1), (8,) * 8, (1, 1)], answer="take")
    assert table.rolls() == (10 + 64, 2)
