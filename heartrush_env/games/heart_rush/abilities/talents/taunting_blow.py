"""Taunting Blow."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figures
from heartrush_env.games.heart_rush.rules.abilities import (
    ON_PHASE,
    Aim,
    is_destined,
    memo_for,
    remember,
    remember_now,
    version,
)
from heartrush_env.games.heart_rush.rules.actions.attack import is_attacker
from heartrush_env.games.heart_rush.rules.conditions import inflict_from, rage_condition
from heartrush_env.games.heart_rush.rules.stances import may_attack
from heartrush_env.games.heart_rush.rules.terms import AGILITY, CUNNING

COST = int(figures("taunting_blow", "rider_cost")[0])
LEVELS = figures("taunting_blow", "enraged")


@ability("taunting_blow", on=[ON_PHASE], aim=Aim.ENEMY, rulings=["R-196"])
class TauntingBlow:
    """In cunning against agility, the owner's attack enrages its target in place of two levels of the cunning effect.

    In the destiny version, it enrages the target further, in place of its damage. The memo names this round's target.
    """

    def may(fight, i, slot, target):
        if fight.phase != CUNNING or not is_attacker(fight, i) or memo_for(fight, i, slot, 1) > 0:
            return False
        return fight.fighters[target].stance == AGILITY and may_attack(fight, i, target)

    def do(fight, log, i, slot, target):
        remember_now(fight, i, slot, 1 + target)

    def forgoes(fight, i, slot, target):
        taunts = memo_for(fight, i, slot, 1) == 1 + target
        return COST if taunts and not is_destined(fight, i, slot) else 0

    def multiplies(fight, i, slot, target, damage):
        taunts = memo_for(fight, i, slot, 1) == 1 + target
        return 0 if taunts and is_destined(fight, i, slot) else damage

    def effect(fight, i, slot, log, target):
        if memo_for(fight, i, slot, 1) == 1 + target:
            remember(fight, i, slot, 0)
            inflict_from(fight, i, target, rage_condition(fight), LEVELS[version(fight, i, slot)])
