"""The Skeleton: Mindless."""

from __future__ import annotations

import pytest

from tests.games.heart_rush.rules.table import Table, strike

HEADING = "Monsters > Mindless"
OWNER = {"abilities": ["skeleton.mindless"]}


@pytest.mark.heading(HEADING)
@pytest.mark.parametrize(("owner", "enraged"), [(OWNER, {}), ({}, {"enraged": 1})])
def test_a_taunt_does_not_enrage_it(owner: dict, enraged: dict[str, int]) -> None:
    # Presence against presence: heart d8 and d6 of each.
    table = strike({}, {**owner, "talents": ["vampiric_mark"]}, choice="taunt 1", dice=[(8, 6), (1, 1)])
    assert table.conditions("rogue") == enraged


@pytest.mark.heading(HEADING)
def test_conditions_of_the_body_take_hold() -> None:
    table: Table = strike(
        {}, OWNER, stance="cunning", against="agility", choice="attack 1 dazed", dice=[(1, 1, 1), (8, 6)]
    )
    assert table.history("rogue", "dazed")[0] == 1
