"""Perfect Defense."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.unit import ability, figures
from heartrush_env.games.heart_rush.rules.abilities import version
from heartrush_env.games.heart_rush.rules.dice import add_ability_bonus, kept_dice, sides_of
from heartrush_env.games.heart_rush.rules.terms import DEFENSE
from heartrush_env.tabletop.rule import compiled

ADVANTAGE = figures("perfect_defense", "advantage")


@ability("perfect_defense", rulings=["R-106"])
class PerfectDefense:
    """If a die of the owner's defense roll shows its maximum, another die of the roll counts twice.

    In the destiny version, defense rolls have advantage.
    """

    def rolled(fight, i, slot, kind, other, roll):
        if kind == DEFENSE:
            largest = largest_beside_a_maximum(roll)
            add_ability_bonus(roll.pool, largest)
            roll.total += largest

    def defense(fight, i, slot, striker, stance):
        return ADVANTAGE[version(fight, i, slot)]


@compiled
def largest_beside_a_maximum(roll):
    """Return the largest result that counts besides one die at its maximum, or 0 if no die is at its maximum."""
    found, kept = np.int64(0), kept_dice(roll)
    for k in range(roll.count):
        if kept >> k & 1 and roll.results[k] == sides_of(roll, k):
            for other in range(roll.count):
                if other != k and kept >> other & 1:
                    found = max(found, np.int64(roll.results[other]))
    return found
