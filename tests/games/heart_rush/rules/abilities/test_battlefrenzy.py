"""Battle Frenzy: advantage amid enemies."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import Table

HEADING = "Talents > Battle Frenzy"
OWNER = {"talents": ["battlefrenzy"]}


def attacks(fighters: dict[str, Any], dice: list[Any]) -> Table:
    """The knight attacks the rogue in might."""
    table = Table(fighters, dice)
    table.engage(knight="might", rogue="cunning")
    table.pass_to("attack", "might")
    table.play(knight="attack 1")
    table.finish_round()
    return table


@pytest.mark.heading(HEADING)
def test_two_enemies_give_two_levels_and_three_give_three() -> None:
    two = {"knight": OWNER, "rogue": {}, "fox": {}}
    assert attacks(two, [(1, 1, 1), (6, 6), (1, 1)]).rolls() == (13, 2)
    assert attacks({**two, "owl": {}}, [(1, 1, 1), (6, 6, 6), (1, 1)]).rolls() == (18, 2)


@pytest.mark.heading(HEADING)
def test_one_enemy_gives_none_and_friends_do_not_count() -> None:
    friends = {"knight": OWNER, "rogue": {}, "page": {"team": "blue"}}
    assert attacks(friends, [(1, 2, 3), (1, 1)]).rolls() == (6, 2)


@pytest.mark.heading(HEADING)
@pytest.mark.parametrize(("field", "points"), [("talents", 1), ("destiny_talents", 3)])
def test_as_destiny_a_round_that_begins_there_gives_points(field: str, points: int) -> None:
    table = Table({"knight": {field: ["battlefrenzy"]}, "rogue": {}, "fox": {}})
    assert table.fighter("knight")["rush"] == points  # the one of round 1, and one for each enemy


@pytest.mark.heading(HEADING)
@pytest.mark.parametrize(("drawing", "points"), [("RKF.", 3), ("RK.F", 1)])
def test_on_a_map_they_must_be_adjacent(drawing: str, points: int) -> None:
    table = on_map(drawing, {"knight": {"destiny_talents": ["battlefrenzy"]}, "rogue": {}, "fox": {}})
    assert table.fighter("knight")["rush"] == points
