"""Simple facts from a fighter's sheet, used by all other rules modules."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.rules.terms import (
    AGILITY,
    BLUDGEONING,
    CHECK,
    ENTANGLED,
    GRAPPLED,
    INCAPACITATED,
    MELEE,
    MIGHT,
    RESTRAINED,
    ROLL_KINDS,
    STUNNED,
)
from heartrush_env.tabletop.rule import inlined

# Bits of conditions.
SENSELESS = 1 << STUNNED | 1 << INCAPACITATED
HELD = 1 << RESTRAINED | 1 << GRAPPLED | 1 << ENTANGLED
IN_EXCHANGE = np.array([kind in ("attack", "defense") for kind in ROLL_KINDS])  # by kind of roll


@inlined
def is_physical(kind, ability):
    """Return whether physical hindrances affect a roll: attacks, defenses, and checks of might or agility."""
    return IN_EXCHANGE[kind] or (kind == CHECK and (ability == MIGHT or ability == AGILITY))


@inlined
def has(fighter, condition):
    """Return whether the fighter has any level of the condition."""
    return fighter.afflicted >> condition & 1 == 1


@inlined
def attack_type(fighter):
    """Return the attack type: melee, ranged, thrown or whip; bare hands are melee."""
    return fighter.attack_type if fighter.armed else MELEE


@inlined
def damage_type(fighter):
    """Return the damage type: bludgeoning, slashing, piercing or none; bare hands are bludgeoning."""
    return fighter.damage_type if fighter.armed else BLUDGEONING


@inlined
def note_cause(fight, cause, levels):
    """Record a cause of advantage (or disadvantage, below zero) for the roll being made, and return its levels."""
    if fight.recording:
        fight.causes[cause] += levels
    return levels


@inlined
def halved(number):
    """Return half of a number, rounded up (R-10)."""
    return (number + 1) // 2


@inlined
def bit(i):
    """Return the bit that represents fighter i in a bit mask of fighters."""
    return np.int64(1) << np.int64(i)
