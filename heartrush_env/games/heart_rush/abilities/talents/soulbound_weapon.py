"""Soulbound Weapon."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.held import which_weapon, wields_weapon
from heartrush_env.games.heart_rush.abilities.own_dice import add_own_dice
from heartrush_env.games.heart_rush.abilities.unit import ability, dice
from heartrush_env.games.heart_rush.rules.abilities import ON_ACTION

DICE = dice("soulbound_weapon", "attack_dice")
BONDED = 0  # the weapon that the owner holds as the fight begins


@ability(
    "soulbound_weapon", on=[ON_ACTION], costs_interaction=True, rulings=["R-180"],
    left_out="sending the weapon away, calling it with another in hand, and its magic, which nothing asks for",
)  # fmt: skip
class SoulboundWeapon:
    """The owner's weapon comes back to its hand from anywhere; in the destiny version, it has an extra die."""

    def may(fight, i, slot, target):
        """Return whether the weapon is not in the owner's hand, and no other weapon is."""
        fighter = fight.fighters[i]
        return not fighter.armed and which_weapon(fighter) == BONDED

    def do(fight, log, i, slot, target):
        fight.fighters[i].armed = True

    def attack(fight, i, slot, target, stance):
        fighter = fight.fighters[i]
        if wields_weapon(fighter) and which_weapon(fighter) == BONDED:
            add_own_dice(fight, i, slot, DICE)
        return 0
