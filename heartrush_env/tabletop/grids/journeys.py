"""Journeys: moves on a map of squares that are made step by step, so that other fighters can interrupt them.

A fight has one journey at a time, with the fields of `journey_fields`. It leads by a shortest path past enemies to a
square, and ends on the last square of this path that is free.
"""

from __future__ import annotations

import numpy as np

from heartrush_env.tabletop.grids import squares as grid
from heartrush_env.tabletop.grids.places import COLUMN, ROW, column_of, hold_squares, is_free, on_map, row_of
from heartrush_env.tabletop.grids.squares import FAR_AWAY, STEP_X, STEP_Y, WIDTH
from heartrush_env.tabletop.limits import Limits
from heartrush_env.tabletop.records import Field
from heartrush_env.tabletop.rule import compiled


def journey_fields(fighters: int, squares: int) -> list[Field]:
    """Return the record fields of a journey, for at most this number of fighters and of squares."""
    steps = Limits(0, squares)
    return [
        ("mover", "i1", Limits(-1, fighters - 1)),
        *((name, "i1", COLUMN) for name in ("to_x", "free_x")),
        *((name, "i1", ROW) for name in ("to_y", "free_y")),
        ("squares", "i1", steps),  # the most steps that it may take
        ("steps", "i1", steps),  # those that it has taken
        ("taken", "i1", steps),  # those up to the last free square, where it stops
    ]


@on_map(-1)
@compiled
def mover_of(fight):
    """Return the fighter that makes the last journey that has begun; NOBODY without a map."""
    return np.int64(fight.mover)


@on_map(None)
@compiled
def set_out(fight, i, x, y, squares):
    """Begin a journey of at most `squares` steps to a square, or to the first of the map in place of one outside."""
    fight.to_x, fight.to_y = (x, y) if grid.is_on_map(fight, x, y) else (0, 0)
    fight.mover = i
    fight.squares = squares
    fight.steps = 0
    fight.taken = 0
    fight.free_x = column_of(fight, i)
    fight.free_y = row_of(fight, i)


@compiled
def find_ways(fight, i, distances):
    """Write 1 + the number of steps from each square to the end of fighter i's journey, around its enemies."""
    hold_squares(fight, i, True, distances)
    grid.flood(fight, np.int64(fight.to_x), np.int64(fight.to_y), FAR_AWAY - 1, distances)


@compiled
def has_steps(fight, i, distances):
    """Return whether fighter i can take another step on its journey; `distances` are those of `find_ways`."""
    return fight.steps < fight.squares and distances[row_of(fight, i) * WIDTH + column_of(fight, i)] > 1


@compiled
def next_square(fight, i, distances):
    """Return the next square of fighter i's path: of the shortest paths, the directions come first, from the north."""
    x, y = column_of(fight, i), row_of(fight, i)
    k = grid.first_step(fight, x, y, distances)
    return x + STEP_X[k], y + STEP_Y[k]


@compiled
def take_step(fight, i, x, y):
    """Move fighter i to the next square of its path, and note it if it is free to end on."""
    is_end = is_free(fight, x, y)
    fight.fighters[i].x = x
    fight.fighters[i].y = y
    fight.steps += 1
    if is_end:
        fight.taken = fight.steps
        fight.free_x = x
        fight.free_y = y


@compiled
def stop(fight, i):
    """End fighter i's journey on the last free square of its path."""
    fight.squares = fight.steps
    fight.fighters[i].x = fight.free_x
    fight.fighters[i].y = fight.free_y
