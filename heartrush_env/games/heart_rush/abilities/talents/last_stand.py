"""Last Stand."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.unit import ability, figures
from heartrush_env.games.heart_rush.rules.abilities import memo, remember
from heartrush_env.games.heart_rush.rules.dice import add_ability_bonus

DEFENSE = int(figures("last_stand", "defense_per_wound")[0])
RUSH = int(figures("last_stand", "rush_per_wound")[0])


@ability("last_stand", left_out="its destiny version's opportunity attack, since no window comes while hits land")
class LastStand:
    """The owner's wounds add to its defense rolls, and each new wound gives rush points in the next round."""

    def defense(fight, i, slot, striker, stance):
        wounds = np.int64(fight.fighters[i].wound_count)
        if wounds > 0:
            add_ability_bonus(fight.pool, DEFENSE * wounds)
        return 0

    def wounded(fight, i, slot, log, victim, striker, rank):
        if victim == i:
            remember(fight, i, slot, memo(fight, i, slot) + 1)

    def gains_rush(fight, i, slot):
        wounds = memo(fight, i, slot)
        remember(fight, i, slot, 0)
        return RUSH * wounds
