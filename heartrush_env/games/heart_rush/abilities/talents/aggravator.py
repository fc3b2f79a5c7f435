"""Aggravator."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.aggravated import levels_toward
from heartrush_env.games.heart_rush.abilities.unit import ability, figures
from heartrush_env.games.heart_rush.rules.abilities import is_destined, note, notes, version
from heartrush_env.games.heart_rush.rules.conditions import inflict_from
from heartrush_env.games.heart_rush.rules.terms import AGGRAVATED, BY_ATTACK, STANDING
from heartrush_env.tabletop.rule import compiled

LEVELS = int(figures("aggravator", "aggravated")[0])
PER_LEVEL = int(figures("aggravator", "advantage_per_level")[0])
ADVANTAGE = figures("aggravator", "advantage")
HARDER = figures("aggravator", "overcome_disadvantage")


@ability("aggravator", rulings=["R-181"])
class Aggravator:
    """Damage by the owner's attacks aggravates; its attacks on those aggravated at it have advantage.

    In the destiny version, so do its defenses, and those aggravated at it overcome this less easily.
    """

    def damaged(fight, i, slot, log, victim, striker, cause, damage):
        if striker == i and cause in BY_ATTACK and damage > 0:
            note(fight, i, slot, victim, True)

    def effect(fight, i, slot, log, target):
        provoke(fight, i, slot, target)

    def struck(fight, i, slot, log, striker):
        provoke(fight, i, slot, striker)

    def attack(fight, i, slot, target, stance):
        levels = levels_toward(fight, i, target)
        if is_destined(fight, i, slot):
            return ADVANTAGE[version(fight, i, slot)] if levels > 0 else 0
        return PER_LEVEL * levels

    def defense(fight, i, slot, striker, stance):
        return ADVANTAGE[version(fight, i, slot)] if levels_toward(fight, i, striker) > 0 else 0

    def hampers(fight, i, slot, victim, condition):
        hampered = condition == AGGRAVATED and levels_toward(fight, i, victim) > 0
        return -HARDER[version(fight, i, slot)] if hampered else 0


@compiled
def provoke(fight, i, slot, victim):
    """Make a fighter aggravated that an attack of the owner has just hurt, if it is still in the fight."""
    if notes(fight, i, slot, victim):
        note(fight, i, slot, victim, False)
        if fight.fighters[victim].status == STANDING:
            inflict_from(fight, i, victim, AGGRAVATED, LEVELS)
