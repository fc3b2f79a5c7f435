"""A front-end may give its own way for a dash, refused in one sentence; tests/envs/test_routes.py has the doors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from heartrush_env.core.errors import IllegalAction
from heartrush_env.heart_rush.fights import Fights
from heartrush_env.heart_rush.game import HeartRush

BLADE = {"size": "light", "attack_type": "melee", "damage_type": "none"}
PLAIN = {"might": 6, "agility": 6, "cunning": 6, "presence": 6, "heart": 8, "hp": 40, "weapon": BLADE, "speed": 20}


def fights(rows: list[str], **changes: Any) -> Fights:
    """The knight in the upper left corner, the rogue two squares to the east and two to the south."""
    knight = {**PLAIN, "id": "knight", "team": "blue", "at": [0, 0], **changes}
    rogue = {**PLAIN, "id": "rogue", "team": "red", "at": [2, 2]}
    begun = HeartRush({"fighter": [knight, rogue], "battlefield": {"map": rows}}).batch(1, record=True)
    begun.start([0], 1, [0])
    return begun


OPEN = ["....", "....", "....", "...."]


def test_the_dash_takes_the_way_that_was_given() -> None:
    begun = fights(OPEN)
    begun.give_route(0, 0, [[0, 1], [0, 2], [1, 3]])
    names = begun.game.action_names
    begun.step(np.array([[names.index("dash 1,3"), names.index("pass")]]))
    moves = [event for event in begun.events(0) if event["type"] == "move"]
    assert moves == [{"type": "move", "fighter": "knight_0", "how": "dash", "path": [[0, 1], [0, 2], [1, 3]]}]


@pytest.mark.parametrize(
    ("route", "rows", "message"),
    [
        ([], OPEN, "found 0 squares"),
        ([[1, 1], [3, 1]], OPEN, "row 1, column 3 (counted from 0) does not touch row 1, column 1"),
        ([[1, "a"]], OPEN, "found [1, 'a'], allowed: squares as [column, row]"),
        ([[0, 1], [1, 2], [2, 2]], OPEN, "row 2, column 2 (counted from 0) is held by an enemy"),
        ([[0, 1], [0, 2], [0, 3], [1, 3], [2, 3]], OPEN, "row 3, column 2 (counted from 0) is further than its dash"),
        ([[1, 0]], [".#..", *OPEN[1:]], "row 0, column 1 (counted from 0) is no place that it may enter"),
        ([[1, 0], [2, 1]], ["..#.", ".#..", *OPEN[2:]], "row 1, column 2 (counted from 0) is beyond a corner"),
        ([[-1, 0]], OPEN, "row 0, column -1 (counted from 0) is no place that it may enter"),
    ],
)
def test_a_route_that_cannot_be_gone_is_refused_in_one_sentence(route: Any, rows: list[str], message: str) -> None:
    begun = fights(rows)
    with pytest.raises(IllegalAction) as refused:
        begun.give_route(0, 0, route)
    assert message in str(refused.value) and str(refused.value).count("\n") == 0
    assert begun._matches[0].fighters[0].route_length == 0


def test_a_route_does_not_end_where_an_ally_stands() -> None:
    sheets = [
        {**PLAIN, "id": name, "team": team, "at": at}
        for name, team, at in (("knight", "blue", [0, 0]), ("squire", "blue", [1, 0]), ("rogue", "red", [3, 3]))
    ]
    begun = HeartRush({"fighter": sheets, "battlefield": {"map": OPEN}}).batch(1)
    begun.start([0], 1, [0])
    begun.give_route(0, 0, [[1, 0], [2, 0]])
    with pytest.raises(IllegalAction, match="is taken by another"):
        begun.give_route(0, 0, [[1, 0]])


def test_routes_are_for_maps_and_for_those_who_are_asked() -> None:
    flat = HeartRush("duel").batch(1)
    flat.start([0], 1, [0])
    with pytest.raises(IllegalAction, match="without a map"):
        flat.give_route(0, 0, [[1, 1]])
    begun = fights(OPEN, surprised=True)
    with pytest.raises(IllegalAction, match="not asked"):
        begun.give_route(0, 0, [[0, 1]])
