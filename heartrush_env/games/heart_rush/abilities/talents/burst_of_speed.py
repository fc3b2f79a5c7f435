"""Burst of Speed."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.unit import ability, figures
from heartrush_env.games.heart_rush.rules.abilities import ON_ACTION, is_destined, memo_for, remember_now
from heartrush_env.games.heart_rush.rules.conditions import inflict
from heartrush_env.games.heart_rush.rules.terms import FEET, SLOWED, STANDING

FURTHER = int(figures("burst_of_speed", "extra_ft")[0]) // FEET  # squares
LEVELS = int(figures("burst_of_speed", "slowed")[0])
RUNS = 1  # the memo in a round of its use


@ability(
    "burst_of_speed", on=[ON_ACTION], per_round=(1, 1), needs="cells", rulings=["R-206"],
    left_out="running along walls and ceilings, since maps are flat",
)  # fmt: skip
class BurstOfSpeed:
    """For one round, the owner may dash again, less far, and is slowed when the round ends.

    In the destiny version, none of its dashes of the round gives an opportunity after that.
    """

    def may(fight, i, slot, target):
        return not fight.fighters[i].dash

    def do(fight, log, i, slot, target):
        fight.fighters[i].dash = True
        fight.fighters[i].stood = False
        remember_now(fight, i, slot, RUNS)

    def speed_of(fight, i, slot, mover, holding, squares):
        shorter = mover == i and not holding and fight.fighters[i].dash and memo_for(fight, i, slot, 1) == RUNS
        return min(squares, np.int64(FURTHER)) if shorter else squares

    def escapes(fight, i, slot, mover, enemy, leaves):
        return mover == i and is_destined(fight, i, slot) and memo_for(fight, i, slot, 1) == RUNS

    def round_ends(fight, i, slot, log):
        if fight.fighters[i].status == STANDING and memo_for(fight, i, slot, 1) == RUNS:
            inflict(fight, i, i, SLOWED, LEVELS)

    def holds(fight, i, slot, victim, condition):
        ran_last = victim == i and condition == SLOWED and memo_for(fight, i, slot, 2) == RUNS
        return LEVELS if ran_last and memo_for(fight, i, slot, 1) == 0 else 0
