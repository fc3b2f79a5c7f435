"""The weapons, and their columns as arrays for compiled rules."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np


class Weapon(NamedTuple):
    """A weapon's figures; ranges are in feet."""

    name: str
    die: int  # sides
    hands: int = 1
    versatile: bool = False  # for one hand or two
    reach: bool = False  # reaches 10 feet with two hands
    subtle: bool = False  # may be used by dex
    near: int = 0  # of a missile weapon, up to which it has no disadvantage
    far: int = 0
    loads: bool = False  # takes an action to load
    thrown_near: int = 10
    thrown_far: int = 20


WEAPONS: Final = (
    Weapon("cudgel", 4),
    Weapon("staff", 4, versatile=True, reach=True),
    Weapon("dagger", 6, subtle=True),
    Weapon("short_sword", 6, versatile=True),
    Weapon("mace", 6, versatile=True),
    Weapon("flail", 6, versatile=True),
    Weapon("hand_axe", 6, versatile=True),
    Weapon("spear", 6, versatile=True, reach=True, thrown_near=20, thrown_far=60),
    Weapon("long_sword", 8, hands=2),
    Weapon("battle_axe", 8, hands=2),
    Weapon("war_hammer", 8, hands=2),
    Weapon("halberd", 8, hands=2, reach=True),
    Weapon("sling", 6, near=60, far=240),
    Weapon("bow", 6, hands=2, near=150, far=600),
    Weapon("crossbow", 8, hands=2, near=300, far=1200, loads=True),
)
WEAPON_NAMES: Final = tuple(weapon.name for weapon in WEAPONS)
ITEMS: Final = (*WEAPON_NAMES, "shield")  # what can be held, dropped and picked up
A_SHIELD: Final = len(WEAPONS)
NO_ITEM: Final = -1  # in place of an item

DIE = np.array([weapon.die for weapon in WEAPONS], np.int16)
HANDS = np.array([weapon.hands for weapon in WEAPONS], np.int8)
VERSATILE = np.array([weapon.versatile for weapon in WEAPONS], np.bool_)
REACH = np.array([weapon.reach for weapon in WEAPONS], np.bool_)
SUBTLE = np.array([weapon.subtle for weapon in WEAPONS], np.bool_)
SHOOTS = np.array([weapon.far > 0 for weapon in WEAPONS], np.bool_)
LOADS = np.array([weapon.loads for weapon in WEAPONS], np.bool_)
# In feet: up to the first figure without a modifier, up to the second with disadvantage.
NEAR = np.array([weapon.near for weapon in WEAPONS], np.int16)
FAR = np.array([weapon.far for weapon in WEAPONS], np.int16)
THROWN_NEAR = np.array([weapon.thrown_near for weapon in WEAPONS], np.int16)
THROWN_FAR = np.array([weapon.thrown_far for weapon in WEAPONS], np.int16)
