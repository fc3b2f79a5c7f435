"""Thrower."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.held import HEAVY_DIE
from heartrush_env.games.heart_rush.abilities.unit import ability
from heartrush_env.games.heart_rush.rules.abilities import is_destined
from heartrush_env.games.heart_rush.rules.space import distance
from heartrush_env.games.heart_rush.rules.terms import MELEE, NOBODY, THROWN
from heartrush_env.games.heart_rush.scenario.catalog import RANGES, weapon_sizes
from heartrush_env.tabletop.rule import compiled

LIGHT_DIE = weapon_sizes()["light"].die
RANGE = RANGES["thrown"]


@ability("thrower", needs="cells", rulings=["R-215"])
class Thrower:
    """The owner throws its light melee weapon at enemies out of its reach; in the destiny version, also a heavy one."""

    def attack_type(fight, i, slot, target, kind):
        return np.int64(THROWN) if is_throw(fight, i, slot, target) else kind

    def carries(fight, i, slot, target, squares):
        return np.int64(RANGE) if is_throw(fight, i, slot, target) else squares


@compiled
def is_throw(fight, i, slot, target):
    """Return whether the owner's attack on the target, which may be NOBODY, is a throw of its melee weapon."""
    fighter = fight.fighters[i]
    if target == NOBODY or not fighter.armed or fighter.attack_type != MELEE or fighter.natural_weapon:
        return False
    heavy = fighter.weapon_die == HEAVY_DIE and is_destined(fight, i, slot)
    reach = fighter.sets[0].range + (fighter.sets[0].reach and not fighter.dashed)
    return (fighter.weapon_die == LIGHT_DIE or heavy) and distance(fight, i, target) > reach
