"""Handfuls of dice, with advantage and disadvantage (RULES, "Dice")."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import prod

DIE_SIZES = (4, 6, 8, 10, 12, 20)


def one_size_down(die: int) -> int:
    """Return the die after it "falls one size"; a d4 stays a d4."""
    return DIE_SIZES[max(0, DIE_SIZES.index(die) - 1)]


def half(number: int) -> int:
    """Return half the number, rounded up (R-10)."""
    return (number + 1) // 2


def whole_handful(dice: Sequence[int], levels: int) -> list[int]:
    """Return the dice to roll: A_n adds n dice of the smallest size, D_n adds n of the largest."""
    if levels >= 0:
        return list(dice) + [min(dice)] * levels
    return list(dice) + [max(dice)] * -levels


def kept_dice(rolled: Sequence[tuple[int, int]], levels: int) -> list[tuple[int, int]]:
    """Return the kept results, each with the sides of its die: A_n drops the n lowest, D_n the n highest.

    Of equal results those rolled first are dropped (R-150).
    """
    worst_first = sorted(range(len(rolled)), key=lambda place: rolled[place][0] * (1 if levels >= 0 else -1))
    return [rolled[place] for place in sorted(worst_first[abs(levels) :])]


def kept_total(results: Sequence[int], levels: int) -> int:
    """Return the sum of the kept results."""
    return sum(result for result, _ in kept_dice([(result, 0) for result in results], levels))


def distribution(dice: Sequence[int], levels: int) -> dict[int, Fraction]:
    """Return the chance of every total of these dice with these levels, by enumerating every outcome."""
    rolled = whole_handful(dice, levels)
    outcomes = Counter(kept_total(results, levels) for results in product(*(range(1, die + 1) for die in rolled)))
    return {total: Fraction(count, prod(rolled)) for total, count in outcomes.items()}


def expected_by_enumeration(dice: Sequence[int], levels: int) -> Fraction:
    """Return the expected total of a small handful, from its whole distribution."""
    return sum((total * chance for total, chance in distribution(dice, levels).items()), Fraction(0))


@cache
def expected(dice: tuple[int, ...], levels: int) -> Fraction:
    """Return the exact expected total of any handful.

    A result r counts one for each face 1..r, so a total is the sum over all faces of the number of kept dice that show
    at least that face. If k dice do, A_n keeps all of them that it has room for; D_n drops n of them.
    """
    rolled = whole_handful(dice, levels)
    total = Fraction(0)
    for face in range(1, max(rolled) + 1):
        for count, chance in _how_many_reach(rolled, face).items():
            kept = min(count, len(dice)) if levels >= 0 else max(0, count + levels)
            total += kept * chance
    return total


def _how_many_reach(dice: Sequence[int], face: int) -> dict[int, Fraction]:
    """Return, for each k, the chance that exactly k of the dice show at least this face."""
    chances = {0: Fraction(1)}
    for die in dice:
        reach = Fraction(max(0, die - face + 1), die)
        following: dict[int, Fraction] = {}
        for count, chance in chances.items():
            following[count] = following.get(count, Fraction(0)) + chance * (1 - reach)
            following[count + 1] = following.get(count + 1, Fraction(0)) + chance * reach
        chances = following
    return chances
