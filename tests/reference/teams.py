"""The value of one against two, computed slowly, by the rules of tests.reference.solver and R-26; the pair acts as one.

Profile "plain" without a map. Dice are public: a fighter that is hurt twice knows both hits as it decides on shrugs.
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
    """Return the value of one game: that of a saddle point if there is one, else that of optimal mixes."""
    low, high = max(map(min, game)), min(map(max, zip(*game, strict=True)))
    return low if low >= high else float(matrix_values([game])[0])


class OneAgainstTwo:
    """Three fighters and their settings; with `helps` the pair may help each other in the action phase."""

    def __init__(self, solo: Duelist, pair: tuple[Duelist, Duelist], table: Table, helps: bool) -> None:
        self.solo, self.pair, self.helps = solo, pair, helps
        self.duels = [Duel(solo, one, table) for one in pair]
        self.equals = pair[0].agility == pair[1].agility  # no fighter is a hero
        self.values: dict[State, float] = {}
        self.later = cache(self.phase)  # a cached phase, for states that are settled

    @property
    def value(self) -> float:
        """The solo's value at the start, 1 for a win and -1 for a loss."""
        solo, first, second = self.solo, *self.pair
        hps = product(range(solo.hp + 1), range(first.hp + 1), range(second.hp + 1))
        ladders = [[die for die in DIE_SIZES if die <= fighter.heart] for fighter in (solo, first, second)]
        for hp, dice in product(hps, list(product(ladders[0], ladders[1], ladders[2]))):
            self.settle((hp, dice))
        return self.values[(solo.hp, first.hp, second.hp), (solo.heart, first.heart, second.heart)]

    def settle(self, state: State) -> None:
        """Solve a state by adding rounds until nothing changes, after all states that damage leads to."""
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
        """Return the value of a decided state, where the solo is down or both of the pair are, else None."""
        solo, *pair = (hp > 0 for hp in state[0])
        if solo and any(pair):
            return None
        return float(solo) - float(any(pair))

    def round(self, state: State) -> float:
        """Return the value of a round: the pair helps in the open as it likes, then stances are chosen."""
        both = all(hp > 0 for hp in state[0])
        helps = list(product((False, True), (False, True))) if self.helps and both else [(False, False)]
        return min(
            matrix_value([[self.phase(0, state, helped, (i, *pair)) for pair in self.joint(state)] for i in STANCES])
            for helped in helps
        )

    @staticmethod
    def joint(state: State) -> list[tuple[int, ...]]:
        """Return the pair's stances; a fighter that is down counts as defensive."""
        return list(product(*(STANCES if hp > 0 else (DEFENSIVE,) for hp in state[0][1:])))

    def phase(self, at: int, state: State, helped: tuple[bool, bool], stances: tuple[int, ...]) -> float:
        """Return the value from a phase on: its fighters choose at once, then dice are rolled and hits answered."""
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
        """Return the expected value of these attacks; help is spent on the next roll, even one for timing."""
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
            most = 2 * state[0][0], 2 * state[0][1 + k]  # enough to kill, shrugged off or not
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
        """Return the value as all who are hurt answer at once; a solo that is hurt twice answers each hit."""
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
        """Return the state after these hits, or None if a heart die is too small for a shrug."""
        hp, hearts = list(state[0]), list(state[1])
        for who, (damage, shrugged) in ((0, solo[0]), (0, solo[1]), (1, first), (2, second)):
            if shrugged and hearts[who] == DIE_SIZES[0]:
                return None
            hp[who] -= half(damage) if shrugged else damage
            hearts[who] = one_size_down(hearts[who]) if shrugged else hearts[who]
        up = [max(points, 0) for points in hp]
        return (up[0], up[1], up[2]), (hearts[0], hearts[1], hearts[2])
