"""Hottest Flames."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.unit import ability, figure
from heartrush_env.games.heart_rush.rules.abilities import note, notes
from heartrush_env.games.heart_rush.rules.terms import BURNING

DIE = figure("hottest_flames", "die")


@ability("hottest_flames", rulings=["R-254"], left_out="fire damage other than that of burning")
class HottestFlames:
    """A fire that the owner has lit burns with larger dice. The memo is the set of the creatures that it has lit."""

    def lights(fight, i, slot, victim):
        note(fight, i, slot, victim, True)

    def round_starts(fight, i, slot, log):
        for j in range(fight.n):
            if fight.fighters[j].levels[BURNING] == 0:
                note(fight, i, slot, j, False)

    def burns(fight, i, slot, victim, die):
        return max(die, np.int64(DIE)) if notes(fight, i, slot, victim) else die
