"""A map of squares, on which a diagonal step counts as one: walls, lines of sight and paths.

A fight on a map has the fields MAP_FIELDS. The functions take its record and squares by column and row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from heartrush_env.tabletop.arrays import workspace
from heartrush_env.tabletop.grids.visibility import CORNERS
from heartrush_env.tabletop.records import Field
from heartrush_env.tabletop.rule import compiled, inlined

WIDTH, HEIGHT = 32, 20  # of the largest map
MAP_FIELDS: Final[list[Field]] = [
    ("width", "i1"),
    ("height", "i1"),
    ("walls", "i8", (HEIGHT,)),  # a bit for each square, by row
    ("water", "i8", (HEIGHT,)),
]
# The eight steps: N NE E SE S SW W NW.
STEP_X = np.array([0, 1, 1, 1, 0, -1, -1, -1])
STEP_Y = np.array([-1, -1, 0, 1, 1, 1, 0, -1])
FAR_AWAY, HELD = 127, -1  # in place of a distance

new_distances = workspace((WIDTH * HEIGHT,), np.int8)
new_rows = workspace((HEIGHT,), np.int64)


def fill_map(fight: Any, rows: Sequence[str], glyphs: Mapping[str, str]) -> None:
    """Write a map into a fight's record; `glyphs` holds, for each field of bits, the glyph of the squares it marks."""
    fight.width, fight.height = len(rows[0]), len(rows)
    for y, row in enumerate(rows):
        for name, glyph in glyphs.items():
            fight[name][y] = sum(1 << x for x, found in enumerate(row) if found == glyph)


@compiled
def is_on_map(fight, x, y):
    """Return whether the map has a square at this place."""
    return x >= 0 and y >= 0 and x < fight.width and y < fight.height


@compiled
def is_wall(fight, x, y):
    """Return whether a square is a wall, or outside the map."""
    return not is_on_map(fight, x, y) or fight.walls[y] >> x & 1 != 0


@compiled
def can_enter(fight, x, y):
    """Return whether the ground of a square can be entered."""
    return not is_wall(fight, x, y) and fight.water[y] >> x & 1 == 0


# -------------------------------------------------------------------------------------------------------------- sight


@compiled
def blocked_corners(fight, x, y, to_x, to_y):
    """Return how many of the lines from the center of a square to the four corners of another meet a wall."""
    blocked = 0
    if has_walls_between(fight, x, y, to_x, to_y):
        for corner in range(CORNERS):
            corner_x, corner_y = 2 * (to_x + corner % 2), 2 * (to_y + corner // 2)
            blocked += meets_wall(fight, 2 * x + 1, 2 * y + 1, corner_x, corner_y)
    return blocked


@compiled
def has_walls_between(fight, x, y, to_x, to_y):
    """Return whether there is a wall in the rectangle that two squares span."""
    left, right = min(x, to_x), max(x, to_x)
    columns = (1 << right - left + 1) - 1
    for row in range(min(y, to_y), max(y, to_y) + 1):
        if fight.walls[row] >> left & columns != 0:
            return True
    return False


@compiled
def meets_wall(fight, x, y, to_x, to_y):
    """Return whether the line from x, y to to_x, to_y, in half squares, passes through the inside of a wall square."""
    for row in range(min(y, to_y) // 2, (max(y, to_y) + 1) // 2):
        for column in range(min(x, to_x) // 2, (max(x, to_x) + 1) // 2):
            if is_wall(fight, column, row) and crosses(x, y, to_x, to_y, 2 * column, 2 * row):
                return True
    return False


@compiled
def crosses(x, y, to_x, to_y, left, top):
    """Return whether a line passes through the inside of the square of side 2 that has its top left corner here."""
    if max(x, to_x) <= left or min(x, to_x) >= left + 2 or max(y, to_y) <= top or min(y, to_y) >= top + 2:
        return False
    before, behind = False, False
    for corner in range(CORNERS):
        corner_x, corner_y = left + 2 * (corner % 2), top + 2 * (corner // 2)
        turn = (to_x - x) * (corner_y - y) - (to_y - y) * (corner_x - x)
        before = before or turn > 0
        behind = behind or turn < 0
    return before and behind


# -------------------------------------------------------------------------------------------------------------- paths


@compiled
def can_step(fight, x, y, k):
    """Return whether a step in direction k leads to open ground; a diagonal step must not pass between two walls."""
    dx, dy = STEP_X[k], STEP_Y[k]
    if not can_enter(fight, x + dx, y + dy):
        return False
    return dx == 0 or dy == 0 or not (is_wall(fight, x + dx, y) and is_wall(fight, x, y + dy))


@compiled
def flood(fight, x, y, squares, distances):
    """Write 1 + the number of steps to each square within `squares` steps of x, y; do not enter squares marked HELD.

    All squares of a row that are as far away are found at once, as bits of a number.
    """
    here, found, left = new_rows(), new_rows(), new_rows()  # the last squares found, the next ones, those not found
    for row in range(fight.height):
        left[row] = ~(fight.walls[row] | fight.water[row]) & ((1 << np.int64(fight.width)) - 1)
        for column in range(fight.width):
            if distances[row * WIDTH + column] != 0:
                left[row] &= ~(1 << column)
    here[y] = 1 << x
    left[y] &= ~(1 << x)
    distances[y * WIDTH + x] = 1
    steps, top, bottom = 1, y, y  # the rows with squares that were found last
    while steps <= squares and top <= bottom:
        steps += 1
        first, last = max(top - 1, 0), min(bottom + 1, fight.height - 1)
        for row in range(first, last + 1):
            found[row] = (here[row] << 1 | here[row] >> 1 | from_row(fight, here, row, row - 1)
                          | from_row(fight, here, row, row + 1)) & left[row]  # fmt: skip
        for row in range(top, bottom + 1):
            here[row] = 0
        top, bottom = np.int64(fight.height), -1
        for row in range(first, last + 1):
            here[row] = found[row]
            left[row] &= ~found[row]
            if found[row] != 0:
                top, bottom = min(top, row), row
                for column in range(fight.width):
                    if found[row] >> column & 1 != 0:
                        distances[row * WIDTH + column] = steps


@inlined
def from_row(fight, here, row, other):
    """Return the squares of a row that one step leads to from those of an adjacent row in `here`."""
    if other < 0 or other >= fight.height:
        return np.int64(0)
    squares, walls, beside = here[other], np.int64(fight.walls[other]), np.int64(fight.walls[row])
    east, west = squares << 1 & ~(walls & beside << 1), squares >> 1 & ~(walls & beside >> 1)
    return squares | east | west


@compiled
def first_step(fight, x, y, distances):
    """Return the first direction in which the distance falls by 1; 0 if there is none."""
    for k in range(8):
        there = (y + STEP_Y[k]) * WIDTH + x + STEP_X[k]
        if can_step(fight, x, y, k) and distances[there] == distances[y * WIDTH + x] - 1:
            return k
    return 0
