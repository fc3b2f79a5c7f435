"""Predator."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.unit import DIRECTION, ability
from heartrush_env.games.heart_rush.rules.abilities import (
    MINUTE,
    ON_ACTION,
    Aim,
    answer,
    is_destined,
    memo,
    remember,
)
from heartrush_env.games.heart_rush.rules.maneuvers.climb_on import end_contacts_out_of_reach
from heartrush_env.games.heart_rush.rules.movement import (
    DIRECTIONS,
    STEP_X,
    STEP_Y,
    drop_squares,
    has_wall,
    is_vacant,
)
from heartrush_env.games.heart_rush.rules.parts import bearer_of
from heartrush_env.games.heart_rush.rules.places import go
from heartrush_env.games.heart_rush.rules.terms import MOST_FIGHTERS, NOBODY
from heartrush_env.games.heart_rush.state.events import BY_TELEPORT
from heartrush_env.tabletop.rule import compiled

COUNT_BITS = 4  # of the memo for each creature: the rounds for which the owner still smells it
LARGEST_COUNT = (1 << COUNT_BITS) - 1


@ability("predator", on=[ON_ACTION], aim=Aim.ENEMY, needs="cells", rulings=["R-208"], picks=[DIRECTION])
class Predator:
    """The owner appears next to a creature that it has damaged in the last minute, or in destiny, in this fight."""

    def may(fight, i, slot, target):
        if rounds_left(fight, i, slot, target) == 0 or bearer_of(fight, i) != NOBODY:
            return False
        for direction in range(DIRECTIONS):
            if may_appear(fight, i, target, direction):
                return True
        return False

    def may_pick(fight, i, slot, target, part, picked):
        return may_appear(fight, i, target, picked)

    def do(fight, log, i, slot, target):
        x, y = place_beside(fight, i, target, answer(fight, i, 0))
        go(fight, log, i, x, y, BY_TELEPORT)
        fight.fighters[i].moved = True
        end_contacts_out_of_reach(fight)

    def damaged(fight, i, slot, log, victim, striker, cause, damage):
        if striker == i and victim != i and damage > 0:
            smell(fight, i, slot, victim, MINUTE)

    def round_starts(fight, i, slot, log):
        for j in range(MOST_FIGHTERS):
            left = rounds_left(fight, i, slot, j)
            if left > 0 and not is_destined(fight, i, slot):
                smell(fight, i, slot, j, left - 1)


@compiled
def rounds_left(fight, i, slot, j):
    """Return for how many rounds, this one included, the owner may still appear next to fighter j."""
    return memo(fight, i, slot) >> np.int64(COUNT_BITS * j) & LARGEST_COUNT


@compiled
def smell(fight, i, slot, j, rounds):
    """Remember for how many rounds the owner may appear next to fighter j."""
    others = memo(fight, i, slot) & ~(np.int64(LARGEST_COUNT) << np.int64(COUNT_BITS * j))
    remember(fight, i, slot, others | np.int64(rounds) << np.int64(COUNT_BITS * j))


@compiled
def place_beside(fight, i, target, direction):
    """Return the place of fighter i next to a creature, in this direction from it."""
    other, side = fight.fighters[target], np.int64(fight.fighters[i].side)
    x, y = np.int64(other.x), np.int64(other.y)
    if STEP_X[direction] != 0:
        x += np.int64(other.side) if STEP_X[direction] > 0 else -side
    if STEP_Y[direction] != 0:
        y += np.int64(other.side) if STEP_Y[direction] > 0 else -side
    return x, y


@compiled
def may_appear(fight, i, target, direction):
    """Return whether fighter i has room and firm ground next to a creature in this direction, and is not there yet."""
    x, y = place_beside(fight, i, target, direction)
    if has_wall(fight, i, x, y) or drop_squares(fight, i, x, y) > 0 or not is_vacant(fight, i, x, y):
        return False
    return x != fight.fighters[i].x or y != fight.fighters[i].y
