"""The extra die for taking the same stance round after round, in the destiny version of three talents."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.rules.abilities import is_destined
from heartrush_env.games.heart_rush.rules.dice import add_bonus_dice
from heartrush_env.games.heart_rush.rules.terms import DIE_LADDER
from heartrush_env.tabletop.rule import compiled

SIDES = np.array(DIE_LADDER)


@compiled
def add_streak_die(fight, i, slot, stance, die):
    """Add the destiny version's die from the second round in a row in this stance; it grows each round after that."""
    fighter = fight.fighters[i]
    streak = 0
    while streak < len(fighter.reveals) and fighter.reveals[streak] == stance:
        streak += 1
    if not is_destined(fight, i, slot) or fighter.stance != stance or streak < 2:
        return
    size = 0
    while SIDES[size] < die:
        size += 1
    add_bonus_dice(fight.pool, 1, SIDES[min(len(SIDES) - 1, size + streak - 2)])
