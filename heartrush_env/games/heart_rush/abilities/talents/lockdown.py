"""Lockdown."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.unit import ability, figures
from heartrush_env.games.heart_rush.rules.abilities import is_destined, memo, remember, version
from heartrush_env.games.heart_rush.rules.conditions import inflict_from
from heartrush_env.games.heart_rush.rules.sheet import bit
from heartrush_env.games.heart_rush.rules.terms import AGGRAVATED, FROM_OPPORTUNITY, MOST_FIGHTERS
from heartrush_env.tabletop.rule import compiled

LEVELS = figures("lockdown", "aggravated")
ALL = (1 << MOST_FIGHTERS) - 1


@ability("lockdown", rulings=["R-204"])
class Lockdown:
    """A creature that the owner's opportunity attack hits is aggravated, and its speed is 0 until the round ends.

    In the destiny version, it cannot sidestep until the end of the next round either. The memo is the set of the
    creatures hit in this round and, in higher bits, the set of those hit in the last one.
    """

    def damaged(fight, i, slot, log, victim, striker, cause, damage):
        if striker == i and cause == FROM_OPPORTUNITY:
            remember(fight, i, slot, memo(fight, i, slot) | bit(victim))
            inflict_from(fight, i, victim, AGGRAVATED, LEVELS[version(fight, i, slot)])

    def round_starts(fight, i, slot, log):
        remember(fight, i, slot, (memo(fight, i, slot) & ALL) << np.int64(MOST_FIGHTERS))

    def speed_of(fight, i, slot, mover, holding, squares):
        return np.int64(0) if was_hit(fight, i, slot, mover, 1) else squares

    def stays(fight, i, slot, mover):
        return was_hit(fight, i, slot, mover, 2) and is_destined(fight, i, slot)


@compiled
def was_hit(fight, i, slot, other, rounds):
    """Return whether the owner's opportunity attack has hit a creature in this round or, if `rounds` is 2, the last."""
    hit = memo(fight, i, slot)
    return hit >> np.int64(other) & 1 == 1 or (rounds > 1 and hit >> np.int64(MOST_FIGHTERS + other) & 1 == 1)
