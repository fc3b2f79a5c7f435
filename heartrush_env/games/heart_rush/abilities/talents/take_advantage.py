"""Take Advantage."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.unit import ability, figures
from heartrush_env.games.heart_rush.rules.abilities import is_destined
from heartrush_env.games.heart_rush.rules.conditions import HARMFUL, is_impairing
from heartrush_env.games.heart_rush.rules.sheet import has
from heartrush_env.games.heart_rush.rules.terms import N_CONDITIONS
from heartrush_env.tabletop.rule import compiled

ADVANTAGE = int(figures("take_advantage", "advantage")[0])
LEVELS = int(figures("take_advantage", "min_levels")[0])
CONDITIONS = int(figures("take_advantage", "min_conditions")[0])


@ability("take_advantage", rulings=["R-103"])
class TakeAdvantage:
    """Attacks on a target with two conditions, or two levels of dazed, off-balanced or weakened, have advantage."""

    def attack(fight, i, slot, target, stance):
        other = fight.fighters[target]
        if is_destined(fight, i, slot):
            return max(number_of_conditions(other), highest_level(other))
        taken = number_of_conditions(other) >= CONDITIONS or is_impaired(other)
        return ADVANTAGE if taken else 0


@compiled
def is_impaired(fighter):
    """Return whether a fighter has enough levels of dazed, off-balanced or weakened."""
    for condition in range(N_CONDITIONS):
        if is_impairing(condition) and fighter.levels[condition] >= LEVELS:
            return True
    return False


@compiled
def number_of_conditions(fighter):
    """Return the number of harmful conditions that a fighter has."""
    found = 0
    for condition in range(N_CONDITIONS):
        found += HARMFUL[condition] and has(fighter, condition)
    return found


@compiled
def highest_level(fighter):
    """Return the highest level among a fighter's harmful conditions."""
    found = np.int64(0)
    for condition in range(N_CONDITIONS):
        if HARMFUL[condition]:
            found = max(found, np.int64(fighter.levels[condition]))
    return found
