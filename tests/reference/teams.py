"""The worth of one against two, slowly, for a pair that decides as one: the rules of tests.reference.solver, and R-26.

Profile "plain" without a map. Dice are public, so who is hurt twice knows both hits and chooses which to shrug off.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

from tests.reference.dice import DIE_SIZES, half, one_size_down
from tests.reference.solver import (
    CUNNING,
    DEFENSIVE,
    MIGHT,
    STANCES,
    TARGETS,
    UNHARMED,
    Duel,
    Duelist,
    Table,
    matrix_values,
)

State = tuple[tuple[int, int, int], tuple[int, int, int]]  # hit points and hearts: solo, first, second
HELPED = (-1, -1, -1)  # a level of advantage is a level of disadvantage less
SETTLED = 1e-14
PHASES = (CUNNING, 1, MIGHT)


def matrix_value(game: list[list[float]]) -> float:
    """The value of one game: a saddle point's, else as for many."""
    low, high = max(map(min, game)), min(map(max, zip(*game, strict=True)))
    return low if low >= high else float(matrix_values([game])[0])


class OneAgainstTwo:
    """Three fighters and their settings; `helps` lets the pair help each other in the action phase."""

    def __init__(self, solo: Duelist, pair: tuple[Duelist, Duelist], table: Table, helps: bool) -> None:
        self.solo, self.pair, self.helps = solo, pair, helps
        self.duels = [Duel(solo, one, table) for one in pair]
        self.equals = pair[0].agility == pair[1].agility  # nobody is a hero
        self.values: dict[State, float] = {}
        self.later = cache(self.phase)  # of states that are settled

    @property
    def value(self) -> float:
        """What the solo expects at the start, 1 for a win and -1 for a loss."""
        solo, first, second = self.solo, *self.pair
        hps = product(range(solo.hp + 1), range(first.hp + 1), range(second.hp + 1))
        ladders = [[die for die in DIE_SIZES if die <= fighter.heart] for fighter in (solo, first, second)]
        for hp, dice in product(hps, list(product(ladders[0], ladders[1], ladders[2]))):
            self.settle((hp, dice))
        return self.values[(solo.hp, first.hp, second.hp), (solo.heart, first.heart, second.heart)]

    def settle(self, state: State) -> None:
        """One more round until nothing changes; smaller hit points and hearts come before."""
        ended = self.ended(state)
        if ended is not None:
            self.values[state] = ended
            return
        self.values[state], before = 0.0, 9.0
        while abs(self.values[state] - before) > SETTLED:
            before = self.values[state]
            self.values[state] = self.round(state)

    @staticmethod
    def ended(state: State) -> float | None:
        """What is decided: the solo is down, or both of the pair are."""
        solo, *pair = (hp > 0 for hp in state[0])
        if solo and any(pair):
            return None
        return float(solo) - float(any(pair))

    def round(self, state: State) -> float:
        """The pair helps as it likes, in the open; then the stances."""
        both = all(hp > 0 for hp in state[0])
        helps = list(product((False, True), (False, True))) if self.helps and both else [(False, False)]
        return min(
            matrix_value([[self.phase(0, state, helped, (i, *pair)) for pair in self.joint(state)] for i in STANCES])
            for helped in helps
        )

    @staticmethod
    def joint(state: State) -> list[tuple[int, ...]]:
        """The pair's stances; who is down is as good as defensive."""
        return list(product(*(STANCES if hp > 0 else (DEFENSIVE,) for hp in state[0][1:])))

    def phase(self, at: int, state: State, helped: tuple[bool, bool], stances: tuple[int, ...]) -> float:
        """From a phase to the round's end: everyone in its stance chooses at once, then dice, then shrugs."""
        ended = self.ended(state)
        if ended is not None or at == len(PHASES):
            return self.values[state] if ended is None else ended
        mine, up = stances[0], [hp > 0 for hp in state[0][1:]]
        chosen: list[Any] = [None]
        if mine == PHASES[at]:
            chosen += [k for k in (0, 1) if up[k] and stances[1 + k] in TARGETS[mine]]
        may = [up[k] and stances[1 + k] == PHASES[at] and mine in TARGETS[PHASES[at]] for k in (0, 1)]
        joint = list(product(*([False, True] if one else [False] for one in may)))
        game = [[self.dice(at, state, helped, stances, target, strikes) for strikes in joint] for target in chosen]
        return matrix_value(game)

    def dice(
        self,
        at: int,
        state: State,
        helped: tuple[bool, bool],
        stances: tuple[int, ...],
        target: int | None,
        strikes: Any,
    ) -> float:
        """The expected worth of these attacks; help goes to the next roll, one for timing included."""
        if all(strikes) and self.equals:
            helped = (False, False)
        hurts, left = [], list(helped)
        for k in (0, 1):
            attacking = target == k, strikes[k]
            if not any(attacking):
                hurts.append({(0, 0): 1.0})
                continue
            left[k] = False
            levels = UNHARMED, HELPED if helped[k] else UNHARMED
            taken = self.duels[k].hurt((stances[0], stances[1 + k]), attacking, (state[1][0], state[1][1 + k]), levels)
            most = 2 * state[0][0], 2 * state[0][1 + k]  # kills, shrugged off or not
            found = {(0, 0): 1.0 - sum(sum(chances.values()) for chances in taken)}
            for who in (0, 1):
                for damage, chance in taken[who].items():
                    hit = (min(damage, most[0]), 0) if who == 0 else (0, min(damage, most[1]))
                    found[hit] = found.get(hit, 0.0) + chance
            hurts.append(found)
        return sum(
            p * q * self.shrugs(at, state, (left[0], left[1]), stances, ((a, c), b, d))
            for ((a, b), p), ((c, d), q) in product(hurts[0].items(), hurts[1].items())
            if p > 0 and q > 0
        )

    def shrugs(self, at: int, state: State, helped: tuple[bool, bool], stances: tuple[int, ...], hits: Any) -> float:
        """All who are hurt answer at once; the solo, hurt twice, each hit."""
        (one, two), first, second = hits
        if not (one or two or first or second):
            return self.phase(at + 1, state, helped, stances)
        game: list[list[float | None]] = []
        for s in product((False, True) if one else (False,), (False, True) if two else (False,)):
            row = []
            for p in product((False, True) if first else (False,), (False, True) if second else (False,)):
                after = self.hit(state, [(one, s[0]), (two, s[1])], (first, p[0]), (second, p[1]))
                row.append(None if after is None else self.later(at + 1, after, helped, stances))
            game.append(row)
        allowed = [[cell for cell in row if cell is not None] for row in game]
        return matrix_value([row for row in allowed if row])

    @staticmethod
    def hit(state: State, solo: Any, first: Any, second: Any) -> State | None:
        """The state after these hits, or None where a heart die was too small to shrug."""
        hp, hearts = list(state[0]), list(state[1])
        for who, (damage, shrugged) in ((0, solo[0]), (0, solo[1]), (1, first), (2, second)):
            if shrugged and hearts[who] == DIE_SIZES[0]:
                return None
            hp[who] -= half(damage) if shrugged else damage
            hearts[who] = one_size_down(hearts[who]) if shrugged else hearts[who]
        up = [max(points, 0) for points in hp]
        return (up[0], up[1], up[2]), (hearts[0], hearts[1], hearts[2])
