"""Random numbers as a function of (seed, fight, draw number), and given dice results.

The same fight draws the same dice alone or in any batch, on any number of threads: nothing is shared between fights.
Each draw mixes the fight's key with the draw's number (the finaliser of SplitMix64, public domain).
"""

from __future__ import annotations

import numpy as np

from heartrush_env.tabletop.limits import Limits
from heartrush_env.tabletop.records import Field
from heartrush_env.tabletop.rule import compiled, inlined

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_30, _27, _31, _32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)

MAX_GIVEN_DICE = 512  # the most results that can be given to one fight at a time
NO_DICE = np.zeros(0, np.uint8)  # no given results: all dice are rolled
NO_NUMBERS = np.zeros(0, np.int64)  # no fight numbers, for a call that starts no fights

CHANCE: list[Field] = [
    ("key", "u8"),  # of this fight: mixed from the seed and the fight's number
    ("draw", "u4"),  # draws made so far
    ("given_count", "i2"),  # given results, and how many of them were used
    ("given_used", "i2", Limits(0, most="given_count")),
    # A given result larger than its die: the result, and the sides of the die. Such a step is undone at once.
    ("bad_die", "i2", Limits(0, 0)),
    ("bad_sides", "i2", Limits(0, 0)),
    ("bad_place", "i2"),  # the position of this result among the given ones, from 1
    ("given", "u1", (MAX_GIVEN_DICE,)),
]


@compiled
def mix(value):
    """Scramble 64 bits so that neighbouring inputs give unrelated results."""
    value = (value ^ (value >> _30)) * _MIX_1
    value = (value ^ (value >> _27)) * _MIX_2
    return value ^ (value >> _31)


@compiled
def fight_key(seed, fight):
    """Return the key of fight number `fight` under `seed`."""
    return mix(mix(np.uint64(seed) + GOLDEN) ^ (np.uint64(fight) * GOLDEN))


@inlined
def roll_die(fight, sides):
    """Roll one die: the next given result if any is left, otherwise the fight's own next draw."""
    if fight.given_used < fight.given_count:
        return _given_die(fight, sides)
    bits = mix(fight.key + np.uint64(fight.draw) * GOLDEN)
    fight.draw += 1
    return np.int64(((bits >> _32) * np.uint64(sides)) >> _32) + 1


@compiled
def _given_die(fight, sides):
    result = np.int64(fight.given[fight.given_used])
    fight.given_used += 1
    if result > sides and fight.bad_die == 0:
        fight.bad_die = result
        fight.bad_sides = sides
        fight.bad_place = fight.given_used
    return min(result, sides)


@compiled
def roll_sum(fight, number, sides):
    """Roll dice of one size; return their sum."""
    total = np.int64(0)
    for _ in range(number):
        total += roll_die(fight, sides)
    return total
