"""The ability of the Ogre: Thick Hide."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, term
from heartrush_env.games.heart_rush.rules.attack_rolls import damage_type_in
from heartrush_env.games.heart_rush.rules.sheet import halved
from heartrush_env.games.heart_rush.rules.terms import DAMAGE_TYPES, NO_STANCE

BLUNTED = term("ogre.thick_hide", "damage_type", DAMAGE_TYPES)


@ability("ogre.thick_hide", rulings=["R-10"])
class ThickHide:
    """Damage to the owner from attacks with bludgeoning weapons is halved, rounded up."""

    def cuts(fight, i, slot, striker, cause, damage):
        return halved(damage) if damage_type_in(fight, striker, NO_STANCE) == BLUNTED else damage
