"""Fists, Knees, and Elbows."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.held import wields_weapon
from heartrush_env.games.heart_rush.abilities.unit import ability
from heartrush_env.games.heart_rush.rules.abilities import ON_ACTION, memo, remember
from heartrush_env.games.heart_rush.rules.dice import add_bonus_dice
from heartrush_env.games.heart_rush.rules.terms import MIGHT, NOBODY

OF_HOLDING = 1  # levels of disadvantage of a fighter that holds another


@ability("fists_knees_and_elbows", on=[ON_ACTION], rulings=["R-180"])
class FistsKneesAndElbows:
    """This round, the owner's unarmed attacks on the creature that it holds have the might die as an extra die.

    Holding the creature does not hinder these attacks.
    """

    def may(fight, i, slot, target):
        """Return whether the owner is unarmed and holds a creature, and the ability is not in use this round."""
        fighter = fight.fighters[i]
        holds = fighter.grappling != NOBODY and not wields_weapon(fighter)
        return holds and memo(fight, i, slot) != fight.round_number

    def do(fight, log, i, slot, target):
        remember(fight, i, slot, fight.round_number)

    def attack(fight, i, slot, target, stance):
        fighter = fight.fighters[i]
        if memo(fight, i, slot) != fight.round_number or fighter.grappling != target or wields_weapon(fighter):
            return 0
        add_bonus_dice(fight.pool, 1, fighter.ability[MIGHT])
        return OF_HOLDING
