"""Exact probabilities of dice pool totals, in a table that grows on demand.

Compiled code looks up pools by their dice and levels of advantage. It enters a missing pool in the table and marks it
as wanted. The rules' exact distribution is then written there, and the code asks again.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from heartrush_env.games.heart_rush.rules.dice import MAX_GATHERED, MAX_HANDFUL, MAX_LEVELS, distribution, new_pool
from heartrush_env.games.heart_rush.rules.terms import DIE_LADDER
from heartrush_env.tabletop.records import record
from heartrush_env.tabletop.rule import compiled

LARGEST_TOTAL: Final = (MAX_HANDFUL + MAX_GATHERED) * max(DIE_LADDER)
FIRST_SIZE: Final = 1021  # entries in the table; a prime number, because keys often share their last digits
WANTED_AT_ONCE: Final = 256
DIGITS: Final = max(DIE_LADDER) // 2 + 1  # base of a key's handful digits: half of a die's even number of sides, or 0
COUNTS: Final = MAX_GATHERED + 1  # base of a key's bonus digits: the number of bonus dice of one size
NETS: Final = 2 * MAX_LEVELS + 1

# The totals of a pool's dice, without flat bonuses.
TOTALS = record(
    [
        ("key", "i8"),  # 0 in free entries
        ("most", "i8"),  # the highest total
        ("chances", "f8", (LARGEST_TOTAL + 1,)),  # the probability of each total
        ("beyond", "f8", (LARGEST_TOTAL + 1,)),  # the expected points above each total
    ]
)


@compiled
def key_of(pool: Any, net: Any) -> Any:
    """Return a key for the dice of a pool at net advantage `net`, which replaces the pool's own."""
    key = np.int64(1)
    for k in range(MAX_HANDFUL):
        key = key * DIGITS + (np.int64(pool.sides[k]) // 2 if k < pool.count else 0)
    for sides in DIE_LADDER:
        count = 0
        for k in range(pool.bonus_count):
            count += pool.bonus[k] == sides
        key = key * COUNTS + count
    return key * NETS + net + MAX_LEVELS


def pool_of(key: int) -> Any:
    """Return the pool with this key."""
    key, net = divmod(key, NETS)
    bonus: list[int] = []
    for sides in reversed(DIE_LADDER):
        key, count = divmod(key, COUNTS)
        bonus = [sides] * count + bonus
    halves = [key // DIGITS**k % DIGITS for k in reversed(range(MAX_HANDFUL))]
    return new_pool(*(2 * half for half in halves if half), net=net - MAX_LEVELS, bonus=tuple(bonus))


@compiled
def place_of(pool: Any, net: Any, known: Any, wanted: Any) -> Any:
    """Return the table index of a pool's totals; an entry that is missing is marked as wanted, and still empty."""
    key = key_of(pool, net)
    place = key % len(known)
    while known[place].key != key and known[place].key != 0:
        place = place + 1 if place + 1 < len(known) else 0
    if known[place].key == 0 and wanted[0] + 1 < len(wanted):
        known[place].key = key
        wanted[0] += 1
        wanted[wanted[0]] = place
    return place


@compiled
def points_beyond(totals: Any, least: Any) -> Any:
    """Return the expected number of points by which a roll exceeds `least`, counting 0 where it does not."""
    if least >= totals.most:
        return 0.0
    return totals.beyond[0] - least if least < 0 else totals.beyond[least]


@compiled
def harm(attack: Any, defense: Any, bonus: Any, halved: Any, most: Any) -> Any:
    """Return the expected points by which an attack roll plus `bonus` exceeds a defense roll, at most `most`.

    If `halved`, half of the points count, rounded up.
    """
    damage = 0.0
    for total in range(defense.most + 1):
        if defense.chances[total] > 0:
            if halved:
                points = half_beyond(attack, total - bonus, most)
            else:
                points = points_beyond(attack, total - bonus) - points_beyond(attack, total - bonus + most)
            damage += defense.chances[total] * points
    return damage


@compiled
def half_beyond(attack: Any, least: Any, most: Any) -> Any:
    """Return the expected value of half the points by which a roll exceeds `least`, rounded up, at most `most`."""
    points = 0.0
    for k in range(most):
        odd = least + 2 * k
        if odd >= attack.most:
            break
        points += points_beyond(attack, odd) - points_beyond(attack, odd + 1)
    return points


@compiled
def chance_to_exceed(totals: Any, others: Any) -> Any:
    """Return the probability that one roll is higher than another."""
    chance = 0.0
    for total in range(others.most + 1):
        chance += others.chances[total] * (points_beyond(totals, total) - points_beyond(totals, total + 1))
    return chance


class Table:
    """A table of the totals of pools, with the indices of entries that are wanted."""

    def __init__(self) -> None:
        """Create an empty table."""
        self.known = np.zeros(FIRST_SIZE, TOTALS)
        self.wanted: NDArray[np.int64] = np.zeros(1 + WANTED_AT_ONCE, np.int64)  # count, then indices
        self._count = 0

    def fill(self) -> bool:
        """Write the totals of the wanted pools; return whether there were any."""
        count = int(self.wanted[0])
        for place in self.wanted[1 : 1 + count].tolist():
            _write(self.known[place])
        self.wanted[0] = 0
        self._count += count
        if 2 * (self._count + WANTED_AT_ONCE) > len(self.known):
            self._grow()
        return count > 0

    def _grow(self) -> None:
        """Grow the table to twice its size plus 1, so that its size stays odd."""
        old, self.known = self.known[self.known["key"] != 0], np.zeros(2 * len(self.known) + 1, TOTALS)
        for totals in old:
            place = int(totals["key"]) % len(self.known)
            while self.known[place].key:
                place = (place + 1) % len(self.known)
            self.known[place] = totals


def _write(totals: Any) -> None:
    """Fill an entry with the probabilities of the pool that its key stands for."""
    for total, chance in distribution(pool_of(int(totals.key))).items():
        totals.chances[total] = float(chance)
        totals.most = total
    reaching = np.cumsum(totals.chances[::-1])[::-1]  # the probability of each total or more
    totals.beyond[:-1] = np.cumsum(reaching[:0:-1])[::-1]
