"""Cinch Down."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.unit import ability, later, numbers, options
from heartrush_env.games.heart_rush.rules.abilities import (
    MOST_OPTIONS,
    ON_ACTION,
    answer,
    fighter_named,
    memo,
    open_pick,
    remember,
)
from heartrush_env.games.heart_rush.rules.action_phase import is_able
from heartrush_env.games.heart_rush.rules.costs import spend_action, spend_points
from heartrush_env.games.heart_rush.rules.hits import add_late_hit
from heartrush_env.games.heart_rush.rules.stances import has_action_left
from heartrush_env.games.heart_rush.rules.terms import BREAK_FREE, FROM_ABILITY, MIGHT, MOST_FIGHTERS, NOBODY
from heartrush_env.tabletop.rng import roll_sum
from heartrush_env.tabletop.rule import compiled

POINTS, SQUEEZE = range(2)  # the parts
PLACES = 2 * MOST_FIGHTERS  # the memo is this times the points, plus one more than the captive


@ability(
    "cinch_down", on=[ON_ACTION], rulings=["R-195", "R-245"],
    picks=[numbers(), later(options("squeeze with the action"), optional=True)],
)  # fmt: skip
class CinchDown:
    """For rush points, the owner's captive finds it harder to break free, is restrained further and can be squeezed.

    Each point is a level of each. A squeeze costs the action and deals a might die for each point. The memo encodes the
    points and the captive.
    """

    def may(fight, i, slot, target):
        fighter = fight.fighters[i]
        return fighter.rush > 0 and fighter.grappling != NOBODY

    def may_pick(fight, i, slot, target, part, picked):
        if part == POINTS:
            return 0 < picked <= fight.fighters[i].rush
        return points_on_captive(fight, i, slot) > 0 and is_able(fight, i) and has_action_left(fight.fighters[i])

    def auto(fight, i, slot, target, part):
        return min(np.int64(fight.fighters[i].rush), MOST_OPTIONS - 1) if part == POINTS else np.int64(0)

    def do(fight, log, i, slot, target):
        points = answer(fight, i, POINTS)
        spend_points(fight, log, i, points)
        remember(fight, i, slot, PLACES * points + 1 + fight.fighters[i].grappling)
        open_pick(fight, i, i, slot, SQUEEZE)

    def round_starts(fight, i, slot, log):
        forget_lost_captive(fight, i, slot)
        if memo(fight, i, slot) > 0:
            open_pick(fight, i, i, slot, SQUEEZE)

    def revealed(fight, i, slot, log):
        forget_lost_captive(fight, i, slot)

    def picked(fight, log, i, slot, who, part, picked):
        fighter = fight.fighters[i]
        spend_action(fighter)
        damage = roll_sum(fight, points_on_captive(fight, i, slot), np.int64(fighter.ability[MIGHT]))
        add_late_hit(fight, np.int64(fighter.grappling), i, FROM_ABILITY, damage)

    def grips(fight, i, slot):
        return points_on_captive(fight, i, slot)

    def contest_of(fight, i, slot, roller, other, deed, tries):
        keeps = roller == i and deed == BREAK_FREE and not tries
        return points_on_captive(fight, i, slot) if keeps else np.int64(0)


@compiled
def points_on_captive(fight, i, slot):
    """Return the points spent on the creature that fighter i holds; 0 if it holds no such creature."""
    held = fighter_named(fight, memo(fight, i, slot) % PLACES)
    return memo(fight, i, slot) // PLACES if held != NOBODY and held == fight.fighters[i].grappling else np.int64(0)


@compiled
def forget_lost_captive(fight, i, slot):
    """Forget a creature that has escaped."""
    if points_on_captive(fight, i, slot) == 0:
        remember(fight, i, slot, 0)
