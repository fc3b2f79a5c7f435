"""Unarmed Combatant."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.unit import ability, dice
from heartrush_env.games.heart_rush.rules.abilities import version
from heartrush_env.games.heart_rush.rules.attack_rolls import UNARMED_DIE
from heartrush_env.games.heart_rush.rules.terms import BLUDGEONING, MELEE
from heartrush_env.tabletop.rule import inlined

DIE = dice("unarmed_combatant", "die")


@ability("unarmed_combatant", rulings=["R-214"])
class UnarmedCombatant:
    """Unarmed strikes count as light weapons; in the destiny version, they count as heavy weapons."""

    def begin(fight, i, slot):
        fighter = fight.fighters[i]
        for k in range(len(fighter.sets)):
            held = fighter.sets[k]
            if is_unarmed_strike(held):
                held.weapon_die = DIE[version(fight, i, slot), 1]
        fighter.weapon_die = fighter.sets[0].weapon_die

    def weapon_die(fight, i, slot, target, die):
        """Return the die of bare hands while the owner's weapon lies on the floor."""
        return die if fight.fighters[i].armed else np.int64(DIE[version(fight, i, slot), 1])


@inlined
def is_unarmed_strike(held):
    """Return whether a weapon is the unarmed strike, and no claw, tail or other natural weapon."""
    blunt = held.attack_type == MELEE and held.damage_type == BLUDGEONING
    return held.natural_weapon and blunt and held.weapon_die == UNARMED_DIE
