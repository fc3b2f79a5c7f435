"""Questions of several abilities about the weapons that a fighter holds."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.rules.attack_rolls import weapon_die
from heartrush_env.games.heart_rush.rules.terms import MELEE
from heartrush_env.games.heart_rush.rules.weapons import type_against
from heartrush_env.games.heart_rush.scenario.catalog import weapon_sizes
from heartrush_env.tabletop.rule import compiled, inlined

HEAVY_DIE = weapon_sizes()["heavy"].die


@compiled
def strikes_heavily(fight, i, target):
    """Return whether fighter i's weapon against this target is a heavy melee weapon."""
    return weapon_die(fight, i, target) == HEAVY_DIE and type_against(fight, i, target) == MELEE


@inlined
def wields_weapon(fighter):
    """Return whether the fighter has a weapon in hand that is not a part of its body."""
    return fighter.armed and not fighter.natural_weapon


@inlined
def which_weapon(fighter):
    """Return 0 if the weapon in hand is the one that the fighter began with, and 1 after a swap."""
    return np.int64(fighter.swaps) % 2
