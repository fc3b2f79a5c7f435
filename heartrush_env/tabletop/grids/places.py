"""Fighters on a map of squares: where they are, how far they see, and where their moves can end.

A fighter on a map has the fields of `place_fields`, and its status is 0 while it is in the fight. A fight on a map has
the fields MAP_FIELDS and EXITS. The functions marked `on_map` return a constant for fights without a map.
"""

from __future__ import annotations

from functools import partial
from typing import Final, NamedTuple

import numpy as np

from heartrush_env.tabletop.grids import squares as grid
from heartrush_env.tabletop.grids.squares import FAR_AWAY, HEIGHT, HELD, WIDTH, new_distances
from heartrush_env.tabletop.grids.visibility import CORNERS
from heartrush_env.tabletop.limits import Limits
from heartrush_env.tabletop.records import Field
from heartrush_env.tabletop.rule import compiled, only_with
from heartrush_env.tabletop.units import Function

MAP: Final = "walls"  # the field of fights on maps
on_map = partial(only_with, MAP)
COLUMN: Final = Limits(0, WIDTH - 1)
ROW: Final = Limits(0, HEIGHT - 1)
EXITS: Final[list[Field]] = [("exits", "i8", (HEIGHT,))]  # a bit for each square from which fighters leave the map


def place_fields(most: int) -> list[Field]:
    """Return the record fields of a fighter on a map, for fights of at most `most` fighters."""
    return [
        *((name, "i1", COLUMN) for name in ("x", "from_x")),
        *((name, "i1", ROW) for name in ("y", "from_y")),
        ("blocked", "i1", (most,), Limits(0, CORNERS)),  # lines to each fighter that walls block, from from_x, from_y
    ]


# ------------------------------------------------------------------------------------------------------------- squares


@on_map(False)
@compiled
def has_map(fight):
    """Return whether the fight is on a map."""
    return True


@on_map(0)
@compiled
def column_of(fight, i):
    """Return the column in which a fighter is; 0 without a map."""
    return np.int64(fight.fighters[i].x)


@on_map(0)
@compiled
def row_of(fight, i):
    """Return the row in which a fighter is; 0 without a map."""
    return np.int64(fight.fighters[i].y)


@on_map(0)
@compiled
def shown_column(fight, i):
    """Return the column of a fighter as its record holds it, so that a position can be rebuilt; 0 without a map."""
    return fight.fighters[i].x


@on_map(0)
@compiled
def shown_row(fight, i):
    """Return the row of a fighter as its record holds it, so that a position can be rebuilt; 0 without a map."""
    return fight.fighters[i].y


@compiled
def is_free(fight, x, y):
    """Return whether no fighter is in a square; those that are out of the fight do not count."""
    for j in range(fight.n):
        if fight.fighters[j].status == 0 and fight.fighters[j].x == x and fight.fighters[j].y == y:
            return False
    return True


@compiled
def square_behind(fight, i, target):
    """Return the column and the row of the square straight behind the target, seen from fighter i."""
    return 2 * column_of(fight, target) - column_of(fight, i), 2 * row_of(fight, target) - row_of(fight, i)


@on_map(False)
@compiled
def can_be_pushed(fight, i, target):
    """Return whether the square straight behind the target, seen from fighter i, can be entered and is free."""
    x, y = square_behind(fight, i, target)
    return grid.can_enter(fight, x, y) and is_free(fight, x, y)


@on_map(None)
@compiled
def put_behind(fight, i, target):
    """Move the target one square straight away from fighter i."""
    fight.fighters[target].x, fight.fighters[target].y = square_behind(fight, i, target)
    look_around(fight, target)


# --------------------------------------------------------------------------------------------------------------- sight


@on_map(0)
@compiled
def blocked_lines(fight, i, target):
    """Return how many of the lines from the center of i's square to the target's four corners meet a wall."""
    if has_looked(fight, i) and has_looked(fight, target):
        return np.int64(fight.fighters[i].blocked[target])
    x, y, to_x, to_y = column_of(fight, i), row_of(fight, i), column_of(fight, target), row_of(fight, target)
    return grid.blocked_corners(fight, x, y, to_x, to_y)


@compiled
def has_looked(fight, i):
    """Return whether the lines from a fighter were counted from its square; in a rebuilt position they may not be."""
    fighter = fight.fighters[i]
    return fighter.x == fighter.from_x and fighter.y == fighter.from_y


@on_map(None)
@compiled
def look_around(fight, i):
    """Count the blocked lines between fighter i, which is new on its square, and each other fighter, both ways."""
    x, y = column_of(fight, i), row_of(fight, i)
    fight.fighters[i].from_x = x
    fight.fighters[i].from_y = y
    for j in range(fight.n):
        to_x, to_y = column_of(fight, j), row_of(fight, j)
        fight.fighters[i].blocked[j] = grid.blocked_corners(fight, x, y, to_x, to_y)
        fight.fighters[j].blocked[i] = grid.blocked_corners(fight, to_x, to_y, x, y)


