"""Dice pools: one description of a roll that can be rolled, averaged or turned into a distribution.

`roll` throws it, `expected` gives its mean, and `distribution` gives every total with its exact probability. A pool is
a record: the dice of the handful in reading order, flat bonuses, the net of advantage and disadvantage, and bonus dice
that are rolled apart from the handful and simply added.

Advantage adds dice of the smallest size in the handful and drops the same number of lowest results. Disadvantage adds
dice of the largest size and drops the same number of highest results.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

import numpy as np

from heartrush_env.games.heart_rush.rules.hooks import there_are_abilities
from heartrush_env.games.heart_rush.rules.terms import DIE_SOURCES, FLAT_SOURCES, OF_ABILITY_BONUS
from heartrush_env.tabletop.arrays import fill, workspace
from heartrush_env.tabletop.entries import (
    Reader,
    at_least,
    constant,
    extreme,
    joined,
    listed,
    magnitude,
    rows,
    table,
    when,
    word,
)
from heartrush_env.tabletop.records import record
from heartrush_env.tabletop.rng import roll_die
from heartrush_env.tabletop.rule import compiled, inlined, only_with, rule

MAX_HANDFUL = 6  # heart, ability, weapon, damage-type bonus, might bonus, and one spare
MAX_GATHERED = 60  # bonus dice before a roll is thrown; the tests count that no loadout has more
MAX_BONUS = 100  # bonus dice including those added after a throw, of which Brutal Attacks adds up to 20
NO_BONUS = 1  # room for bonus dice in fights without abilities, where there are none; no array is empty
MAX_FLAT = 4  # flat bonuses of one roll: bonus, armor, shield, abilities
MAX_LEVELS = 20  # limit of net advantage or disadvantage, whatever the settings
MAX_ROLLED = MAX_HANDFUL + MAX_LEVELS + MAX_BONUS
NOT_GIVEN = -(2**15)  # a value that no pool can total


def pool_record(bonus: int) -> np.dtype[Any]:
    """Return the record type of a pool with up to `bonus` bonus dice."""
    return record(
        [
            ("count", "i1"),
            ("sides", "u1", (MAX_HANDFUL,)),  # in the order in which they are read
            ("source", "u1", (MAX_HANDFUL,)),  # the source of each die
            ("net", "i1"),  # advantage levels less disadvantage levels
            ("flat_bonus", "i2"),  # the sum of all flat bonuses
            ("flat_count", "i1"),
            ("flat_source", "u1", (MAX_FLAT,)),
            ("flat_amount", "i2", (MAX_FLAT,)),
            ("bonus_count", "i1"),
            ("bonus", "u1", (bonus,)),
        ]
    )


def roll_record(bonus: int) -> np.dtype[Any]:
    """Return the record type of a roll with up to `bonus` bonus dice."""
    return record(
        [
            ("total", "i2"),
            ("count", "i1"),
            ("results", "u1", (MAX_HANDFUL + MAX_LEVELS + bonus,)),  # in the order rolled
            ("pool", pool_record(bonus)),  # the rolled pool, kept for events and abilities
        ]
    )


POOL, ROLL = pool_record(MAX_BONUS), roll_record(MAX_BONUS)


def new_pool(*sides: int, net: int = 0, flat_bonus: int = 0, bonus: tuple[int, ...] = ()) -> Any:
    """Make a pool for use outside a fight: dice by their sides, net advantage levels, a flat bonus and bonus dice."""
    pool = np.zeros(1, POOL)[0]
    pool.count = len(sides)
    pool.sides[: len(sides)] = sides
    pool.net, pool.flat_bonus = net, flat_bonus
    pool.bonus_count = len(bonus)
    pool.bonus[: len(bonus)] = bonus
    return pool


@inlined
def clear_pool(pool):
    """Clear the pool."""
    pool.count = 0
    pool.bonus_count = 0
    pool.net = 0
    pool.flat_bonus = 0
    pool.flat_count = 0


@inlined
def add_die(pool, source, sides):
    """Add a die to the pool, unless `sides` is 0."""
    if sides > 0:
        pool.sides[pool.count] = sides
        pool.source[pool.count] = source
        pool.count += 1


@inlined
def add_flat(pool, source, amount):
    """Add a flat bonus to the pool, unless it is 0."""
    if amount != 0:
        pool.flat_amount[pool.flat_count] = amount
        pool.flat_source[pool.flat_count] = source
        pool.flat_count += 1
        pool.flat_bonus += amount


@compiled
def add_ability_bonus(pool, amount):
    """Add a flat bonus from an ability to the pool, which keeps only the sum of such bonuses."""
    for k in range(pool.flat_count):
        if pool.flat_source[k] == OF_ABILITY_BONUS:
            pool.flat_amount[k] += amount
            pool.flat_bonus += amount
            return
    add_flat(pool, OF_ABILITY_BONUS, amount)


@inlined
def add_bonus_dice(pool, number, sides):
    """Add an ability's bonus dice to the pool; they are rolled apart from the handful, and their results are added."""
    for _ in range(min(number, MAX_GATHERED - pool.bonus_count)):
        pool.bonus[pool.bonus_count] = sides
        pool.bonus_count += 1


