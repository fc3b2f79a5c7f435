"""The places that a dash may end in: their numbers, and those that are too far away for the action table.

The table names the places up to NEAR squares away from the fighter in each direction. A dash that goes farther is named
in two parts: a place that is NEAR away, and then a place up to NEAR away from there.
"""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.rules.terms import FASTEST, NEAR
from heartrush_env.tabletop.rule import compiled, inlined

AROUND = 2 * NEAR + 1  # width of the area that the action table names, in squares
NAMED = AROUND * AROUND
WIDE = 2 * FASTEST + 1  # width of the area that a dash may end in
DESTINATIONS = NAMED + WIDE * WIDE


@inlined
def offset(dx, dy):
    """Return the number of a place that the action table names: row by row from the northwest corner."""
    return (np.int64(dy) + NEAR) * AROUND + dx + NEAR


@compiled
def destination(dx, dy):
    """Return the number of any place relative to a fighter; places that the table does not name come after the rest."""
    if max(abs(dx), abs(dy)) <= NEAR:
        return np.int64(offset(dx, dy))
    return NAMED + (np.int64(dy) + FASTEST) * WIDE + dx + FASTEST


@compiled
def steps_to(number):
    """Return the squares to the east and to the south that a place with this number is away."""
    if number < NAMED:
        return np.int64(number % AROUND - NEAR), np.int64(number // AROUND - NEAR)
    return np.int64((number - NAMED) % WIDE - FASTEST), np.int64((number - NAMED) // WIDE - FASTEST)


@inlined
def columns_near(x):
    """Return the columns up to NEAR away from column x, a bit each."""
    return (np.int64(1) << np.int64(x + NEAR + 1)) - (np.int64(1) << np.int64(max(0, x - NEAR)))
