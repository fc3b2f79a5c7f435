"""A second solver of duels in beats: a slow recursion in exact fractions over the faces of all dice.

It was written from the rule text alone. Each duelist is a Fighter, whose fields change as the duel goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import combinations, product

WORDS = ("parry", "push", "feint")
BEATEN = {"parry": "push", "push": "feint", "feint": "parry"}
Mix = tuple[Fraction, ...]
Chances = dict[int, Fraction]


@dataclass(frozen=True)
class Fighter:
    """A duelist: its figures, and what the duel has done to it."""

    hp: int
    armor: int  # without the shield
    bonus: int
    die: int = 6
    always_two_hands: bool = False
    one_or_two_hands: bool = True
    strength: int = 2
    shield: bool = True
    weapon: bool = True
    is_open: bool = False
    steady: bool = False


@dataclass(frozen=True)
class Rules:
    """The rules that groups of players set differently."""

    full: bool
    chooser: bool = False
    adds: bool = False  # natural 20 and sunder together: three times the dice


def solved(matrix: Sequence[Sequence[Fraction]]) -> tuple[Fraction, Mix, Mix]:
    """Return the value of a matrix game and a mix of each side, found by trying all supports."""
    rows, columns = range(len(matrix)), range(len(matrix[0]))
    for size in range(1, min(len(rows), len(columns)) + 1):
        for used, other in product(combinations(rows, size), combinations(columns, size)):
            first = _evening([[matrix[i][j] for i in used] for j in other])
            second = _evening([[matrix[i][j] for j in other] for i in used])
            if first is None or second is None or min(*first[0], *second[0]) < 0:
                continue
            x = tuple(first[0][used.index(i)] if i in used else Fraction(0) for i in rows)
            y = tuple(second[0][other.index(j)] if j in other else Fraction(0) for j in columns)
            best = max(sum(matrix[i][j] * y[j] for j in columns) for i in rows)
            worst = min(sum(matrix[i][j] * x[i] for i in rows) for j in columns)
            if best == worst:
                return best, x, y
    raise AssertionError("every matrix game has a solution")


def _evening(lines: list[list[Fraction]]) -> tuple[list[Fraction], Fraction] | None:
    """Return shares that make the sum over every line the same, and that sum; None if there are none or many."""
    size = len(lines)
    table = [[*line, Fraction(-1), Fraction(0)] for line in lines]
    table.append([Fraction(1)] * size + [Fraction(0), Fraction(1)])
    for column in range(size + 1):
        pivot = next((k for k in range(column, size + 1) if table[k][column] != 0), None)
        if pivot is None:
            return None
        table[column], table[pivot] = table[pivot], table[column]
        table[column] = [entry / table[column][column] for entry in table[column]]
        for k in range(size + 1):
            if k != column:
                factor = table[k][column]
                table[k] = [a - factor * b for a, b in zip(table[k], table[column], strict=True)]
    return [line[-1] for line in table[:size]], table[size][-1]


@cache
def attack(x: Fighter, y: Fighter, feint: bool, parry: bool) -> dict[str, Fraction]:
    """Return the chances of a natural 1, a miss, a hit and a natural 20, over all faces."""
    faces = range(1, 21)
    kept = [max(pair) for pair in product(faces, faces)] if y.is_open else list(faces)
    found = dict.fromkeys(("one", "miss", "hit", "twenty"), Fraction(0))
    for face in kept:
        reaches = face + x.bonus + (3 if feint else 0) >= y.armor + (1 if y.shield else 0) + (3 if parry else 0)
        name = {1: "one", 20: "twenty"}.get(face, "hit" if reaches else "miss")
        found[name] += Fraction(1, len(kept))
    return found


@cache
def damage(weapon: bool, die: int, two_hands: bool, strength: int, dice: int, push: bool) -> Chances:
    """Return the chances of each damage of a hit."""
    if not weapon:
        return {max(0, strength) + (3 if push else 0): Fraction(1)}
    faces = range(1, die + 1)
    once = [max(pair) for pair in product(faces, faces)] if two_hands else list(faces)
    found = {3 if push else 0: Fraction(1)}
    for _ in range(dice):
        longer: Chances = {}
        for (amount, chance), face in product(found.items(), once):
            longer[amount + face] = longer.get(amount + face, Fraction(0)) + chance / len(once)
        found = longer
    return found


def harm(x: Fighter, roll: str, sundered: bool, push: bool, rules: Rules) -> Chances:
    """Return the chances of each damage by one attack that no shield stops."""
    if roll not in ("hit", "twenty"):
        return {0: Fraction(1)}
    dice = (2 if roll == "twenty" else 1) * (2 if sundered else 1)
    two_hands = x.always_two_hands or (x.one_or_two_hands and not x.shield)
    return damage(x.weapon, x.die, two_hands, x.strength, 3 if dice == 4 and rules.adds else dice, push)


@cache
def value(beats: int, x: Fighter, y: Fighter, rules: Rules) -> Fraction:
    """Return the first fighter's chance to win minus its chance to lose, when both play as well as they can."""
    if x.hp == 0 or y.hp == 0:
        return Fraction((x.hp > 0) - (y.hp > 0))
    return Fraction(0) if beats == 0 else beat(beats, x, y, rules)[0]


