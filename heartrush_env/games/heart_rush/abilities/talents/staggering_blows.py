"""Staggering Blows."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figures
from heartrush_env.games.heart_rush.engine.strikes import is_own_attack
from heartrush_env.games.heart_rush.rules.abilities import is_destined, note, notes
from heartrush_env.games.heart_rush.rules.attack_rolls import weapon_die
from heartrush_env.games.heart_rush.rules.conditions import inflict
from heartrush_env.games.heart_rush.rules.contests import sizes_larger
from heartrush_env.games.heart_rush.rules.dice import shows_a_maximum, throw_further
from heartrush_env.games.heart_rush.rules.terms import ATTACK, OFF_BALANCED, PRONE
from heartrush_env.games.heart_rush.rules.trip import SIZES_TO_TRIP
from heartrush_env.tabletop.rule import compiled

LEVELS = int(figures("staggering_blows", "off_balanced")[0])


@ability("staggering_blows", rulings=["R-107"])
class StaggeringBlows:
    """An attack with a die at its maximum off-balances the target and, in the destiny version, knocks it down."""

    def rolled(fight, i, slot, kind, other, roll):
        """Record the attack; in the destiny version, roll another weapon die against a target too large to fall."""
        if kind == ATTACK and is_own_attack(fight, i) and shows_a_maximum(roll):
            note(fight, i, slot, other, True)
            if is_destined(fight, i, slot) and not may_fall(fight, i, other):
                die = weapon_die(fight, i, other)
                throw_further(fight, roll, 1 if die > 0 else 0, die)

    def effect(fight, i, slot, log, target):
        if notes(fight, i, slot, target):
            note(fight, i, slot, target, False)
            inflict(fight, i, target, OFF_BALANCED, LEVELS)
            if is_destined(fight, i, slot) and may_fall(fight, i, target):
                inflict(fight, i, target, PRONE, 1)


@compiled
def may_fall(fight, i, target):
    """Return whether a target is small enough to be knocked down."""
    return sizes_larger(fight, i, target) <= SIZES_TO_TRIP
