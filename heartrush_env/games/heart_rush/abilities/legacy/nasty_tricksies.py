"""Nasty Tricksies."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.hinders import may_hinder
from heartrush_env.games.heart_rush.abilities.in_place import (
    DETAILS,
    SET,
    detail_of,
    forget_deed,
    has_planned,
    plan_deed,
    take_target,
)
from heartrush_env.games.heart_rush.abilities.unit import ability, numbers, options
from heartrush_env.games.heart_rush.rules.abilities import (
    MOST_OPTIONS,
    ON_PHASE,
    Aim,
    answer,
    fighter_named,
    memo,
    remember,
)
from heartrush_env.games.heart_rush.rules.conditions import inflict
from heartrush_env.games.heart_rush.rules.costs import spend_points
from heartrush_env.games.heart_rush.rules.cunning import IMPAIRING
from heartrush_env.games.heart_rush.rules.maneuvers.hinder import blind
from heartrush_env.games.heart_rush.rules.sheet import has
from heartrush_env.games.heart_rush.rules.space import plays_on_map
from heartrush_env.games.heart_rush.rules.terms import BLINDED, MOST_FIGHTERS, NOBODY, STANDING, STUNNED
from heartrush_env.tabletop.rule import compiled

WORDS = (
    "dazed for good", "off-balanced for good", "weakened for good", "stunned", "blinded", "blinded for good",
    "slower for good",
)  # fmt: skip
STUNNING, BLINDING, BLINDING_FOR_GOOD, SLOWING = range(3, 7)
POINTS = np.array([1, 1, 1, 2, 1, 3, 1])  # rush points for each level, round or square, by trick
CREATURES = 2 * MOST_FIGHTERS
LEAST_SQUARES = 1  # of speed


@ability(
    "nasty_tricksies", on=[ON_PHASE], aim=Aim.ENEMY, rulings=["R-195", "R-248", "R-251"],
    picks=[options(*WORDS), numbers()],
)  # fmt: skip
class NastyTricksies:
    """For rush points, a hinder of the owner stuns for rounds, blinds, or impairs, blinds or slows for good instead.

    The memo holds the hinder, and then what lasts of it: the creature, the trick, and its levels, squares or rounds.
    """

    def may(fight, i, slot, target):
        return fight.fighters[i].rush > 0 and may_hinder(fight, i, target)

    def may_pick(fight, i, slot, target, part, picked):
        rush = fight.fighters[i].rush
        if part == 0:
            return POINTS[picked] <= rush and (picked != SLOWING or plays_on_map(fight))
        return POINTS[answer(fight, i, 0)] <= picked <= rush

    def auto(fight, i, slot, target, part):
        return min(np.int64(fight.fighters[i].rush), MOST_OPTIONS - 1) if part == 1 else np.int64(NOBODY)

    def do(fight, log, i, slot, target):
        points = answer(fight, i, 1)
        spend_points(fight, log, i, points)
        plan_deed(fight, i, slot, target, answer(fight, i, 0) * MOST_OPTIONS + points)

    refrains = has_planned
    engagement_ends = forget_deed

    def applies(fight, i, slot, log):
        target = take_target(fight, i, slot)
        if target == NOBODY:
            return
        trick = min(SLOWING, detail_of(fight, i, slot) // MOST_OPTIONS)
        amount = detail_of(fight, i, slot) % MOST_OPTIONS // POINTS[trick]
        if trick == STUNNING:
            amount = inflict(fight, i, target, STUNNED, 1) * (amount - 1)
        elif trick == BLINDING:
            blind(fight, i, target, amount)
        elif trick != SLOWING:
            amount = inflict(fight, i, target, condition_of(trick), amount)
        keep(fight, i, slot, target, trick, amount)

    def holds(fight, i, slot, victim, condition):
        trick = kept_trick(fight, i, slot)
        if kept_target(fight, i, slot) != victim or trick == STUNNING or trick == BLINDING or trick == SLOWING:
            return 0
        if condition_of(trick) != condition:
            return 0
        waits = condition == BLINDED and fight.fighters[victim].fresh_blinded and not fight.rules.fading_uniform
        return 0 if waits else kept_amount(fight, i, slot)

    def round_ends(fight, i, slot, log):
        target = kept_target(fight, i, slot)
        if target != NOBODY and kept_trick(fight, i, slot) == STUNNING and not has(fight.fighters[target], STUNNED):
            keep(fight, i, slot, target, STUNNING, 0)

    def round_starts(fight, i, slot, log):
        target, rounds, trick = kept_target(fight, i, slot), kept_amount(fight, i, slot), kept_trick(fight, i, slot)
        if target == NOBODY or rounds == 0 or trick == SLOWING or trick == BLINDING:
            return
        if trick != STUNNING:  # what has been lost does not come back
            left = np.int64(fight.fighters[target].levels[condition_of(trick)])
            keep(fight, i, slot, target, trick, min(rounds, left))
            return
        keep(fight, i, slot, target, STUNNING, rounds - 1)
        if fight.fighters[target].status == STANDING:
            inflict(fight, i, target, STUNNED, 1)

    def speed_of(fight, i, slot, mover, holding, squares):
        if holding or kept_target(fight, i, slot) != mover or kept_trick(fight, i, slot) != SLOWING:
            return squares
        return max(min(squares, np.int64(LEAST_SQUARES)), squares - kept_amount(fight, i, slot))


@compiled
def condition_of(trick):
    """Return the condition that a trick gives for good."""
    return np.int64(BLINDED) if trick == BLINDING_FOR_GOOD else np.int64(IMPAIRING[trick])


@compiled
def keep(fight, i, slot, target, trick, amount):
    """Remember what lasts of the trick: the creature, the trick, and its levels, squares or further rounds."""
    lasts = (max(0, amount) * (DETAILS // MOST_OPTIONS) + trick) * CREATURES + 1 + target
    remember(fight, i, slot, memo(fight, i, slot) // SET * SET + lasts)


@compiled
def kept_target(fight, i, slot):
    """Return the creature that the trick was played on, or NOBODY."""
    return fighter_named(fight, memo(fight, i, slot) % CREATURES)


@compiled
def kept_trick(fight, i, slot):
    """Return the trick that was played."""
    return min(SLOWING, memo(fight, i, slot) // CREATURES % (DETAILS // MOST_OPTIONS))


@compiled
def kept_amount(fight, i, slot):
    """Return the levels, squares or further rounds of the trick."""
    return memo(fight, i, slot) % SET // CREATURES // (DETAILS // MOST_OPTIONS)
