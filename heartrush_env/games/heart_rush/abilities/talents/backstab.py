"""Backstab."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.unit import ability, dice
from heartrush_env.games.heart_rush.rules.abilities import (
    ANY_MOMENT,
    ON_ACTION,
    Aim,
    memo_for,
    remember,
    remember_now,
    version,
)
from heartrush_env.games.heart_rush.rules.cover import is_flanked
from heartrush_env.games.heart_rush.rules.dice import MAX_HANDFUL, add_die
from heartrush_env.games.heart_rush.rules.opportunity_attacks import is_unaware
from heartrush_env.games.heart_rush.rules.stances import may_target
from heartrush_env.games.heart_rush.rules.terms import ATTACK, MELEE, OF_WEAPON
from heartrush_env.games.heart_rush.rules.weapons import type_against
from heartrush_env.games.heart_rush.scenario.catalog import weapon_sizes
from heartrush_env.tabletop.rule import compiled

DICE = dice("backstab", "weapon_die")
SMALL_DIE = weapon_sizes()["ultralight"].die


@ability("backstab", on=ANY_MOMENT, aim=Aim.ENEMY, needs="cells", rulings=["R-221"])
class Backstab:
    """The owner's next melee attack of the round on a flanked creature, or from hiding, has a d20 for its weapon die.

    In the destiny version, it has two of them. The memo is one more than the creature.
    """

    def may(fight, i, slot, target):
        """Return whether the owner's weapon is small enough and the creature is flanked, or unaware of the owner."""
        fighter = fight.fighters[i]
        small = fighter.armed and fighter.weapon_die == SMALL_DIE and type_against(fight, i, target) == MELEE
        if not small or memo_for(fight, i, slot, 1) == 1 + target or not may_target(fight, i, target):
            return False
        return is_flanked(fight, target, i) or (fight.occasion == ON_ACTION and is_unaware(fight, i))

    def do(fight, log, i, slot, target):
        remember_now(fight, i, slot, 1 + target)

    def weapon_die(fight, i, slot, target, die):
        return DICE[version(fight, i, slot), 1] if is_meant(fight, i, slot, target) else die

    def attack(fight, i, slot, target, stance):
        if is_meant(fight, i, slot, target):
            for _ in range(min(DICE[version(fight, i, slot), 0] - 1, MAX_HANDFUL - fight.pool.count)):
                add_die(fight.pool, OF_WEAPON, DICE[version(fight, i, slot), 1])
        return 0

    def rolled(fight, i, slot, kind, other, roll):
        if kind == ATTACK and is_meant(fight, i, slot, other):
            remember(fight, i, slot, 0)


@compiled
def is_meant(fight, i, slot, target):
    """Return whether an attack of the owner on the target now has the larger die."""
    return memo_for(fight, i, slot, 1) == np.int64(1) + target and type_against(fight, i, target) == MELEE
