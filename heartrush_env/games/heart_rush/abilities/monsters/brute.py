"""An ability of the Brute template: Toughness."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.unit import ability, later, options
from heartrush_env.games.heart_rush.rules.abilities import memo, open_pick, remember
from heartrush_env.games.heart_rush.rules.sheet import damage_type, halved
from heartrush_env.games.heart_rush.rules.terms import DAMAGE_TYPES, NO_DAMAGE_TYPE


@ability("brute.toughness", rulings=["R-10", "R-186"], picks=[later(options(*DAMAGE_TYPES[:NO_DAMAGE_TYPE]))])
class Toughness:
    """Damage to the owner from attacks of one damage type, chosen as the fight begins, is halved, rounded up.

    The memo is one more than the damage type.
    """

    def round_starts(fight, i, slot, log):
        if fight.round_number == 1:
            open_pick(fight, i, i, slot, 0)

    def auto(fight, i, slot, who, part):
        """Return the damage type of most enemies; of equally many, the first."""
        chosen, most = np.int64(0), np.int64(0)
        for kind in range(NO_DAMAGE_TYPE):
            count = np.int64(0)
            for j in range(fight.n):
                if fight.fighters[j].team != fight.fighters[i].team and damage_type(fight.fighters[j]) == kind:
                    count += 1
            if count > most:
                chosen, most = np.int64(kind), count
        return chosen

    def picked(fight, log, i, slot, who, part, picked):
        remember(fight, i, slot, 1 + picked)

    def cuts(fight, i, slot, striker, cause, damage):
        return halved(damage) if memo(fight, i, slot) == 1 + damage_type(fight.fighters[striker]) else damage
