"""Harass."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.talents.lockdown import ALL, was_hit
from heartrush_env.games.heart_rush.abilities.unit import ability
from heartrush_env.games.heart_rush.rules.abilities import memo, remember
from heartrush_env.games.heart_rush.rules.sheet import bit
from heartrush_env.games.heart_rush.rules.space import is_beside_wall
from heartrush_env.games.heart_rush.rules.terms import MOST_FIGHTERS


@ability(
    "harass", needs="cells", rulings=["R-204"],
    left_out="the opportunity attack that the owner may choose instead, and its price in the destiny version",
)  # fmt: skip
class Harass:
    """A creature beside a wall that the owner attacks in the engagement cannot sidestep until the next round ends.

    The memo is the set of such creatures of this round and, in higher bits, that of the last one.
    """

    def effect(fight, i, slot, log, target):
        if fight.engaged and is_beside_wall(fight, target):
            remember(fight, i, slot, memo(fight, i, slot) | bit(target))

    def round_starts(fight, i, slot, log):
        remember(fight, i, slot, (memo(fight, i, slot) & ALL) << np.int64(MOST_FIGHTERS))

    def stays(fight, i, slot, mover):
        return was_hit(fight, i, slot, mover, 2)