@compiled
def copy_pool(pool, copy):
    """Copy one pool into another."""
    copy.count = pool.count
    copy.net = pool.net
    copy.flat_bonus = pool.flat_bonus
    copy.flat_count = pool.flat_count
    copy.bonus_count = pool.bonus_count
    for k in range(pool.count):
        copy.sides[k] = pool.sides[k]
        copy.source[k] = pool.source[k]
    for k in range(pool.flat_count):
        copy.flat_amount[k] = pool.flat_amount[k]
        copy.flat_source[k] = pool.flat_source[k]
    for k in range(pool.bonus_count):
        copy.bonus[k] = pool.bonus[k]


@compiled
def copy_roll(rolled, again):
    """Copy one roll into another."""
    again.total, again.count = rolled.total, rolled.count
    copy_pool(rolled.pool, again.pool)
    for k in range(rolled.count):
        again.results[k] = rolled.results[k]


@rule("Dice Mechanics > Advantage and Disadvantage", "R-22", "R-28", unfolds=True)
def roll(pool, fight, out):
    """Roll the pool into `out`: every die in reading order, and the total of the dice that count; return the total."""
    if fight.recording or there_are_abilities(fight):  # both read the thrown pool
        copy_pool(pool, out.pool)
    given = given_total(fight, pool)
    if given != NOT_GIVEN:
        out.count = 0
        out.total = given
        return given
    total = np.int64(pool.flat_bonus)
    count = pool.count
    for i in range(count):
        result = roll_die(fight, pool.sides[i])
        out.results[i] = result
        total += result
    if pool.net != 0:
        extra = abs(np.int64(pool.net))
        sides = extreme_die(pool)
        for i in range(extra):
            result = roll_die(fight, sides)
            out.results[count + i] = result
            total += result
        count += extra
        total -= sum_of(out, count, dropped(out, count, extra, pool.net > 0))
    for i in range(pool.bonus_count):
        result = roll_die(fight, pool.bonus[i])
        out.results[count] = result
        count += 1
        total += result
    out.count = count
    out.total = total
    return total


@only_with("totals", otherwise=NOT_GIVEN)
@compiled
def given_total(fight, pool):
    """Return the next given total, or NOT_GIVEN if none is left; copy the first pool without one into `fight.asked`.

    A caller that enumerates all outcomes gives totals: it needs the probability of each total, not the many throws that
    produce it.
    """
    place = fight.totals_used
    fight.totals_used += 1
    if place < fight.totals_given:
        return np.int64(fight.totals[place])
    if place == fight.totals_given:
        copy_pool(pool, fight.asked)
    return NOT_GIVEN


@compiled
def extreme_die(pool):
    """Return the size of the dice that advantage (the smallest) or disadvantage (the largest) adds."""
    found = pool.sides[0]
    for i in range(1, pool.count):
        if (pool.net > 0) == (pool.sides[i] < found):
            found = pool.sides[i]
    return found


