"""Devastation Strike."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.unit import ability, dice, numbers
from heartrush_env.games.heart_rush.rules.abilities import ANY_MOMENT, SLOTS, answer, memo, remember
from heartrush_env.games.heart_rush.rules.costs import spend_points
from heartrush_env.games.heart_rush.rules.dice import throw_further
from heartrush_env.games.heart_rush.rules.sheet import bit
from heartrush_env.games.heart_rush.rules.terms import ATTACK
from heartrush_env.tabletop.rule import compiled

PER_POINT, SIDES = dice("devastation_strike", "die_per_rush")[0].tolist()
MOST_POINTS = 20
POINTS = 1 << SLOTS
ROUND = POINTS * (MOST_POINTS + 1)


@ability("devastation_strike", on=ANY_MOMENT, rulings=["R-195"], picks=[numbers(MOST_POINTS)])
class DevastationStrike:
    """For this round, the owner's next attack has a die for each rush point, and each minor ability is free once.

    The memo encodes the round, the points that wait for the attack, and the set of slots whose free use is gone.
    """

    def may_pick(fight, i, slot, target, part, picked):
        return picked <= fight.fighters[i].rush

    def auto(fight, i, slot, target, part):
        return min(np.int64(fight.fighters[i].rush), MOST_POINTS)

    def do(fight, log, i, slot, target):
        points = answer(fight, i, 0)
        if points > 0:
            spend_points(fight, log, i, points)
        remember(fight, i, slot, np.int64(fight.round_number) * ROUND + points * POINTS)

    def price(fight, i, slot, used, points):
        is_free = is_devastating(fight, i, slot) and memo(fight, i, slot) % POINTS & bit(used) == 0
        return np.int64(0) if is_free else points

    def has_used(fight, i, slot, log, used, price):
        if is_devastating(fight, i, slot):
            remember(fight, i, slot, memo(fight, i, slot) | bit(used))

    def rolled(fight, i, slot, kind, other, roll):
        if kind == ATTACK and is_devastating(fight, i, slot):
            points = memo(fight, i, slot) % ROUND // POINTS
            remember(fight, i, slot, memo(fight, i, slot) - points * POINTS)
            throw_further(fight, roll, points * PER_POINT, SIDES)


@compiled
def is_devastating(fight, i, slot):
    """Return whether fighter i has used the ability in this round."""
    return memo(fight, i, slot) // ROUND == fight.round_number
