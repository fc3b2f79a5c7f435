"""A front-end may give its own way for a dash, refused in one sentence; tests/envs/test_routes.py has the doors."""

from typing import Any

import numpy as np
import pytest

from heartrush_env.games.heart_rush.fights import Fights
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.tabletop.errors import IllegalAction

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
    begun.give_details(0, 0, {"route": [[0, 1], [0, 2], [1, 3]]})
    names = begun.game.action_names
    begun.step(np.array([[names.index("dash 1,3"), names.index("pass")]]))
    moves = [event for event in begun.events(0) if event["type"] == "move"]
    assert moves == [{"type": "move", "fighter": "knight_0", "how": "dash", "path": [[0, 1], [0, 2], [1, 3]]}]


TO_AND_FRO = [[0, 1], [0, 0]] * 12  # 24 squares
LIST = "route: expected a list of squares, each as [column, row], got"


@pytest.mark.parametrize(
    ("route", "rows", "message"),
    [
        ([], OPEN, "expected 1 to 24 squares, got none."),
        (None, OPEN, f"{LIST} None"),
        (7, OPEN, f"{LIST} 7"),
        ({(0, 1)}, OPEN, f"{LIST} {{(0, 1)}}"),
        ([7], OPEN, f"{LIST} [7]"),
        ([[0, 1, 2]], OPEN, f"{LIST} [[0, 1, 2]]"),
        ([[0.0, 1.0]], OPEN, f"{LIST} [[0.0, 1.0]]"),
        ([[True, True]], OPEN, f"{LIST} [[True, True]]"),
        (TO_AND_FRO, OPEN, "row 1, column 0 (counted from 0) is further than its dash goes"),
        (
            [*TO_AND_FRO, [1, 1]],
            OPEN,
            "expected at most 24 squares, got 25; row 1, column 1 (counted from 0) is the first beyond the limit.",
        ),
        ([*TO_AND_FRO, "b"], OPEN, f"{LIST} [[0, 1], [0, 0], [0, 1], [0, 0], [0, 1], [0, 0], ...]"),
        ([[99, 99]], OPEN, "touch one another, got row 99, column 99 (counted from 0) after row 0, column 0"),
        ([[0, 0]], OPEN, "touch one another, got row 0, column 0 (counted from 0) after row 0, column 0"),
        ([[0, 1], [0, 0]], OPEN, "row 0, column 0 (counted from 0) is where it stands"),
        ([[0, -1]], OPEN, "row -1, column 0 (counted from 0) is not a place that it may enter"),
        ([[1, 1], [3, 1]], OPEN, "touch one another, got row 1, column 3 (counted from 0) after row 1, column 1"),
        ([[1, "a"]], OPEN, f"{LIST} [[1, 'a']]"),
        ([[0, 1], [1, 2], [2, 2]], OPEN, "row 2, column 2 (counted from 0) is held by an enemy"),
        ([[0, 1], [0, 2], [0, 3], [1, 3], [2, 3]], OPEN, "row 3, column 2 (counted from 0) is further than its dash"),
        ([[1, 0]], [".#..", *OPEN[1:]], "row 0, column 1 (counted from 0) is not a place that it may enter"),
        ([[1, 0], [2, 1]], ["..#.", ".#..", *OPEN[2:]], "row 1, column 2 (counted from 0) is beyond a corner"),
        ([[-1, 0]], OPEN, "row 0, column -1 (counted from 0) is not a place that it may enter"),
    ],
)
def test_a_route_that_cannot_be_gone_is_refused_in_one_sentence(route: Any, rows: list[str], message: str) -> None:
    begun = fights(rows)
    before = begun.snapshot(0)
    with pytest.raises(IllegalAction) as refused:
        begun.give_details(0, 0, {"route": route})
    said = str(refused.value)
    assert message in said and said.startswith(("route: ", "details: route: "))
    assert said.endswith(".") and "\n" not in said
    assert begun.snapshot(0) == before


def test_no_route_is_longer_than_a_dash_can_end_away() -> None:
    begun = fights(["." * 20] * 3)
    said = r"expected squares at most 12 away, got row 0, column 13 \(counted from 0\)"
    with pytest.raises(IllegalAction, match=said):
        begun.give_details(0, 0, {"route": [[x, 0] for x in range(1, 14)]})


def test_without_a_dash_left_there_is_no_route() -> None:
    """The free dash and the action's are gone, and the rush point asks for a declaration once more."""
    begun = fights(OPEN, rush=3)
    for route in ([[0, 1]], [[0, 2]]):
        begun.step(np.array([[begun.give_details(0, 0, {"route": route}), begun.game.action_names.index("pass")]]))
    before = begun.snapshot(0)
    said = r"row 3, column 0 \(counted from 0\) is out of its reach without a dash left"
    with pytest.raises(IllegalAction, match=said):
        begun.give_details(0, 0, {"route": [[0, 3]]})
    assert begun.snapshot(0) == before


def test_a_route_that_lapses_leaves_no_trace() -> None:
    """A fight is the same, byte for byte, whether or not a route was once thought of."""
    begun, other = fights(OPEN), fights(OPEN)
    begun.give_details(0, 0, {"route": [[0, 1], [0, 2]]})
    for one in (begun, other):
        one.step(np.full((1, 2), one.game.action_names.index("pass")))
    assert begun.snapshot(0) == other.snapshot(0)


def test_no_square_of_a_route_is_nearer_to_what_it_fears() -> None:
    """The rogue is two squares off at 2, 2, and one from 1, 1; at 0, 2 the way would be as far from it as it began."""
    begun = fights(OPEN, conditions={"frightened": {"source": "rogue_0"}})
    for route in ([[1, 1]], [[1, 1], [0, 2]]):
        with pytest.raises(IllegalAction, match=r"row 1, column 1 \(counted from 0\) is nearer to what it fears"):
            begun.give_details(0, 0, {"route": route})
    begun.give_details(0, 0, {"route": [[0, 1], [0, 2]]})


def test_a_route_does_not_end_where_an_ally_stands() -> None:
    places = (("knight", "blue", [0, 0]), ("squire", "blue", [1, 0]), ("rogue", "red", [3, 3]))
    sheets = [{**PLAIN, "id": name, "team": team, "at": at} for name, team, at in places]
    begun = HeartRush({"fighter": sheets, "battlefield": {"map": OPEN}}).batch(1)
    begun.start([0], 1, [0])
    begun.give_details(0, 0, {"route": [[1, 0], [2, 0]]})
    with pytest.raises(IllegalAction, match="is taken by another"):
        begun.give_details(0, 0, {"route": [[1, 0]]})


def test_routes_are_for_maps_and_for_those_who_are_asked() -> None:
    flat = HeartRush("duel").batch(1)
    flat.start([0], 1, [0])
    with pytest.raises(IllegalAction, match="without a map"):
        flat.give_details(0, 0, {"route": [[1, 1]]})
    begun = fights(OPEN, surprised=True)
    with pytest.raises(IllegalAction, match="when it has no declaration to make"):
        begun.give_details(0, 0, {"route": [[0, 1]]})
