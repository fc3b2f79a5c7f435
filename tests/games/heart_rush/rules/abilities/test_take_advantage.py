"""Take Advantage: advantage on attacks against those with conditions."""

import pytest

from tests.games.heart_rush.rules.table import Fields, strike

pytestmark = pytest.mark.heading("Take Advantage")


def levels_against(conditions: Fields, field: str, levels: int) -> dict[str, int]:
    """Return the causes of advantage on the knight's cunning attack on a rogue with these conditions."""
    target = {"conditions": conditions, "wound_threshold": 0}
    # The knight's d8, d6 and d8 with a d6 for each level, and the rogue's d8 and d6 with those of its conditions.
    owner, dice = {field: ["take_advantage"]}, [(1, 1, 1), (1,) * levels, (1, 1)]
    table = strike(owner, target, stance="cunning", against="defensive", dice=dice)
    return dict(table.last("attack")["attack_causes"])


@pytest.mark.parametrize(
    ("conditions", "levels"),
    [
        ({"weakened": 2}, 2),  # two levels of one of the three
        ({"off_balanced": 2}, 2),
        ({"weakened": 1, "slowed": 1}, 2),  # two conditions
        ({"charmed": {"levels": 1, "source": "knight"}, "off_balanced": 1}, 2),
        ({}, 0),
        ({"weakened": 1}, 0),
        ({"slowed": 3}, 0),  # is not one of the three
        ({"weakened": 1, "wet": 1}, 0),  # being drenched troubles nobody
        ({"weakened": 1, "highground": 1}, 0),
    ],
)
def test_two_conditions_or_two_levels_of_the_target_give_two_levels(conditions: Fields, levels: int) -> None:
    assert levels_against(conditions, "talents", levels) == ({"ability": 2} if levels else {})


@pytest.mark.parametrize(
    ("conditions", "levels"),
    [
        ({"weakened": 1}, 1),
        ({"weakened": 4, "off_balanced": 1}, 4),  # the highest level
        ({"weakened": 1, "off_balanced": 1, "slowed": 1}, 3),  # the number of conditions
        ({"highground": 1}, 0),
    ],
)
def test_of_destiny_it_gives_as_many_as_the_conditions_or_their_highest_level(conditions: Fields, levels: int) -> None:
    assert levels_against(conditions, "destiny_talents", levels) == ({"ability": levels} if levels else {})