@cache
def beat(beats: int, x: Fighter, y: Fighter, rules: Rules) -> tuple[Fraction, Mix, Mix]:
    """Return the value of a beat, with this number of beats left, and a mix of each side."""
    return solved([[chosen(beats, x, y, rules, i, j) for j in WORDS] for i in WORDS])


def chosen(beats: int, x: Fighter, y: Fighter, rules: Rules, i: str, j: str) -> Fraction:
    """Return the value when these choices are revealed."""
    mine = rules.chooser or i == j or BEATEN[i] == j
    theirs = rules.chooser or i == j or BEATEN[j] == i
    first = attack(x, y, mine and i == "feint", theirs and j == "parry")
    second = attack(y, x, theirs and j == "feint", mine and i == "parry")
    pushes = mine and i == "push", theirs and j == "push"
    return sum(
        (p * q * rolled(beats, replace(x, is_open=False), replace(y, is_open=False), rules, roll, other, *pushes))
        for (roll, p), (other, q) in product(first.items(), second.items())
        if p and q
    )  # type: ignore[return-value]


@cache
def rolled(
    beats: int, x: Fighter, y: Fighter, rules: Rules, roll: str, other: str, push_x: bool, push_y: bool
) -> Fraction:
    """Return the value when both rolls are seen: the sunder game, then the shield game, then the damage."""
    hits = roll in ("hit", "twenty"), other in ("hit", "twenty")
    opens = rules.full and roll == "one" and not x.steady, rules.full and other == "one" and not y.steady

    def answered(sunder_x: bool, sunder_y: bool, breaks_x: bool, breaks_y: bool) -> Fraction:
        by_x = {0: Fraction(1)} if breaks_y else harm(x, roll, sunder_x, push_x, rules)
        by_y = {0: Fraction(1)} if breaks_x else harm(y, other, sunder_y, push_y, rules)
        # What is broken is missing from the next beat on: until then a broken shield fills its hand.
        after_x = replace(x, shield=x.shield and not breaks_x, weapon=x.weapon and not sunder_x, is_open=opens[0])
        after_y = replace(y, shield=y.shield and not breaks_y, weapon=y.weapon and not sunder_y, is_open=opens[1])
        total = Fraction(0)
        for (d, p), (e, q) in product(by_x.items(), by_y.items()):
            left_x, left_y = replace(after_x, hp=max(0, x.hp - e)), replace(after_y, hp=max(0, y.hp - d))
            total += p * q * value(beats - 1, left_x, left_y, rules)
        return total

    def shields(sunder_x: bool, sunder_y: bool) -> Fraction:
        return small(
            lambda a, b: answered(sunder_x, sunder_y, a, b),
            rules.full and hits[1] and x.shield, rules.full and hits[0] and y.shield,
        )  # fmt: skip

    return small(shields, rules.full and hits[0] and x.weapon, rules.full and hits[1] and y.weapon)


def small(leads_to: Callable[[bool, bool], Fraction], asks_x: bool, asks_y: bool) -> Fraction:
    """Return the value of a game in which those that are asked answer no or yes."""
    return solved([[leads_to(a, b) for b in ((False, True) if asks_y else (False,))]
                   for a in ((False, True) if asks_x else (False,))])[0]  # fmt: skip
