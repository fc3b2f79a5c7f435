"""Maledict."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.unit import ability, figures, numbers, options
from heartrush_env.games.heart_rush.engine.strikes import attacker_on
from heartrush_env.games.heart_rush.rules.abilities import ON_FIRST_ROLL, Aim, answer, is_destined
from heartrush_env.games.heart_rush.rules.conditions import inflict
from heartrush_env.games.heart_rush.rules.cover import is_within
from heartrush_env.games.heart_rush.rules.sheet import halved
from heartrush_env.games.heart_rush.rules.terms import CONDITIONS, FADING, LEVEL_CAP, NOBODY, VULNERABILITY

RANGE = int(figures("maledict", "range_ft")[0])
LEVELS = figures("maledict", "levels")
OWN_LEVELS = int(figures("maledict", "self_levels")[0])
FADES = np.array(FADING, np.int8)


@ability(
    "maledict", on=[ON_FIRST_ROLL], aim=Aim.ENEMY, rulings=["R-10", "R-193"],
    left_out="the fourth level of vulnerability, which kills",
    picks=[options(*(CONDITIONS[condition] for condition in FADING)), numbers(int(LEVELS.max()))],
)  # fmt: skip
class Maledict:
    """When the owner or an ally within range attacks, the target and the owner get levels of one fading condition.

    In the destiny version, the owner picks how many levels the target gets, and itself gets half as many. If the target
    would have more than five, it gets a level of vulnerability.
    """

    def may(fight, i, slot, target):
        striker = attacker_on(fight, target)
        if striker == NOBODY or fight.fighters[striker].team != fight.fighters[i].team:
            return False
        return striker == i or is_within(fight, i, striker, RANGE)

    def asks(fight, i, slot, target, part):
        return part == 0 or is_destined(fight, i, slot)

    def may_pick(fight, i, slot, target, part, picked):
        return part == 0 or picked > 0

    def auto(fight, i, slot, target, part):
        return LEVELS[1] if part == 1 else NOBODY

    def do(fight, log, i, slot, target):
        condition = np.int64(FADES[answer(fight, i, 0)])
        levels, own = np.int64(LEVELS[0]), np.int64(OWN_LEVELS)
        if is_destined(fight, i, slot):
            levels = answer(fight, i, 1)
            own = np.int64(halved(levels))
        before = np.int64(fight.fighters[target].levels[condition])
        given = inflict(fight, i, target, condition, levels)
        if is_destined(fight, i, slot) and before + given > LEVEL_CAP:
            inflict(fight, i, target, VULNERABILITY, 1)
        inflict(fight, i, i, condition, own)
