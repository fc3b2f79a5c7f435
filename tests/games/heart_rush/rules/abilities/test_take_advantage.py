"""Take Advantage: advantage on attacks against those with conditions."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.heart_rush.rules.table import strike

HEADING = "Talents > Take Advantage"


def levels_against(conditions: dict[str, Any], field: str, levels: int) -> dict[str, int]:
    """The causes of advantage on the knight's cunning attack on a rogue with these conditions."""
    target = {"conditions": conditions, "wound_threshold": 0}
    # The knight's d8, d6 and d8 with a d6 for each level, and the rogue's d8 and d6 with those of its conditions.
    table = strike(
        {field: ["take_advantage"]},
        target,
        stance="cunning",
        against="defensive",
        dice=[(1, 1, 1), (1,) * levels, (1, 1)],
    )
    causes: dict[str, int] = table.last("attack")["attack_causes"]
    return causes


@pytest.mark.heading(HEADING)
@pytest.mark.parametrize(
    "conditions",
    [
        {"weakened": 2},  # two levels of one of the three
        {"off_balanced": 2},
        {"weakened": 1, "slowed": 1},  # two conditions
        {"charmed": {"levels": 1, "source": "knight"}, "off_balanced": 1},
    ],
)
def test_an_impaired_target_gives_two_levels(conditions: dict[str, Any]) -> None:
    assert levels_against(conditions, "talents", 2) == {"ability": 2}


@pytest.mark.heading(HEADING)
@pytest.mark.parametrize(
    "conditions",
    [
        {},
        {"weakened": 1},
        {"slowed": 3},  # is not one of the three
        {"weakened": 1, "wet": 1},  # being drenched troubles nobody
        {"weakened": 1, "highground": 1},
    ],
)
def test_one_condition_or_one_level_gives_none(conditions: dict[str, Any]) -> None:
    assert levels_against(conditions, "talents", 0) == {}


@pytest.mark.heading(HEADING)
@pytest.mark.parametrize(
    ("conditions", "levels"),
    [
        ({"weakened": 1}, 1),
        ({"weakened": 4, "off_balanced": 1}, 4),  # the highest level
        ({"weakened": 1, "off_balanced": 1, "slowed": 1}, 3),  # the number of conditions
        ({"highground": 1}, 0),
    ],
)
def test_of_destiny_it_gives_as_many_as_the_conditions_or_their_highest_level(
    conditions: dict[str, Any], levels: int
) -> None:
    assert levels_against(conditions, "destiny_talents", levels) == ({"ability": levels} if levels else {})
