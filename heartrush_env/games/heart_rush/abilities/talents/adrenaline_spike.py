"""Adrenaline Spike."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.unit import ability, figures, options
from heartrush_env.games.heart_rush.rules.abilities import ON_ACTION, answer, memo, remember, version
from heartrush_env.games.heart_rush.rules.terms import ABILITIES, ABILITY_DICE, OF_ABILITY
from heartrush_env.tabletop.rule import compiled

STEPS = figures("adrenaline_spike", "die_steps")
CAP = figures("adrenaline_spike", "cap")
DICE = np.array(ABILITY_DICE, np.int64)


@ability("adrenaline_spike", on=[ON_ACTION], picks=[options(*ABILITIES)], rulings=["R-197"])
class AdrenalineSpike:
    """The owner's next roll with one ability die has a larger die; the memo names the ability."""

    def may(fight, i, slot, target):
        for one in range(len(ABILITIES)):
            if grows(fight, i, slot, one):
                return True
        return False

    def may_pick(fight, i, slot, target, part, picked):
        return grows(fight, i, slot, picked)

    def do(fight, log, i, slot, target):
        remember(fight, i, slot, 1 + answer(fight, i, 0))

    def die_of(fight, i, slot, ability, die):
        return larger(die, version(fight, i, slot)) if memo(fight, i, slot) == 1 + ability else die

    def rolled(fight, i, slot, kind, other, roll):
        spend(fight, i, slot, roll.pool)

    def checked(fight, i, slot, kind, roll):
        spend(fight, i, slot, roll.pool)


@compiled
def larger(die, row):
    """Return the die with which a base (row 0) or a destiny version replaces another, which is never smaller."""
    place = np.searchsorted(DICE, die)
    return max(np.int64(die), min(CAP[row], DICE[min(place + STEPS[row], len(DICE) - 1)]))


@compiled
def grows(fight, i, slot, one):
    """Return whether one of fighter i's ability dice can grow."""
    die = np.int64(fight.fighters[i].ability[one])
    return larger(die, version(fight, i, slot)) > die


@compiled
def spend(fight, i, slot, pool):
    """Forget the ability once its die has been rolled."""
    spiked = memo(fight, i, slot)
    for k in range(pool.count):
        if spiked > 0 and pool.source[k] == OF_ABILITY + spiked - 1:
            remember(fight, i, slot, 0)
