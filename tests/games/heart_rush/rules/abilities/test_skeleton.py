"""The Skeleton: Mindless."""

import pytest

from tests.games.heart_rush.rules.table import Table, strike

pytestmark = pytest.mark.heading("Mindless")
OWNER = {"abilities": ["skeleton.mindless"]}


@pytest.mark.parametrize(("owner", "enraged"), [(OWNER, {}), ({}, {"enraged": 1})])
def test_a_taunt_does_not_enrage_it(owner: dict, enraged: dict[str, int]) -> None:
    # Presence against presence: heart d8 and d6 of each.
    table = strike({}, {**owner, "talents": ["vampiric_mark"]}, choice="taunt 1", dice=[(8, 6), (1, 1)])
    assert table.conditions("rogue") == enraged


def test_conditions_of_the_body_take_hold() -> None:
    table: Table = strike(
        {}, OWNER, stance="cunning", against="agility", choice="attack 1 dazed", dice=[(1, 1, 1), (8, 6)]
    )
    assert table.history("rogue", "dazed")[0] == 1
