"""Relentless."""

from __future__ import annotations

from heartrush_env.core.rule import compiled
from heartrush_env.heart_rush.abilities.unit import ability
from heartrush_env.heart_rush.rules.terms import OF_HEART


@ability("relentless")
class Relentless:
    """The owner attacks and defends with its full heart die."""

    def attack(fight, i, slot, target, stance):
        take_full_heart(fight, i)
        return 0

    def defense(fight, i, slot, striker, stance):
        take_full_heart(fight, i)
        return 0


@compiled
def take_full_heart(fight, i):
    """The heart die in the pool becomes the full one."""
    for k in range(fight.pool.count):
        if fight.pool.source[k] == OF_HEART:
            fight.pool.sides[k] = fight.fighters[i].heart_max
