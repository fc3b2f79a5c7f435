"""Dash routes given by a front-end: each is checked square by square, and refused in one sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from heartrush_env.games.heart_rush.rules.action_phase import is_able
from heartrush_env.games.heart_rush.rules.actions.dash import may_dash
from heartrush_env.games.heart_rush.rules.movement import (
    STEP_X,
    STEP_Y,
    cuts_corner,
    dreads,
    is_barred,
    is_footing,
    is_vacant,
    may_climb_out,
    step_cost,
)
from heartrush_env.games.heart_rush.rules.paths import dash_budget
from heartrush_env.games.heart_rush.rules.terms import FASTEST
from heartrush_env.games.heart_rush.state.record import MAX_ROUTE
from heartrush_env.tabletop.errors import IllegalAction
from heartrush_env.tabletop.kernels import kernel
from heartrush_env.tabletop.rule import compiled

_DIRECTIONS = {(int(dx), int(dy)): d for d, (dx, dy) in enumerate(zip(STEP_X, STEP_Y, strict=True))}

# The possible faults of a route, in test order: the faults of each square, then the faults of the last square.
FAULTS = (
    "", "is out of its reach without a dash left", "is not a place that it may enter",
    "is beyond a corner that it may not cut", "is held by an enemy", "is nearer to what it fears",
    "is further than its dash goes", "is where it stands", "is taken by another",
)  # fmt: skip
SOUND, NO_DASH, NO_FOOTING, CORNER, HELD, DREADED, TOO_FAR, UNMOVED, TAKEN = range(len(FAULTS))


def read_route(fight: Any, i: int, squares: Sequence[Sequence[int]]) -> list[int]:
    """Return the directions of a route; raise IllegalAction if it is empty, has a gap or leads too far."""
    if not squares:
        raise IllegalAction(f"route: expected 1 to {MAX_ROUTE} squares, got none.")
    x, y = int(fight.fighters[i].x), int(fight.fighters[i].y)
    directions: list[int] = []
    for square in squares:
        if len(directions) == MAX_ROUTE:
            raise IllegalAction(
                f"route: expected at most {MAX_ROUTE} squares, got {len(squares)}; {_named(*square)} is the "
                "first beyond the limit."
            )
        step = square[0] - x, square[1] - y
        if step not in _DIRECTIONS:
            raise IllegalAction(
                f"route: expected squares that touch one another, got {_named(*square)} after {_named(x, y)}."
            )
        directions.append(_DIRECTIONS[step])
        x, y = square
    if max(abs(x - int(fight.fighters[i].x)), abs(y - int(fight.fighters[i].y))) > FASTEST:
        raise IllegalAction(f"route: expected squares at most {FASTEST} away, got {_named(x, y)}.")
    return directions


def refusal(fault: int, square: Sequence[int]) -> IllegalAction:
    """Return the error for a fault of a route at this square."""
    return IllegalAction(f"route: expected the squares of a legal dash, but {_named(*square)} {FAULTS[fault]}.")


def _named(x: int, y: int) -> str:
    return f"row {y}, column {x} (counted from 0)"


@kernel
def judge_route(fights, slot, i, found):
    """Write the first fault of fighter i's route and the index of its square; SOUND if there is none."""
    found[0], found[1] = find_fault(fights[slot], i)


@compiled
def find_fault(fight, i):
    """Trace the route as a dash would, without moving; return the first fault and the index of its square."""
    fighter = fight.fighters[i]
    if not (is_able(fight, i) and may_dash(fight, i)):
        return NO_DASH, 0
    budget = dash_budget(fight, i)
    x, y = np.int64(fighter.x), np.int64(fighter.y)
    spent = 0
    for k in range(fighter.route_length):
        dx, dy = STEP_X[fighter.route[k]], STEP_Y[fighter.route[k]]
        fault = find_fault_of_step(fight, i, x, y, dx, dy)
        if fault != SOUND and not (fighter.route_length == 1 and may_climb_out(fight, i, dx, dy)):
            return fault, k
        x, y = x + dx, y + dy
        if dreads(fight, i, x, y):
            return DREADED, k
        cost = step_cost(fight, i, x, y)
        spent += cost if k > 0 else min(cost, budget)
        if budget < 1 or spent > budget:
            return TOO_FAR, k
    last = fighter.route_length - 1
    if x == fighter.x and y == fighter.y:
        return UNMOVED, last
    return (SOUND, last) if is_vacant(fight, i, x, y) else (TAKEN, last)


@compiled
def find_fault_of_step(fight, i, x, y, dx, dy):
    """Return the fault of a step by (dx, dy) from square (x, y), or SOUND."""
    if not is_footing(fight, i, x + dx, y + dy):
        return NO_FOOTING
    if cuts_corner(fight, i, x, y, dx, dy):
        return CORNER
    return HELD if is_barred(fight, i, x + dx, y + dy) else SOUND
