"""Blood Bond."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.talents.rejuvenate import TEN
from heartrush_env.games.heart_rush.abilities.unit import ability, figures, options
from heartrush_env.games.heart_rush.rules.abilities import (
    ANY_MOMENT,
    Aim,
    answer,
    is_destined,
    memo,
    remember,
    version,
)
from heartrush_env.games.heart_rush.rules.conditions import HARMFUL, inflict, lose
from heartrush_env.games.heart_rush.rules.healing import heal, pay_in_blood
from heartrush_env.games.heart_rush.rules.sheet import has
from heartrush_env.games.heart_rush.rules.space import within
from heartrush_env.games.heart_rush.rules.taking_damage import healing_ceiling
from heartrush_env.games.heart_rush.rules.terms import CONDITIONS, LEVELED, N_CONDITIONS, SOURCED
from heartrush_env.tabletop.rule import compiled

RANGE = int(figures("blood_bond", "range_ft")[0])
DAILY = figures("blood_bond", "daily_hp")
PASSES = np.zeros(N_CONDITIONS, np.bool_)  # conditions that may pass
PASSES[list(LEVELED)] = HARMFUL[list(LEVELED)]
PASSES[list(SOURCED)] = False


@ability(
    "blood_bond", on=ANY_MOMENT, aim=Aim.ALLY, on_fallen=True, rulings=["R-122", "R-198"],
    picks=[
        options(*(str(TEN * tens) for tens in range(int(DAILY.max()) // TEN + 1))),
        options(*(f"{ones} more" for ones in range(TEN))),
        options("no condition", *CONDITIONS),
    ],
)  # fmt: skip
class BloodBond:
    """The owner passes hit points to an ally that has this talent as well, some each day.

    In the destiny version, there are more of them, any distance will do, and a condition may pass along with them. The
    memo is the number of hit points passed.
    """

    def may(fight, i, slot, target):
        return is_bonded(fight, i, slot, target) and most(fight, i, slot, target) > 0

    def asks(fight, i, slot, target, part):
        return part < 2 or is_destined(fight, i, slot)

    def may_pick(fight, i, slot, target, part, picked):
        if part == 0:
            return TEN * picked <= most(fight, i, slot, target)
        if part == 1:
            return 0 < TEN * answer(fight, i, 0) + picked <= most(fight, i, slot, target)
        return picked == 0 or (PASSES[picked - 1] and has(fight.fighters[i], picked - 1))

    def do(fight, log, i, slot, target):
        given = TEN * answer(fight, i, 0) + answer(fight, i, 1)
        remember(fight, i, slot, memo(fight, i, slot) + given)
        pay_in_blood(fight, i, given)
        heal(fight, log, target, i, given)
        if is_destined(fight, i, slot) and answer(fight, i, 2) > 0:
            condition = answer(fight, i, 2) - 1
            levels = np.int64(fight.fighters[i].levels[condition])
            lose(fight.fighters[i], condition)
            inflict(fight, i, target, condition, levels)


@compiled
def is_bonded(fight, i, slot, target):
    """Return whether the target has the ability in fighter i's slot as well and is near enough."""
    if not is_destined(fight, i, slot) and not within(fight, i, target, RANGE):
        return False
    other = fight.fighters[target]
    for k in range(other.slots):
        if other.loadout[k] == fight.fighters[i].loadout[slot]:
            return True
    return False


@compiled
def most(fight, i, slot, target):
    """Return the most hit points that fighter i can pass to the target now."""
    other = fight.fighters[target]
    left = min(np.int64(fight.fighters[i].hp) - 1, DAILY[version(fight, i, slot)] - memo(fight, i, slot))
    return min(left, np.int64(healing_ceiling(other)) - np.int64(other.hp))
