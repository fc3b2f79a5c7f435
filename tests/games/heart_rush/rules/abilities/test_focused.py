"""Focused: the owner keeps some unspent rush points."""

import pytest

from tests.games.heart_rush.rules.table import Table


@pytest.mark.heading("Focused", "Understanding Actions and Abilities")
@pytest.mark.parametrize(
    ("owner", "rush", "after"),
    [
        ({"talents": ["focused"]}, 7, 3),
        ({"talents": ["focused"]}, 2, 2),
        ({"destiny_talents": ["focused"]}, 7, 5),
        ({"talents": ["fury"]}, 7, 0),
    ],
)
def test_unspent_points_stay_up_to_a_number(owner: dict, rush: int, after: int) -> None:
    # Nobody attacks in round 1, so that round 2 gives no point of its own.
    assert Table({"knight": {**owner, "rush": rush}, "rogue": {}}).finish_round().fighter("knight")["rush"] == after


@pytest.mark.heading("Focused")
def test_they_come_on_top_of_the_points_of_the_round() -> None:
    table = Table({"knight": {"talents": ["focused"], "rush": 2}, "rogue": {}}, [(3, 2, 4), (1, 1)])
    table.engage(knight="might: attack 1", rogue="cunning").finish_round()
    assert table.fighter("knight")["rush"] == 2 + 1  # active in one round
