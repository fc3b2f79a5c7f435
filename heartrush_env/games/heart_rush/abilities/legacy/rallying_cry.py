"""Rallying Cry."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.legacy.cry_of_defiance import ENDS, end
from heartrush_env.games.heart_rush.abilities.unit import CREATURE, ability, figure, later, numbers, options
from heartrush_env.games.heart_rush.rules.abilities import (
    MOST_OPTIONS,
    ON_ACTION,
    answer,
    memo,
    note,
    notes,
    open_pick,
    remember,
)
from heartrush_env.games.heart_rush.rules.costs import spend_points
from heartrush_env.games.heart_rush.rules.cover import has_ally_within, is_ally_within
from heartrush_env.games.heart_rush.rules.sheet import has
from heartrush_env.games.heart_rush.rules.terms import (
    ATTACK,
    DIE_LADDER,
    MOST_FIGHTERS,
    N_CONDITIONS,
    NOBODY,
)
from heartrush_env.tabletop.rule import compiled

RANGE = figure("rallying_cry", "range_ft")
ADVANTAGE = figure("rallying_cry", "advantage")
BOLDER, ACTS, STRIKES, SHAKES_OFF = range(4)
KINDS = 4
ITSELF, ALLY = range(2)
POINTS, KIND, WHOM, WHICH = range(4)  # the parts of a use
SIDES = np.array(DIE_LADDER, np.int64)
PLAN = 1 << MOST_FIGHTERS  # a memo is the fighters whose next attack has advantage, plus this times the plan
KINDS_USED = KINDS * (1 << KINDS)  # a plan is the effect being given, the effects given, and the number left to give


@ability(
    "rallying_cry", on=[ON_ACTION], rulings=["R-123", "R-165", "R-195", "R-201"],
    picks=[
        numbers(),
        later(options("heart die", "action", "advantage", "no conditions")),
        later(options("itself", "an ally")),
        later(CREATURE),
    ],
)  # fmt: skip
class RallyingCry:
    """For each rush point, the owner gives itself or an ally in range one of four effects.

    The effects are a larger heart die, one more action, advantage on the next attack, and the end of all conditions. An
    effect comes again only when all four have been given.
    """

    def may(fight, i, slot, target):
        return fight.fighters[i].rush > 0

    def may_pick(fight, i, slot, target, part, picked):
        if part == POINTS:
            return 0 < picked <= fight.fighters[i].rush
        if part == KIND:
            return kinds_used(fight, i, slot) >> picked & 1 == 0
        if part == WHOM:
            return picked == ITSELF or has_ally_within(fight, i, RANGE)
        return is_ally_within(fight, i, picked, RANGE)

    def auto(fight, i, slot, target, part):
        return min(np.int64(fight.fighters[i].rush), MOST_OPTIONS - 1) if part == POINTS else np.int64(NOBODY)

    def do(fight, log, i, slot, target):
        spend_points(fight, log, i, answer(fight, i, POINTS))
        plan(fight, i, slot, answer(fight, i, POINTS), 0, 0)
        open_pick(fight, i, i, slot, KIND)

    def picked(fight, log, i, slot, who, part, picked):
        if part == KIND:
            plan(fight, i, slot, left(fight, i, slot), kinds_used(fight, i, slot), picked)
            open_pick(fight, i, i, slot, WHOM)
        elif part == WHOM and picked == ALLY:
            open_pick(fight, i, i, slot, WHICH)
        else:
            other = np.int64(i) if part == WHOM else np.int64(picked)
            kind = memo(fight, i, slot) // PLAN % KINDS
            used = (kinds_used(fight, i, slot) | np.int64(1) << kind) % ((1 << KINDS) - 1)
            plan(fight, i, slot, left(fight, i, slot) - 1, used, 0)
            if kind == STRIKES:
                note(fight, i, slot, other, True)
            else:
                rally(fight, other, kind)
            if left(fight, i, slot) > 0:
                open_pick(fight, i, i, slot, KIND)

    def attack_of(fight, i, slot, striker, target, stance):
        return ADVANTAGE if notes(fight, i, slot, striker) else 0

    def rolled_by(fight, i, slot, who, kind, other, roll):
        if kind == ATTACK:
            note(fight, i, slot, who, False)


@compiled
def plan(fight, i, slot, points, used, kind):
    """Remember the number of effects left to give, the effects given in this turn of all four, and the one to give."""
    advantaged = memo(fight, i, slot) % PLAN
    remember(fight, i, slot, ((points << KINDS | used) * KINDS + kind) * PLAN + advantaged)


@compiled
def kinds_used(fight, i, slot):
    """Return the set of effects that have been given and come again only after all four."""
    return memo(fight, i, slot) // PLAN // KINDS % (1 << KINDS)


@compiled
def left(fight, i, slot):
    """Return how many effects are left to give."""
    return memo(fight, i, slot) // PLAN // KINDS_USED


@compiled
def rally(fight, i, kind):
    """Give fighter i a larger heart die, one more action, or the end of its conditions."""
    fighter = fight.fighters[i]
    if kind == BOLDER and fighter.heart < fighter.heart_max:
        fighter.heart = SIDES[np.searchsorted(SIDES, np.int64(fighter.heart)) + 1]
        fighter.phase_heart = fighter.heart
    elif kind == ACTS:
        fighter.action = 1
    elif kind == SHAKES_OFF:
        for condition in range(N_CONDITIONS):
            if ENDS[condition] and has(fighter, condition):
                end(fight, i, condition)
