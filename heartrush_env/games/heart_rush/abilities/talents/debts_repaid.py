"""Debts Repaid."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.unit import ability, figures
from heartrush_env.games.heart_rush.rules.abilities import memo, remember, version
from heartrush_env.games.heart_rush.rules.terms import NOBODY
from heartrush_env.tabletop.rule import compiled

RANKS = figures("debts_repaid", "ranks")
BITS = 3  # bits of a memo that count one striker's wounds
MOST = (1 << BITS) - 1


@ability("debts_repaid", rulings=["R-130"])
class DebtsRepaid:
    """The owner's wounds lose ranks when the creature that dealt them dies."""

    def wounded(fight, i, slot, log, victim, striker, rank):
        """Count the wounds that each creature has dealt to the owner."""
        if victim == i and striker != NOBODY and wounds_by(memo(fight, i, slot), striker) < MOST:
            remember(fight, i, slot, memo(fight, i, slot) + (np.int64(1) << np.int64(BITS * striker)))

    def died(fight, i, slot, victim):
        fighter = fight.fighters[i]
        ranks = RANKS[version(fight, i, slot)] * wounds_by(memo(fight, i, slot), victim)
        fighter.wounds -= min(np.int64(fighter.wounds), ranks)
        remember(fight, i, slot, memo(fight, i, slot) & ~(np.int64(MOST) << np.int64(BITS * victim)))


@compiled
def wounds_by(counts, striker):
    """Return the number of wounds that one creature has dealt, from a memo's counts."""
    return counts >> np.int64(BITS * striker) & MOST
