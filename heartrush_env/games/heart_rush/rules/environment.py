"""Environment: how a fighter's surroundings affect its rolls."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.cover import cover_levels
from heartrush_env.games.heart_rush.rules.sheet import IN_EXCHANGE, has, is_physical, note_cause
from heartrush_env.games.heart_rush.rules.space import HEIGHT_GIVEN, WATER_DEPTH, cell_at, on_map
from heartrush_env.games.heart_rush.rules.terms import (
    ATTACK,
    COVER,
    DIM_LIGHT,
    HIDDEN,
    HIGHGROUND,
    LONG_RANGE,
    NOBODY,
    OBSCURED,
    RANGED,
    THROWN,
    WATER,
)
from heartrush_env.games.heart_rush.rules.weapons import long_range_levels
from heartrush_env.tabletop.rule import rule

SHALLOW_WATER, DEEP_WATER = 1, 2
WATER_LEVELS = np.array([0, 1, 5])  # disadvantage levels in no, shallow and deep water
BRIGHT, DIM, DARK = range(3)
LIGHT_LEVELS = np.array([0, 1, 5])  # disadvantage levels in bright light, dim light and darkness


# The fighter's space.


@rule("Conditions > High Ground", "R-64")
def height(fight, i):
    """Return a fighter's height: the height of the highest square of its space."""
    fighter = fight.fighters[i]
    highest = -1
    for y in range(fighter.y, fighter.y + fighter.side):
        for x in range(fighter.x, fighter.x + fighter.side):
            highest = max(highest, HEIGHT_GIVEN[cell_at(fight, x, y)])
    return highest


@on_map(0)
@rule("Environment > Water")
def in_water(fight, i):
    """Return the deepest water in a fighter's space: 0 for none, 1 for shallow, 2 for deep."""
    fighter = fight.fighters[i]
    deepest = 0
    for y in range(fighter.y, fighter.y + fighter.side):
        for x in range(fighter.x, fighter.x + fighter.side):
            deepest = max(deepest, WATER_DEPTH[cell_at(fight, x, y)])
    return deepest


# The effects of the environment on rolls.


@on_map(0)
@rule("Environment > Effects on Rolls")
def space_modifiers(fight, i, kind, ability, o, weapon_of_attack):
    """Return fighter i's net advantage from its own and its opponent's surroundings; o may be NOBODY.

    `weapon_of_attack` is the attack type of the attacking weapon.
    """
    net = 0
    if kind == ATTACK and o != NOBODY:
        net += aim_modifiers(fight, i, o, weapon_of_attack)
    if IN_EXCHANGE[kind]:
        net += gloom(fight, o)
    if is_physical(kind, ability):
        depth = in_water(fight, i)
        if depth > 0:
            net += note_cause(fight, WATER, -WATER_LEVELS[depth])
    return net


@rule("Combat > Special Circumstances > Cover", "R-64")
def aim_modifiers(fight, i, o, weapon_of_attack):
    """Return an attack's net advantage from cover and long range (ranged or thrown only) and from higher ground."""
    net = 0
    if weapon_of_attack == RANGED or weapon_of_attack == THROWN:
        cover, far = hooks.cover(fight, i, o, cover_levels(fight, i, o)), long_range_levels(fight, i, o)
        if cover > 0:
            net += note_cause(fight, COVER, -cover)
        if far > 0:
            net += note_cause(fight, LONG_RANGE, -far)
    has_it_already = has(fight.fighters[i], HIGHGROUND) and not has(fight.fighters[o], HIGHGROUND)
    if not has_it_already and height(fight, i) > height(fight, o):
        net += note_cause(fight, HIGHGROUND, 1)
    return net


@rule("Environment > Light")
def gloom(fight, o):
    """Return the disadvantage of dim light or darkness (0 or negative); 0 against opponents that are unseen anyway."""
    if fight.light == BRIGHT or (o != NOBODY and (has(fight.fighters[o], OBSCURED) or has(fight.fighters[o], HIDDEN))):
        return 0
    return note_cause(fight, DIM_LIGHT, -LIGHT_LEVELS[fight.light])
