"""Paragons that raise an ability die: Divine Dexterity, Draconic Presence, Ingenious Cunning, Titanic Strength."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figure
from heartrush_env.games.heart_rush.rules.terms import AGILITY, CUNNING, MIGHT, PRESENCE

AGILITY_DIE = figure("divine_dexterity", "die")
PRESENCE_DIE = figure("draconic_presence", "die")
CUNNING_DIE = figure("ingenious_cunning", "die")
MIGHT_DIE = figure("titanic_strength", "die")


@ability("divine_dexterity")
class DivineDexterity:
    """The agility die is a d20."""

    def begin(fight, i, slot):
        fight.fighters[i].ability[AGILITY] = AGILITY_DIE


@ability("draconic_presence")
class DraconicPresence:
    """The presence die is a d20."""

    def begin(fight, i, slot):
        fight.fighters[i].ability[PRESENCE] = PRESENCE_DIE


@ability("ingenious_cunning")
class IngeniousCunning:
    """The cunning die is a d20."""

    def begin(fight, i, slot):
        fight.fighters[i].ability[CUNNING] = CUNNING_DIE


@ability("titanic_strength")
class TitanicStrength:
    """The might die is a d20."""

    def begin(fight, i, slot):
        fight.fighters[i].ability[MIGHT] = MIGHT_DIE
