"""Battle Frenzy: advantage amid enemies."""

import pytest

from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import Dice, Fields, Table

pytestmark = pytest.mark.heading("Battle Frenzy")
OWNER = {"talents": ["battlefrenzy"]}


def attacks(fighters: Fields, dice: Dice) -> Table:
    """Let the knight attack the rogue in might."""
    return Table(fighters, dice).engage(knight="might: attack 1", rogue="cunning").finish_round()


def test_two_enemies_give_two_levels_and_three_give_three() -> None:
    two = {"knight": OWNER, "rogue": {}, "fox": {}}
    assert attacks(two, [(1, 1, 1), (6, 6), (1, 1)]).rolls() == (13, 2)
    assert attacks({**two, "owl": {}}, [(1, 1, 1), (6, 6, 6), (1, 1)]).rolls() == (18, 2)


def test_one_enemy_gives_none_and_friends_do_not_count() -> None:
    friends = {"knight": OWNER, "rogue": {}, "page": {"team": "blue"}}
    assert attacks(friends, [(1, 2, 3), (1, 1)]).rolls() == (6, 2)


@pytest.mark.parametrize(("field", "points"), [("talents", 1), ("destiny_talents", 3)])
def test_as_destiny_a_round_that_begins_there_gives_points(field: str, points: int) -> None:
    table = Table({"knight": {field: ["battlefrenzy"]}, "rogue": {}, "fox": {}})
    assert table.fighter("knight")["rush"] == points  # the one of round 1, and one for each enemy


@pytest.mark.parametrize(("drawing", "points"), [("RKF.", 3), ("RK.F", 1)])
def test_on_a_map_they_must_be_adjacent(drawing: str, points: int) -> None:
    table = on_map(drawing, {"knight": {"destiny_talents": ["battlefrenzy"]}, "rogue": {}, "fox": {}})
    assert table.fighter("knight")["rush"] == points
