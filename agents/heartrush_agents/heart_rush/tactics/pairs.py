"""Two opponents as an agent sees them: the components of their rolls, as tuples and as the engine's records."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from heartrush_env.games.heart_rush.rules.conditions import gain
from heartrush_env.games.heart_rush.rules.terms import (
    AGILITY,
    BLUDGEONING,
    CLIMBED_ON,
    CONDITIONS,
    CREATURE_CLIMBER,
    CUNNING,
    FRIGHTENED,
    MELEE,
    MIGHT,
    NO_DAMAGE_TYPE,
    NO_STANCE,
    NOBODY,
    PIERCING,
    RANGED,
    SLASHING,
    THROWN,
    WHIP,
)
from heartrush_env.tabletop.arrays import fill
from heartrush_env.tabletop.records import record
from heartrush_env.tabletop.rule import compiled
from heartrush_env.tabletop.units import written

# The condition that hinders each die, in the order that settles ties between dice.
HINDRANCE = {"might": "weakened", "agility": "off_balanced", "cunning": "dazed"}


class Fighter(NamedTuple):
    """The components of a fighter's rolls, apart from hit points; its fields have the names of features."""

    heart: int
    might: int
    agility: int
    cunning: int
    weapon_die: int
    armor: int
    shield: int
    attack_bonus: int
    armed: int
    weapon_ranged: int
    weapon_thrown: int
    weapon_whip: int
    weapon_bludgeoning: int
    weapon_slashing: int
    weapon_piercing: int
    action: int
    helped: int
    weakened: int
    off_balanced: int
    dazed: int
    poisoned: int
    blinded: int
    confused: int
    frightened: int
    enraged: int  # at fighters other than its opponent
    aggravated: int  # at fighters other than its opponent
    restrained: int
    grappled: int
    entangled: int
    grappling: int
    prone: int
    highground: int
    obscured: int
    hidden: int
    stunned: int
    incapacitated: int
    climbs: int = 0  # on its opponent
    # Positions of the two on a map:
    far: int = 0  # it cannot attack its opponent
    higher: int = 0  # whether it is higher than its opponent
    aim: int = 0  # levels that cover and distance take from its attack
    water: int = 0  # levels that standing in water takes from attack and defense
    gloom: int = 0  # levels that the light takes from attack and defense
    # Dice that an ability adds to its attack roll of this round, all of one size:
    more_dice: int = 0
    more_sides: int = 0

    @property
    def is_senseless(self) -> bool:
        """Whether the fighter takes no stance and does not attack."""
        return bool(self.stunned or self.incapacitated)


# The conditions that a fighter shows, by the names of its fields.
SHOWN = {name: CONDITIONS.index(name) for name in Fighter._fields if name in CONDITIONS}


class Pairing(NamedTuple):
    """Two opponents, the damage that defeats each, and the stances that they have taken."""

    own: Fighter
    other: Fighter
    own_left: int
    other_left: int
    stance: int = NO_STANCE
    against: int = NO_STANCE

    def turned(self) -> Pairing:
        """Return the pairing as the other fighter sees it."""
        return Pairing(self.other, self.own, self.other_left, self.own_left, self.against, self.stance)


# Record types for many pairings at once and for compiled code: integers of one size without gaps.
NUMBER = np.int16
SHEET = record([(name, NUMBER) for name in Fighter._fields])
PAIR = record(
    [
        ("own", SHEET),
        ("other", SHEET),
        *((name, NUMBER) for name in Pairing._fields if name not in ("own", "other")),
    ]
)
Pairs = NDArray[Any]  # of PAIR
WORDS = PAIR.itemsize // np.dtype(NUMBER).itemsize  # numbers in a pair
_HALF = len(Fighter._fields)
TURNED = [*range(_HALF, 2 * _HALF), *range(_HALF), *(2 * _HALF + k for k in (1, 0, 3, 2))]  # numbers of a pair


def raw(pairs: Pairs) -> NDArray[np.int16]:
    """Return the numbers of pairs, (n, WORDS); NumPy copies them many times as fast as fields."""
    numbers: NDArray[np.int16] = np.ascontiguousarray(pairs).view(NUMBER).reshape(len(pairs), WORDS)
    return numbers


def paired(numbers: NDArray[np.int16]) -> Pairs:
    """Return numbers, (n, WORDS), as pairs."""
    return np.ascontiguousarray(numbers).view(PAIR)[:, 0]


def records(pairs: Iterable[Pairing]) -> Pairs:
    """Return pairings as an array of records."""
    numbers = [[*own, *other, *more] for own, other, *more in pairs]
    return np.array(numbers, NUMBER).view(PAIR)[:, 0]


def turned(pairs: Pairs) -> Pairs:
    """Return the pairs as the other fighters see them."""
    return paired(raw(pairs)[:, TURNED])


def pairing_of(pair: Any) -> Pairing:
    """Return a record as a pairing."""
    own, other, *more = pair.item()
    return Pairing(Fighter(*own), Fighter(*other), *more)


# -- the engine's records ----------------------------------------------------------------------------------------------

show_conditions = written(
    "show_conditions",
    "fighter, sheet",
    [
        line
        for name, condition in SHOWN.items()
        for line in (f"if sheet.{name} > 0:", f"    gain(fighter, {condition}, sheet.{name})")
    ],
    {"gain": gain},
    "Give the fighter the conditions of its sheet.",
)


@compiled
def seat(fight: Any, i: Any, sheet: Any, foe: Any) -> None:
    """Write a fighter's components into the engine's record of its fight against `foe`."""
    fighter = fight.fighters[i]
    fighter.phase_heart = sheet.heart
    fighter.ability[MIGHT] = sheet.might
    fighter.ability[AGILITY] = sheet.agility
    fighter.ability[CUNNING] = sheet.cunning
    fighter.weapon_die, fighter.armed = sheet.weapon_die, sheet.armed > 0
    fighter.armor, fighter.shield, fighter.attack_bonus = sheet.armor, sheet.shield, sheet.attack_bonus
    fighter.helped, fighter.action = sheet.helped, sheet.action > 0
    fighter.attack_type = (
        RANGED if sheet.weapon_ranged > 0 else THROWN if sheet.weapon_thrown > 0 else WHIP if sheet.weapon_whip > 0
        else MELEE
    )  # fmt: skip
    fighter.damage_type = (
        BLUDGEONING if sheet.weapon_bludgeoning > 0 else SLASHING if sheet.weapon_slashing > 0
        else PIERCING if sheet.weapon_piercing > 0 else NO_DAMAGE_TYPE
    )  # fmt: skip
    fill(fighter.levels, 0)
    fill(fighter.source, NOBODY)
    fighter.afflicted = 0
    fighter.climbing = NOBODY
    fighter.source[FRIGHTENED] = 1 - i  # a frightened fighter is assumed to see the source
    show_conditions(fighter, sheet)
    if sheet.climbs > 0:
        gain(fighter, CREATURE_CLIMBER, 1)
        fighter.climbing = 1 - i
    if foe.climbs > 0:
        gain(fighter, CLIMBED_ON, 1)