@on_map(True)
@compiled
def is_near(fight, x, y, to_x, to_y, squares):
    """Return whether the second of two squares is at most this many squares from the first, and in sight from there."""
    return max(abs(to_x - x), abs(to_y - y)) <= squares and grid.blocked_corners(fight, x, y, to_x, to_y) < CORNERS


@compiled
def sees_square(fight, i, x, y, squares):
    """Return whether a square is at most this many squares from fighter i, and in its sight."""
    return is_near(fight, column_of(fight, i), row_of(fight, i), x, y, squares)


@on_map(None)
@compiled
def write_center(fight, i, squares, column, masks, start):
    """Mark the columns of the squares at which fighter i can aim an area or, in a given `column`, the rows.

    These squares are not walls, at most this many squares away, and in sight. A `column` of -1 stands for none.
    """
    for y in range(fight.height):
        for x in range(fight.width):
            fits = (column == -1 or x == column) and not grid.is_wall(fight, x, y)
            if fits and sees_square(fight, i, x, y, squares):
                masks[np.uint64(start + (x if column == -1 else y))] = 1


# --------------------------------------------------------------------------------------------------------------- moves


@on_map(None)
@compiled
def measure(fight, i, distances):
    """Write 1 + the number of steps over the ground to each square, counted from fighter i."""
    grid.flood(fight, column_of(fight, i), row_of(fight, i), FAR_AWAY - 1, distances)


@on_map(None)
@compiled
def keep_least_steps(fight, i, distances):
    """Lower the numbers in `distances` to 1 + the steps from fighter i where it is nearer; 0 means no way so far."""
    ways = new_distances()
    measure(fight, i, ways)
    for square in range(len(ways)):
        if ways[square] > 0 and (distances[square] == 0 or ways[square] < distances[square]):
            distances[square] = ways[square]


@compiled
def hold_squares(fight, i, enemies, distances):
    """Mark the squares of fighter i's enemies or, unless `enemies`, of its allies as HELD in `distances`."""
    team = fight.fighters[i].team
    for j in range(fight.n):
        if j != i and (fight.fighters[j].team != team) == enemies and fight.fighters[j].status == 0:
            distances[row_of(fight, j) * WIDTH + column_of(fight, j)] = HELD


@compiled
def find_ends(fight, i, squares, distances):
    """Write 1 or more for each square on which fighter i can end a move of at most `squares`, its own included.

    It passes allies, but not enemies.
    """
    hold_squares(fight, i, True, distances)
    grid.flood(fight, column_of(fight, i), row_of(fight, i), squares, distances)
    hold_squares(fight, i, False, distances)


@on_map(False)
@compiled
def is_exit(fight, x, y):
    """Return whether fighters can leave the map from a square."""
    return fight.exits[y] >> x & 1 != 0


@on_map(False)
@compiled
def reaches_exit(fight, i, squares):
    """Return whether fighter i can end a move on an exit square."""
    distances = new_distances()
    find_ends(fight, i, squares, distances)
    for y in range(fight.height):
        for x in range(fight.width):
            if distances[y * WIDTH + x] > 0 and is_exit(fight, x, y):
                return True
    return False


class SquarePicks(NamedTuple):
    """The picks of a square near a fighter, one line for each, by its steps to the east and to the south."""

    steps: tuple[tuple[int, int], ...]
    names: tuple[str, ...]
    step_of: Function  # (line): the steps to the east and to the south
    square_of: Function  # (fight, i, line): the column and the row
    write_ends: Function  # (fight, i, squares, exits_only, masks, start): marks the lines of squares to move to


def square_picks(most: int) -> SquarePicks:
    """Return the picks of squares that are at most `most` steps away."""
    side = 2 * most + 1
    around = range(-most, most + 1)
    steps = tuple((dx, dy) for dy in around for dx in around)

    @compiled
    def step_of(line):
        return line % side - most, line // side - most

    @compiled
    def square_of(fight, i, line):
        dx, dy = step_of(line)
        return column_of(fight, i) + dx, row_of(fight, i) + dy

    @on_map(None)
    @compiled
    def write_ends(fight, i, squares, exits_only, masks, start):
        """Mark the squares on which fighter i may end a move, its own included; with `exits_only`, mark only exits."""
        distances = new_distances()
        find_ends(fight, i, squares, distances)
        for line in range(side * side):
            x, y = square_of(fight, i, line)
            is_end = grid.is_on_map(fight, x, y) and distances[y * WIDTH + x] > 0
            masks[np.uint64(start + line)] |= is_end and (not exits_only or is_exit(fight, x, y))

    return SquarePicks(steps, tuple(f"{dx},{dy}" for dx, dy in steps), step_of, square_of, write_ends)