@compiled
def dropped(out, count, extra, lowest):
    """Return a bit mask of the `extra` lowest or highest of the first `count` results; ties go to the first (R-150)."""
    taken = np.int64(0)
    for _ in range(extra):
        best = -1
        for i in range(count):
            if taken >> i & 1:
                continue
            if best < 0 or ((out.results[i] < out.results[best]) == lowest and out.results[i] != out.results[best]):
                best = i
        taken |= np.int64(1) << best
    return taken


@compiled
def sum_of(out, count, chosen):
    """Return the sum of the first `count` results whose bits are set in `chosen`."""
    total = np.int64(0)
    for i in range(count):
        if chosen >> i & 1:
            total += out.results[i]
    return total


# Abilities can read a thrown roll, because its pool is kept.


@rule("Dice Mechanics > Advantage and Disadvantage", "R-150")
def kept_dice(out):
    """Return a bit mask of the dice not dropped by advantage or disadvantage; among equal dice the first is dropped."""
    pool = out.pool
    extra = abs(np.int64(pool.net))
    everything = (np.int64(1) << np.int64(out.count)) - 1
    return everything & ~dropped(out, pool.count + extra, extra, pool.net > 0)


@compiled
def sides_of(out, k):
    """Return the sides of die k of a roll."""
    pool = out.pool
    extra = abs(np.int64(pool.net))
    if k < pool.count:
        return np.int64(pool.sides[k])
    return np.int64(extreme_die(pool)) if k < pool.count + extra else np.int64(pool.bonus[k - pool.count - extra])


@compiled
def shows_a_maximum(out):
    """Return whether any die that counts shows its maximum."""
    kept = kept_dice(out)
    for k in range(out.count):
        if kept >> k & 1 and out.results[k] == sides_of(out, k):
            return True
    return False


@compiled
def count_again(out):
    """Recompute and return the total of a roll whose results have changed."""
    out.total = out.pool.flat_bonus + sum_of(out, out.count, kept_dice(out))
    return out.total


# Abilities can add dice to a thrown roll.


@compiled
def throw_further(fight, out, number, sides):
    """Roll additional bonus dice and add them to a roll, apart from its handful."""
    pool = out.pool
    for _ in range(min(number, len(pool.bonus) - pool.bonus_count)):
        result = roll_die(fight, sides)
        pool.bonus[pool.bonus_count] = sides
        pool.bonus_count += 1
        out.results[out.count] = result
        out.count += 1
        out.total += result


@compiled
def take_off(fight, out, number, sides):
    """Roll dice and subtract them from a roll's total; events show them as a negative bonus."""
    amount = np.int64(0)
    for _ in range(number):
        amount += roll_die(fight, sides)
    add_ability_bonus(out.pool, -amount)
    out.total -= amount


new_chances = workspace((MAX_HANDFUL + MAX_LEVELS + 1,), np.float64)


@compiled
def expected(pool):
    """Return the exact mean of the pool, including flat bonus and bonus dice.

    The handful keeps its `count` best (or worst) dice. The k-th best is at least v exactly when at least k dice are, so
    the mean is the sum over k and v of the probability that enough dice reach v.
    """
    keep, extra = pool.count, abs(np.int64(pool.net))
    added = extreme_die(pool) if extra > 0 else 0
    total = np.float64(pool.flat_bonus)
    for i in range(pool.bonus_count):
        total += (pool.bonus[i] + 1) / 2
    largest = 0
    for i in range(pool.count):
        largest = max(largest, np.int64(pool.sides[i]))
    reaching = new_chances()  # probability that exactly k dice show at least `value`
    for value in range(1, largest + 1):
        fill(reaching, 0.0)
        reaching[0] = 1.0
        for i in range(keep + extra):
            sides = np.int64(pool.sides[i]) if i < keep else np.int64(added)
            chance = max(0, sides - value + 1) / sides
            for k in range(i + 1, 0, -1):
                reaching[k] = reaching[k] * (1 - chance) + reaching[k - 1] * chance
            reaching[0] *= 1 - chance
        for k in range(keep + extra + 1):
            counted = min(k, keep) if pool.net >= 0 else max(0, k - extra)
            total += counted * reaching[k]
    return total


