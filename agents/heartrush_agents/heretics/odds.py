"""The exact odds of an attack: the chance to hit, and what a blow does to a number of hit points."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

FACES = 20


class Blow(NamedTuple):
    """The effect of an attack, or of a hit, on its target."""

    out: float  # probability that the target is out
    loss: float  # mean loss of hit points, at most those that it has


@cache
def success(number: int, edge: int, extremes: bool = True) -> float:
    """Return the probability that a d20 reaches a number.

    Args:
        number: The number that the die itself must reach.
        edge: 1 for advantage, -1 for disadvantage, else 0.
        extremes: Whether a natural 1 always fails and a natural 20 always succeeds.
    """
    faces = FACES + 1 - number
    share = min(max(faces, 1), FACES - 1) / FACES if extremes else min(max(faces, 0), FACES) / FACES
    if edge > 0:
        return 1 - (1 - share) ** 2
    return share**2 if edge < 0 else share


@cache
def totals(sides: int, count: int, twice: bool) -> tuple[float, ...]:
    """Return the probability of each total of some dice, from 0 up; with `twice`, each is the better of two rolls."""
    if count == 0:
        return (1.0,)
    rest = totals(sides, count - 1, twice)
    found = [0.0] * (len(rest) + sides)
    for face in range(1, sides + 1):
        share = (2 * face - 1) / sides**2 if twice else 1 / sides
        for total, chance in enumerate(rest):
            found[total + face] += share * chance
    return tuple(found)


@cache
def hit(sides: int, count: int, twice: bool, more: int, hp: int) -> Blow:
    """Return what a hit for some dice and `more` does to a target with `hp` hit points."""
    chances = totals(sides, count, twice)
    out = sum(chance for total, chance in enumerate(chances) if total + more >= hp)
    return Blow(out, sum(chance * min(total + more, hp) for total, chance in enumerate(chances)))


@cache
def burst(count: int, save: float, hp: int) -> Blow:
    """Return what an area of some d6 does to a target with `hp` hit points, which a save halves with this chance."""
    chances = totals(6, count, False)
    halved = Blow(
        sum(chance for total, chance in enumerate(chances) if total // 2 >= hp),
        sum(chance * min(total // 2, hp) for total, chance in enumerate(chances)),
    )
    return mixed(1 - save, hit(6, count, False, 0, hp), save, halved)


def mixed(chance: float, first: Blow, rare: float, second: Blow) -> Blow:
    """Return a blow that is `first` with one probability and `second` with another, and otherwise does nothing."""
    return Blow(chance * first.out + rare * second.out, chance * first.loss + rare * second.loss)
