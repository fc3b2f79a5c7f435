"""Stunning Strikes."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.held import HEAVY_DIE, strikes_heavily
from heartrush_env.games.heart_rush.abilities.unit import ability, figure
from heartrush_env.games.heart_rush.engine.strikes import is_own_attack
from heartrush_env.games.heart_rush.rules.abilities import note, notes, remember
from heartrush_env.games.heart_rush.rules.conditions import inflict
from heartrush_env.games.heart_rush.rules.dice import add_ability_bonus, kept_dice, sides_of
from heartrush_env.games.heart_rush.rules.terms import ATTACK, STUNNED
from heartrush_env.tabletop.rule import compiled

FACTOR = figure("stunning_strikes", "factor")


@ability("stunning_strikes", rulings=["R-179"])
class StunningStrikes:
    """With a heavy melee weapon, the largest die of an attack that shows its maximum counts three times.

    If that die is a d12, the target is stunned until the next round. The memo is the set of targets that the attacks in
    progress stun.
    """

    def rolled(fight, i, slot, kind, other, roll):
        if kind == ATTACK and is_own_attack(fight, i):
            largest = largest_maximum(roll) if strikes_heavily(fight, i, other) else 0
            add_ability_bonus(roll.pool, (FACTOR - 1) * largest)
            roll.total += (FACTOR - 1) * largest
            if largest == HEAVY_DIE:
                note(fight, i, slot, other, True)

    def effect(fight, i, slot, log, target):
        if notes(fight, i, slot, target):
            inflict(fight, i, target, STUNNED, 1)

    def has_struck(fight, i, slot, log, striker):
        if striker == i:
            remember(fight, i, slot, 0)


@compiled
def largest_maximum(roll):
    """Return the sides of the largest die that counts and shows its maximum, or 0."""
    found, kept = np.int64(0), kept_dice(roll)
    for k in range(roll.count):
        sides = sides_of(roll, k)
        if kept >> k & 1 and roll.results[k] == sides:
            found = max(found, sides)
    return found
