"""Crippling Blows."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.held import strikes_heavily
from heartrush_env.games.heart_rush.abilities.unit import ability, figure, options
from heartrush_env.games.heart_rush.engine.strikes import STRIKE_RANKS
from heartrush_env.games.heart_rush.rules.abilities import ON_LANDED, Aim, answer, memo, remember
from heartrush_env.games.heart_rush.rules.conditions import inflict
from heartrush_env.games.heart_rush.rules.contests import sizes_larger
from heartrush_env.games.heart_rush.rules.forced_movement import knock_aside
from heartrush_env.games.heart_rush.rules.parts import body_of
from heartrush_env.games.heart_rush.rules.sheet import bit
from heartrush_env.games.heart_rush.rules.space import plays_on_map
from heartrush_env.games.heart_rush.rules.terms import (
    BY_ATTACK,
    FEET,
    FROM_OPPORTUNITY,
    MOST_FIGHTERS,
    NOBODY,
    PRONE,
    WEAKENED,
)
from heartrush_env.tabletop.rule import compiled

LEVELS = figure("crippling_blows", "weakened")
SQUARES = figure("crippling_blows", "push_ft") // FEET
SIZES_TO_FELL = 1  # of a target that falls prone
BEAT_DOWN, SMASH = range(2)  # the options, and two of the three sets of fighters that the memo holds
PINNED = 2  # the third set: those that cannot sidestep until the next round


@ability(
    "crippling_blows", on=[ON_LANDED], aim=Aim.ENEMY, rulings=["R-242"],
    picks=[options("beat it down", "knock it away")],
)  # fmt: skip
class CripplingBlows:
    """A target that the owner's heavy melee weapon has just hurt is beaten down or knocked away.

    One that is beaten down cannot sidestep until the next round and falls prone or, if it is more than one size larger,
    is weakened. The memo holds three sets of fighters: those to beat down, those to knock away, and those that cannot
    sidestep.
    """

    def may(fight, i, slot, target):
        return has_just_hurt(fight, i, target) and strikes_heavily(fight, i, target)

    def may_pick(fight, i, slot, target, part, picked):
        return picked == BEAT_DOWN or (plays_on_map(fight) and body_of(fight, target) == NOBODY)

    def do(fight, log, i, slot, target):
        add_to(fight, i, slot, answer(fight, i, 0), target)

    def effect(fight, i, slot, log, target):
        if is_in(fight, i, slot, BEAT_DOWN, target):
            add_to(fight, i, slot, PINNED, target)
            if sizes_larger(fight, i, target) <= SIZES_TO_FELL:
                inflict(fight, i, target, PRONE, 1)
            else:
                inflict(fight, i, target, WEAKENED, LEVELS)
        elif is_in(fight, i, slot, SMASH, target):
            knock_aside(fight, log, i, target, np.int64(SQUARES))
        remember(fight, i, slot, memo(fight, i, slot) & ~(bit(target) | bit(target) << np.int64(MOST_FIGHTERS)))

    def stays(fight, i, slot, mover):
        return is_in(fight, i, slot, PINNED, mover)

    def round_starts(fight, i, slot, log):
        remember(fight, i, slot, 0)


@compiled
def has_just_hurt(fight, i, target):
    """Return whether an attack of fighter i has done one of the hits that have just landed on the target."""
    for k in range(fight.hit_count):
        hit = fight.hits[k]
        landed = hit.target == target and hit.number == fight.hit_number - 1 and hit.amount > 0
        if landed and hit.striker == i and hit.cause in BY_ATTACK and is_of_own_attack(fight, i, hit):
            return True
    return False


@compiled
def is_of_own_attack(fight, i, hit):
    """Return whether a hit comes from an attack of fighter i, and not from its answer to an attack in a contest."""
    fighter = fight.fighters[i]
    if hit.cause == FROM_OPPORTUNITY or not fighter.answered_at >> hit.target & 1:
        return fighter.struck_at >> hit.target & 1 == 1
    return hit.rank // STRIKE_RANKS == fighter.turn


@compiled
def is_in(fight, i, slot, which, other):
    """Return whether a fighter is in this set of the memo."""
    return memo(fight, i, slot) >> np.int64(MOST_FIGHTERS * which + other) & 1 == 1


@compiled
def add_to(fight, i, slot, which, other):
    """Add a fighter to this set of the memo."""
    remember(fight, i, slot, memo(fight, i, slot) | np.int64(1) << np.int64(MOST_FIGHTERS * which + other))
