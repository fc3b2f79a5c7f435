"""Indomitable Might."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figure
from heartrush_env.games.heart_rush.rules.dice import add_ability_bonus
from heartrush_env.games.heart_rush.rules.terms import MIGHT

BONUS = figure("indomitable_might", "bonus")


@ability("indomitable_might")
class IndomitableMight:
    """The owner has a bonus to attack and defense rolls with the might die."""

    def attack(fight, i, slot, target, stance):
        if stance == MIGHT:
            add_ability_bonus(fight.pool, BONUS)
        return 0

    def defense(fight, i, slot, striker, stance):
        if stance == MIGHT:
            add_ability_bonus(fight.pool, BONUS)
        return 0