def dice_in(pool: str = "") -> Reader:
    """Return the reader of the source and the sides of each die of a pool, in rolling order.

    `pool` leads to the pool in an entry, as in "attack_pool."; by default the entry is a pool.
    """
    added = when(
        at_least(f"{pool}net", 1),
        listed(constant("advantage"), extreme("least", f"{pool}sides", f"{pool}count")),
        listed(constant("disadvantage"), extreme("most", f"{pool}sides", f"{pool}count")),
    )
    return joined(
        rows(f"{pool}count", listed(word(f"{pool}source.k", DIE_SOURCES), f"{pool}sides.k")),
        rows(magnitude(f"{pool}net"), added),
        rows(f"{pool}bonus_count", listed(constant("bonus"), f"{pool}bonus.k")),
    )


def flat_in(pool: str = "") -> Reader:
    """Return the reader of a pool's flat bonuses by source."""
    return table(f"{pool}flat_count", word(f"{pool}flat_source.k", FLAT_SOURCES), f"{pool}flat_amount.k")


_DICE, _FLAT = dice_in(), flat_in()


def dice_of(pool: Any) -> list[tuple[str, int]]:
    """Return the source and the sides of each die of the pool, in rolling order."""
    return [(source, sides) for source, sides in _DICE.read(pool, {}, 0)]


def flat_of(pool: Any) -> dict[str, int]:
    """Return the pool's flat bonuses by source."""
    found: dict[str, int] = _FLAT.read(pool, {}, 0)
    return found


def distribution(pool: Any) -> dict[int, Fraction]:
    """Return every total of the pool with its exact probability."""
    keep, extra = int(pool.count), abs(int(pool.net))
    dice = [int(s) for s in pool.sides[:keep]] + [int(extreme_die(pool))] * extra
    totals = _kept_totals(dice, keep, highest=int(pool.net) >= 0)
    for sides in pool.bonus[: int(pool.bonus_count)]:
        totals = _convolve(totals, {face: Fraction(1, int(sides)) for face in range(1, int(sides) + 1)})
    return {total + int(pool.flat_bonus): chance for total, chance in sorted(totals.items())}


def _kept_totals(dice: list[int], keep: int, *, highest: bool) -> dict[int, Fraction]:
    """Return the totals of the `keep` highest (or lowest) dice with their probabilities.

    The faces are processed from the kept end. At each face, each undecided die shows either this face or a later one.
    Dice of one size are interchangeable, so a state is the number of undecided dice of each size and the total kept so
    far, with the number of ways to reach it.
    """
    sizes = sorted(set(dice))
    faces = range(max(dice, default=0), 0, -1) if highest else range(1, max(dice, default=0) + 1)
    states: dict[tuple[tuple[int, ...], int], int] = {(tuple(dice.count(s) for s in sizes), 0): 1}
    for face in faces:
        after: dict[tuple[tuple[int, ...], int], int] = {}
        for (left, total), ways in states.items():
            for shown, remaining, count in _showing(sizes, left, face):
                decided = len(dice) - sum(left)
                kept = min(shown, max(0, keep - decided))
                key = (remaining, total + kept * face)
                after[key] = after.get(key, 0) + ways * count
        states = after
    outcomes = 1
    for sides in dice:
        outcomes *= sides
    totals: dict[int, Fraction] = {}
    for (left, total), ways in states.items():
        if not any(left):  # every die has shown some face
            totals[total] = totals.get(total, Fraction(0)) + Fraction(ways, outcomes)
    return totals


def _showing(sizes: list[int], left: tuple[int, ...], face: int) -> list[tuple[int, tuple[int, ...], int]]:
    """Return the ways undecided dice can show `face`: (dice showing it, dice left of each size, number of ways)."""
    results: list[tuple[int, tuple[int, ...], int]] = [(0, (), 1)]
    for size, count in zip(sizes, left, strict=True):
        most = count if face <= size else 0
        results = [
            (shown + k, (*remaining, count - k), ways * comb(count, k))
            for shown, remaining, ways in results
            for k in range(most + 1)
        ]
    return results


def _convolve(first: dict[int, Fraction], second: dict[int, Fraction]) -> dict[int, Fraction]:
    result: dict[int, Fraction] = {}
    for a, p in first.items():
        for b, q in second.items():
            result[a + b] = result.get(a + b, Fraction(0)) + p * q
    return result
