"""Cantrips: which of them a fighter uses in place of a weapon, and what its hits bring."""

from __future__ import annotations

from typing import Any

import numpy as np

from heartrush_env.games.heart_rush.abilities.held import which_weapon
from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.abilities import note, notes
from heartrush_env.games.heart_rush.rules.conditions import drench, inflict
from heartrush_env.games.heart_rush.rules.forced_movement import knock_aside
from heartrush_env.games.heart_rush.rules.maneuvers.hinder import blind
from heartrush_env.games.heart_rush.rules.sheet import has
from heartrush_env.games.heart_rush.rules.stances import beats_target
from heartrush_env.games.heart_rush.rules.terms import (
    BLINDED,
    BURNING,
    CONDITIONS,
    FEET,
    MELEE,
    MIGHT,
    MOST_FIGHTERS,
    N_CONDITIONS,
    RANGED,
    STUNNED,
    WET,
)
from heartrush_env.games.heart_rush.scenario import catalog
from heartrush_env.tabletop.rule import compiled, inlined

# The sets of fighters that the memory of Warcaster holds, by the first bit of each: those that a cantrip of the owner
# has hit in this phase, further targets of its blast, those that it has stunned in this round, and those that it has
# ever stunned.
HIT, FURTHER, STUNNED_NOW, STUNNED_EVER = (k * MOST_FIGHTERS for k in range(4))
METAL = catalog.armors()["medium"].defense_bonus  # the least bonus of armor that is of metal

ENTRIES = [{}, *catalog.data("weapons.toml")["cantrip"]]  # of no cantrip, then of each, by its number


def _levels(key: str) -> Any:
    """Return the levels of conditions in the table at this key of the cantrips, as an array (cantrip, condition)."""
    levels = np.zeros((len(ENTRIES), N_CONDITIONS), np.int64)
    for number, entry in enumerate(ENTRIES):
        for name, amount in entry.get(key, {}).items():
            levels[number, CONDITIONS.index(name)] = amount
    return levels


LEVELS, MIGHT_LEVELS = _levels("conditions"), _levels("might")
PUSH = np.array([entry.get("push_ft", 0) for entry in ENTRIES], np.int64)
MIGHT_PUSH = np.array([entry.get("might_push_ft", 0) for entry in ENTRIES], np.int64)
HARMLESS = np.array([entry.get("harmless", False) for entry in ENTRIES], np.bool_)
# Whether a cantrip has a might bonus of its own, in place of that of its attack type.
OWN_BONUS = np.array(["might" in entry or "might_push_ft" in entry for entry in ENTRIES], np.bool_)
AGAINST_METAL = np.array(["metal" in entry.get("doubled_against", ()) for entry in ENTRIES], np.bool_)
AGAINST_WET = np.array(["wet" in entry.get("doubled_against", ()) for entry in ENTRIES], np.bool_)


@inlined
def cantrip_of(fighter: Any) -> Any:
    """Return the number of the cantrip that a fighter uses in place of a weapon, or 0."""
    held = fighter.armed and fighter.natural_weapon  # what it has taken from the map since is gear
    return np.int64(fighter.cantrips[which_weapon(fighter)]) if held else np.int64(0)


@inlined
def casts_bolt(fighter: Any) -> Any:
    """Return whether a fighter uses a bolt in place of a weapon."""
    return cantrip_of(fighter) > 0 and fighter.attack_type == RANGED


@inlined
def casts_blast(fighter: Any) -> Any:
    """Return whether a fighter uses a blast in place of a weapon."""
    return cantrip_of(fighter) > 0 and fighter.attack_type == MELEE


@compiled
def is_doubled(cantrip: Any, target: Any) -> Any:
    """Return whether the attack roll of a cantrip counts twice against this fighter."""
    in_metal = target.armor >= METAL and target.attack_bonus == 0
    return (AGAINST_METAL[cantrip] and in_metal) or (AGAINST_WET[cantrip] and has(target, WET))


@compiled
def bring(fight: Any, log: Any, i: Any, slot: Any, target: Any, cantrip: Any) -> None:
    """Give the target what a hit of fighter i's cantrip brings, more of it if might beats the target's stance."""
    times = np.int64(0)
    if fight.fighters[i].stance == MIGHT and beats_target(fight, i, target):
        times = 1 + np.int64(hooks.might_bonus(fight, i, target))
    knock_aside(fight, log, i, target, (PUSH[cantrip] + times * MIGHT_PUSH[cantrip]) // FEET)
    for condition in range(N_CONDITIONS):
        levels = LEVELS[cantrip, condition] + times * MIGHT_LEVELS[cantrip, condition]
        if levels > 0:
            give(fight, i, slot, target, condition, levels)


@compiled
def give(fight: Any, i: Any, slot: Any, target: Any, condition: Any, levels: Any) -> None:
    """Give the target levels of a condition by a cantrip of fighter i."""
    if condition == BLINDED:
        blind(fight, i, target, levels)
    elif condition == STUNNED:
        stun(fight, i, slot, target)
    else:
        inflict(fight, i, target, condition, levels)
        if condition == BURNING:
            hooks.lights(fight, i, target)
        drench(fight.fighters[target])


@compiled
def stun(fight: Any, i: Any, slot: Any, target: Any) -> None:
    """Make the target stunned until the next round ends, unless a cantrip of any fighter has done so before."""
    number = fight.fighters[i].loadout[slot]
    for k in range(fight.n):
        for other in range(fight.fighters[k].slots):
            if fight.fighters[k].loadout[other] == number and notes(fight, k, other, STUNNED_EVER + target):
                return
    if inflict(fight, i, target, STUNNED, 1) > 0:
        note(fight, i, slot, STUNNED_NOW + target, True)
        note(fight, i, slot, STUNNED_EVER + target, True)
