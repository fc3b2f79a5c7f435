"""The ground of a map in compiled code: distances between spaces, walking distances, and pushes into obstacles."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from heartrush_env.games.heart_rush.rules.movement import STEP_X, STEP_Y
from heartrush_env.tabletop.kernels import kernel
from heartrush_env.tabletop.records import record
from heartrush_env.tabletop.rule import compiled

MELEE_RANGE: Final = 1  # squares
SHOVE, MIGHT_PUSH = 1, 2  # squares that a fighter of equal size is pushed
DEADLY_FALL: Final = 20  # feet; a deeper fall takes a fighter out of the fight
COLLISION: Final = 3.5  # hit points for each square that a push falls short
SAVE: Final = 9  # feet of a fall that an agility save may be expected to break
FAR_AWAY: Final = np.inf  # the walking distance to a place that cannot be reached, and the cost of entering a wall

TILE = record(
    [
        ("height", "i8"),  # feet
        ("depth", "i8"),  # of water, 0 to 2
        ("wall", "?"),
        ("fall", "?"),
        ("risk", "f8"),  # the largest damage of a push by might against a fighter here
    ]
)


@compiled
def between(x: Any, y: Any, side: Any, other_x: Any, other_y: Any, other_side: Any) -> Any:
    """Return the distance in squares between two spaces, given by their top-left squares and widths."""
    across = max(other_x - x - side + 1, x - other_x - other_side + 1)
    down = max(other_y - y - side + 1, y - other_y - other_side + 1)
    return max(0, across, down)


@compiled
def passes_corner(cost: Any, x: Any, y: Any, way: Any) -> Any:
    """Return whether a step is straight or has a free square beside it; `cost` has a margin of one square."""
    dx, dy = STEP_X[way], STEP_Y[way]
    return dx == 0 or dy == 0 or cost[y, x + dx] < FAR_AWAY or cost[y + dy, x] < FAR_AWAY


@kernel
def spread(cost: Any, spent: Any) -> None:
    """Complete walking distances from all squares to those that are 0 in `spent`.

    Args:
        cost: The cost of entering each square, with a margin of walls.
        spent: 0 in the goals, otherwise infinite; it has the same shape.
    """
    rows, columns, forth, shorter = len(cost) - 2, cost.shape[1] - 2, True, True
    while shorter:
        shorter = False
        for count in range(rows * columns):
            place = count if forth else rows * columns - 1 - count
            y, x = 1 + place // columns, 1 + place % columns
            least = spent[y, x]
            for way in range(len(STEP_X)):
                there = spent[y + STEP_Y[way], x + STEP_X[way]] + cost[y + STEP_Y[way], x + STEP_X[way]]
                if there < least and passes_corner(cost, x, y, way):
                    least = there
            if least < spent[y, x]:
                spent[y, x], shorter = least, True
        forth = not forth


@compiled
def push_damage(tiles: Any, drop: Any, x: Any, y: Any, dx: Any, dy: Any, squares: Any) -> Any:
    """Return the hit points that a push out of a square costs; infinite if it leads over a deadly edge."""
    for step in range(1, squares + 1):
        column, row = x + step * dx, y + step * dy
        inside = row >= 0 and row < len(tiles) and column >= 0 and column < tiles.shape[1]
        if not inside or tiles[row, column].wall:
            return COLLISION * (squares - step + 1)
        if tiles[row, column].fall:
            return FAR_AWAY if drop > DEADLY_FALL else max(0.0, float(drop - SAVE))
    return 0.0


@kernel
def find_risks(tiles: Any, cost: Any, drop: Any) -> None:
    """Find the largest damage of a push by might on each square, from squares on which an attacker can stand."""
    for y in range(len(tiles)):
        for x in range(tiles.shape[1]):
            worst = 0.0
            for way in range(len(STEP_X)):
                if cost[1 + y - STEP_Y[way], 1 + x - STEP_X[way]] < FAR_AWAY:
                    worst = max(worst, push_damage(tiles, drop, x, y, STEP_X[way], STEP_Y[way], MIGHT_PUSH))
            tiles[y, x].risk = worst
