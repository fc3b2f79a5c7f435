"""I Don't Think So."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.unit import DIRECTION, ability, figure, later, options
from heartrush_env.games.heart_rush.rules.abilities import ON_ACTION, open_pick
from heartrush_env.games.heart_rush.rules.conditions import inflict
from heartrush_env.games.heart_rush.rules.maneuvers.climb_on import end_contacts_out_of_reach
from heartrush_env.games.heart_rush.rules.maneuvers.grapple import drag, wins_grapple
from heartrush_env.games.heart_rush.rules.movement import (
    DIRECTIONS,
    STEP_X,
    STEP_Y,
    cuts_corner,
    is_carried_by,
    is_stoppable,
)
from heartrush_env.games.heart_rush.rules.parts import bearer_of
from heartrush_env.games.heart_rush.rules.places import go
from heartrush_env.games.heart_rush.rules.sheet import has
from heartrush_env.games.heart_rush.rules.space import distance_from, on_map
from heartrush_env.games.heart_rush.rules.terms import DAZED, NOBODY, OFF_BALANCED, PRONE, WEAKENED
from heartrush_env.games.heart_rush.state.events import BY_DRAGGING
from heartrush_env.tabletop.rule import compiled

LEVELS = figure("i_dont_think_so", "impair")
WHAT, WHERE = range(2)  # the parts
MOVES, FALLS, IMPAIRS = range(3)  # the options; from IMPAIRS on, they are impairments
IMPAIRMENTS = np.array([DAZED, OFF_BALANCED, WEAKENED])


@ability(
    "i_dont_think_so", on=[ON_ACTION], rulings=["R-244"], left_out="the silence",
    picks=[
        later(options("move it", "fall prone with it", "dazed", "off-balanced", "weakened")), later(DIRECTION),
    ],
)  # fmt: skip
class IDontThinkSo:
    """If the owner wins a grapple check against its captive, it moves it a square, falls with it or impairs it."""

    def may(fight, i, slot, target):
        return fight.fighters[i].grappling != NOBODY

    def do(fight, log, i, slot, target):
        if wins_grapple(fight, log, i, fight.fighters[i].grappling, 0):
            open_pick(fight, i, i, slot, WHAT)

    def may_pick(fight, i, slot, who, part, picked):
        held = fight.fighters[i].grappling
        if held == NOBODY:
            return False
        if part == WHERE:
            return may_shift(fight, i, held, picked)
        return picked != MOVES or (not has(fight.fighters[i], PRONE) and may_shift_at_all(fight, i, held))

    def auto(fight, i, slot, who, part):
        return FALLS if part == WHAT else NOBODY

    def picked(fight, log, i, slot, who, part, picked):
        held = np.int64(fight.fighters[i].grappling)
        if part == WHERE:
            shift_captive(fight, log, held, picked)
        elif picked == MOVES:
            open_pick(fight, i, i, slot, WHERE)
        elif picked == FALLS:
            inflict(fight, i, i, PRONE, 1)
            inflict(fight, i, held, PRONE, 1)
        else:
            inflict(fight, i, held, IMPAIRMENTS[picked - IMPAIRS], LEVELS)


@on_map(False)
@compiled
def may_shift_at_all(fight, i, held):
    """Return whether the owner may move its captive in any direction."""
    for direction in range(DIRECTIONS):
        if may_shift(fight, i, held, direction):
            return True
    return False


@on_map(False)
@compiled
def may_shift(fight, i, held, direction):
    """Return whether the captive may stay one square away in this direction, still next to the owner."""
    if bearer_of(fight, held) != NOBODY or is_carried_by(fight, i, held):
        return False
    x, y = np.int64(fight.fighters[held].x), np.int64(fight.fighters[held].y)
    dx, dy = STEP_X[direction], STEP_Y[direction]
    if cuts_corner(fight, held, x, y, dx, dy) or not is_stoppable(fight, held, x + dx, y + dy):
        return False
    return distance_from(fight, held, x + dx, y + dy, i) <= 1


@on_map(None)
@compiled
def shift_captive(fight, log, held, direction):
    """Move the captive one square; it drags along what it holds."""
    x, y = np.int64(fight.fighters[held].x), np.int64(fight.fighters[held].y)
    go(fight, log, held, x + STEP_X[direction], y + STEP_Y[direction], BY_DRAGGING)
    drag(fight, log, held, x, y)
    end_contacts_out_of_reach(fight)
