"""Bloodlust."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figures
from heartrush_env.games.heart_rush.rules.abilities import is_destined, note, notes, version
from heartrush_env.games.heart_rush.rules.conditions import inflict
from heartrush_env.games.heart_rush.rules.cunning import worst_for
from heartrush_env.games.heart_rush.rules.healing import heal
from heartrush_env.games.heart_rush.rules.sheet import has
from heartrush_env.games.heart_rush.rules.terms import ATTACK, DAZED, MOST_FIGHTERS, OFF_BALANCED, WEAKENED
from heartrush_env.tabletop.rule import inlined

LEVELS = figures("bloodlust", "impair")
ADVANTAGE = figures("bloodlust", "advantage")
HEAL = figures("bloodlust", "heal")


@ability("bloodlust", rulings=["R-116"])
class Bloodlust:
    """The owner's attacks on wounded enemies impair them.

    In the destiny version, attacks on wounded enemies that are impaired already have advantage and heal the owner.
    """

    def attack(fight, i, slot, target, stance):
        return ADVANTAGE[version(fight, i, slot)] if is_prey(fight.fighters[target]) else 0

    def rolled(fight, i, slot, kind, other, roll):
        if kind == ATTACK:
            prey = fight.fighters[other]
            note(fight, i, slot, other, prey.wound_count > 0)
            note(fight, i, slot, MOST_FIGHTERS + other, is_prey(prey))

    def effect(fight, i, slot, log, target):
        if notes(fight, i, slot, target):
            inflict(fight, i, target, worst_for(fight.fighters[target]), LEVELS[version(fight, i, slot)])
        if is_destined(fight, i, slot) and notes(fight, i, slot, MOST_FIGHTERS + target):
            heal(fight, log, i, i, HEAL[version(fight, i, slot)])


@inlined
def is_prey(fighter):
    """Return whether a fighter is wounded, and also dazed, off-balanced or weakened."""
    return fighter.wound_count > 0 and (has(fighter, DAZED) or has(fighter, OFF_BALANCED) or has(fighter, WEAKENED))
