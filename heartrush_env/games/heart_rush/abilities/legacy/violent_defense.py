"""Violent Defense."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability
from heartrush_env.games.heart_rush.rules.abilities import (
    ANY_MOMENT,
    ON_FIRST_ROLL,
    memo,
    remember,
)
from heartrush_env.games.heart_rush.rules.attack_rolls import weapon_die
from heartrush_env.games.heart_rush.rules.dice import add_bonus_dice
from heartrush_env.games.heart_rush.rules.hits import add_hit
from heartrush_env.games.heart_rush.rules.terms import FROM_ABILITY
from heartrush_env.games.heart_rush.rules.weapons import reaches


@ability("violent_defense", on=[*ANY_MOMENT, ON_FIRST_ROLL], rulings=["R-22"])
class ViolentDefense:
    """Until the round ends, the owner adds its weapon die to defenses; attackers in range that roll less are hurt."""

    def may(fight, i, slot, target):
        """Return whether the ability has not been used in this round."""
        return memo(fight, i, slot) != fight.round_number

    def do(fight, log, i, slot, target):
        remember(fight, i, slot, fight.round_number)

    def defense(fight, i, slot, striker, stance):
        if memo(fight, i, slot) == fight.round_number:
            die = weapon_die(fight, i, striker)
            add_bonus_dice(fight.pool, 1 if die > 0 else 0, die)
        return 0

    def attacked(fight, i, slot, striker, target, cause, damage):
        answers = target == i and memo(fight, i, slot) == fight.round_number
        if answers and not fight.exchange.contest and reaches(fight, i, striker):
            spare = fight.defense_roll.total - fight.attack_roll.total
            add_hit(fight, striker, i, FROM_ABILITY, spare, fight.exchange.rank)
