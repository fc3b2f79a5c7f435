"""The solver of duels in beats: values of all states and mixes of all decisions, from the last beat back.

A state is the number of beats left and, for each duelist, whether it is open, whether its shield is broken, which of
its arms it attacks with, and its hit points. Arrays of states have the axes (open, shield, arm) of the first duelist,
the axes (open, shield, arm) of the second, then the hit points of both. An axis that the rules leave without a choice
has one place. Values are P(win) - P(loss) of the first duelist.

Inside a beat come both attack rolls, which both sides see; the sunder game; the shield game; and the damage. A game of
two answers each is laid out in full unless the rules leave it out: an answer that is not open to a duelist leads to the
same place as none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from heartrush_env.games.heretics.rules.beats import BONUS
from heartrush_env.research.beats.figures import (
    CHOICES,
    FEINT,
    HIT,
    NATURAL_1,
    NATURAL_20,
    PARRY,
    PUSH,
    ROLLS,
    BeatDuel,
    damage_chances,
    landing,
    roll_chances,
)  # fmt: skip
from heartrush_env.research.solution_file import write_solution
from heartrush_env.research.zero_sum import Floats, SolverError, mix, workspace
from heartrush_env.tabletop.kernels import entry_point

FORMAT, FORMAT_VERSION = "heartrush-beats", 1
TWO = 2  # answers: 0 to keep, 1 to sunder the weapon or break the shield
KINDS = len(CHOICES)


@dataclass(frozen=True, eq=False)
class Plays:
    """The policy of one duelist with a number of beats left.

    `beat` has the axes of states, for 1 hit point and more, and then the choices. The chances to answer have the axes
    (shield, arm) of both duelists, then both rolls, then whether the push of each counts; those of `shield` then have
    whether each sunders its weapon. The last two axes are hit points. Without such answers, both may be 0.
    """

    beat: Floats
    sunder: Any = 0.0
    shield: Any = 0.0


Policy = Callable[[int], Plays]  # takes the number of beats left


class _Side:
    """The tables of one duelist: outcomes of its attack, their effects on the other, and chances of its rolls."""

    def __init__(self, duel: BeatDuel, seat: int) -> None:
        own, other = duel.duelists[seat], duel.duelists[1 - seat]
        may_break = duel.breaks and own.shield
        self.opens = 1 + (duel.opens and not own.steady)
        self.shields = 1 + may_break
        self.arms = len(own.arms) if duel.sunders else 1
        arms = own.arms[: self.arms]
        self.sunders = np.array([duel.sunders and arm.breakable for arm in arms])
        self.may_break = np.array([may_break, False][: self.shields])
        # An outcome is whether the attack opens its owner, whether its weapon is sundered, the number of times that
        # its die is rolled, and whether push adds to it; `outcome` is its place by roll, push, sunder and shield.
        outcomes: dict[tuple[int, int, int, int], int] = {}
        self.outcome = np.zeros((len(ROLLS), TWO, TWO, TWO), np.int64)
        for roll, push, sunder, stopped in np.ndindex(self.outcome.shape):
            found = (int(roll == NATURAL_1 and self.opens == TWO), 0, 0, 0)
            if roll >= HIT:
                times = (2 if roll == NATURAL_20 else 1) * (2 if sunder else 1)
                times = 3 if times == 4 and not duel.multiplies else times
                found = (0, sunder, 0, 0) if stopped else (0, sunder, times, push)
            self.outcome[roll, push, sunder, stopped] = outcomes.setdefault(found, len(outcomes))
        self.outcomes = len(outcomes)
        self.opened, sundered, _, _ = np.array(list(outcomes)).T
        self.next_arm = np.minimum(np.arange(self.arms)[:, None] + sundered, self.arms - 1)  # (arm, outcome)
        self.landing = np.zeros((self.shields, self.arms, self.outcomes, other.hp + 1, other.hp + 1))
        for broken, arm, k in np.ndindex(self.landing.shape[:3]):
            _, _, times, push = list(outcomes)[k]
            harm = damage_chances(own, arms[arm], own.shield and not broken, times, BONUS * push) if times else [1.0]
            self.landing[broken, arm, k] = landing(np.asarray(harm), other.hp)
        self.rolls = self._rolls(duel, seat)

    def _rolls(self, duel: BeatDuel, seat: int) -> Floats:
        """Return the chances of ROLLS by the other's opening and broken shield, own arm, own choice, other's choice."""
        own, other = duel.duelists[seat], duel.duelists[1 - seat]
        opens = 1 + (duel.opens and not other.steady)
        shields = 1 + (duel.breaks and other.shield)
        rolls = np.zeros((opens, shields, self.arms, KINDS, KINDS, len(ROLLS)))
        for is_open, broken, arm, mine, theirs in np.ndindex(rolls.shape[:-1]):
            defense = other.armor + (other.shield and not broken)
            defense += BONUS * (theirs == PARRY and duel.counts(theirs, mine))
            bonus = own.arms[arm].bonus + BONUS * (mine == FEINT and duel.counts(mine, theirs))
            rolls[is_open, broken, arm, mine, theirs] = roll_chances(defense - bonus, bool(is_open))
        return rolls


class BeatGame:
    """The games of one beat in all states at once."""

    def __init__(self, duel: BeatDuel) -> None:
        """Compute the tables that are the same for every number of beats left; raise SolverError if it is too large."""
        if duel.why_too_large is not None:
            raise SolverError(f"A duel in beats cannot be solved: {duel.why_too_large}.")
        self.duel = duel
        self.sides = first, second = _Side(duel, 0), _Side(duel, 1)
        self.hp = tuple(duelist.hp for duelist in duel.duelists)
        self.gear = first.shields, first.arms, second.shields, second.arms
        self.flags = first.opens, first.shields, first.arms, second.opens, second.shields, second.arms
        self.counted = np.array([[[duel.counts(a, b), duel.counts(b, a)] for b in range(KINDS)] for a in range(KINDS)])
        sunders, breaks = 1 + duel.sunders, 1 + duel.breaks
        shape = (*self.gear, len(ROLLS), len(ROLLS), TWO, TWO, sunders, sunders, breaks, breaks)
        s1, a1, s2, a2, r1, r2, p1, p2, sunder1, sunder2, break1, break2 = np.indices(shape)
        hit1, hit2 = r1 >= HIT, r2 >= HIT
        sunder1, sunder2 = sunder1 & hit1 & first.sunders[a1], sunder2 & hit2 & second.sunders[a2]
        break1, break2 = break1 & hit2 & first.may_break[s1], break2 & hit1 & second.may_break[s2]
        place = (
            s1, break1, a1, first.outcome[r1, p1, sunder1, break2],
            s2, break2, a2, second.outcome[r2, p2, sunder2, break1],
        )  # fmt: skip
        sizes = [size for side in self.sides for size in (side.shields, side.shields, side.arms, side.outcomes)]
        self._place = np.ravel_multi_index(place, sizes)

    def at_end(self) -> Floats:
        """Return the values of all states with no beat left, of which those with a duelist at 0 hold for any number."""
        values = np.zeros((*self.flags, self.hp[0] + 1, self.hp[1] + 1))
        values[..., 1:, 0], values[..., 0, 1:] = 1.0, -1.0
        return values

    def play(
        self, after: Floats, first: Plays | None = None, second: Plays | None = None
    ) -> tuple[Floats, Plays, Plays]:
        """Return the values with one more beat left, and how both duelists play it.

        Args:
            after: The values of all states when the beat is over.
            first: How the first duelist plays; without it, it plays as well as it can.
            second: How the second duelist plays.
        """
        leaves = self.leaves(after)
        answers1 = (None, None) if first is None else (first.sunder, first.shield)
        answers2 = (None, None) if second is None else (second.sunder, second.shield)
        blows, shield1, shield2 = answer(leaves, answers1[1], answers2[1])
        rolled, sunder1, sunder2 = answer(blows, answers1[0], answers2[0])
        games = self.games(rolled)
        values, beat1, beat2 = choose(
            games, None if first is None else first.beat, None if second is None else second.beat
        )
        found = self.at_end()
        found[..., 1:, 1:] = values
        return found, Plays(beat1, sunder1, shield1), Plays(beat2, sunder2, shield2)

    def leaves(self, after: Floats) -> Floats:
        """Return the values after all answers: by gear, rolls, pushes, sunders, broken shields, and hit points."""
        values: Floats = self._damaged(after)[self._place]
        return values

    def _damaged(self, after: Floats) -> Floats:
        """Return the values before the damage, (places, hp, hp).

        A place is broken shield, shield broken in this beat, arm and outcome of the first, then those of the second.
        """
        first, second = self.sides
        sizes = [size for side in self.sides for size in (side.shields, side.shields, side.arms, side.outcomes)]
        s1, break1, a1, q1, s2, break2, a2, q2 = np.ix_(*map(range, sizes))
        next1 = first.opened[q1], np.minimum(s1 + break1, first.shields - 1), first.next_arm[a1, q1]
        next2 = second.opened[q2], np.minimum(s2 + break2, second.shields - 1), second.next_arm[a2, q2]
        by_first = first.landing[:, None, :, :, None, None, None, None].swapaxes(-1, -2)
        by_second = second.landing[None, None, None, None, :, None]
        values = by_second @ after[(*next1, *next2)] @ by_first
        return np.ascontiguousarray(values[..., 1:, 1:]).reshape(-1, *self.hp)

    def games(self, rolled: Floats) -> Floats:
        """Return the games of the choices, (states, choices of the first, choices of the second)."""
        first, second = self.sides
        games = np.zeros((*self.flags, *self.hp, KINDS, KINDS))
        for i, j in np.ndindex(KINDS, KINDS):
            push1, push2 = self.counted[i, j] & (i == PUSH, j == PUSH)
            here = rolled[:, :, :, :, :, :, int(push1), int(push2)]
            # o, s and a: open, shield and arm of the first; p, t and b: of the second; r and q: the rolls.
            by_first = np.einsum("ptar,satbrqxy->psatbqxy", first.rolls[:, :, :, i, j], here)
            games[..., i, j] = np.einsum("osbq,psatbqxy->osaptbxy", second.rolls[:, :, :, j, i], by_first)
        return games


def answer(game: Floats, first: Any = None, second: Any = None) -> tuple[Floats, Any, Any]:
    """Return the values of games of two answers each, (..., first's, second's, hp, hp), and both chances of answer 1.

    Games of one answer each have the value of that answer.
    A duelist whose chances are given plays them; otherwise it plays as well as it can. A saddle point is preferred to
    a mix, and answer 0 to answer 1.
    """
    if game.shape[-4] == 1:
        return game[..., 0, 0, :, :], 0.0, 0.0
    (a, b), (c, d) = (game[..., 0, 0, :, :], game[..., 0, 1, :, :]), (game[..., 1, 0, :, :], game[..., 1, 1, :, :])
    if first is None and second is None:
        low, high = np.maximum(np.minimum(a, b), np.minimum(c, d)), np.minimum(np.maximum(a, c), np.maximum(b, d))
        saddle = low >= high
        across = np.where(saddle, 1.0, a - b - c + d)
        first = np.where(saddle, np.minimum(a, b) < np.minimum(c, d), (a - b) / across)
        second = np.where(saddle, np.maximum(a, c) > np.maximum(b, d), (a - c) / across)
        return np.where(saddle, low, (a * d - b * c) / across), first, second
    if first is None:
        first = (c + (d - c) * second > a + (b - a) * second).astype(np.float64)
    elif second is None:
        second = (b + (d - b) * first < a + (c - a) * first).astype(np.float64)
    keeps, answers = a + (b - a) * second, c + (d - c) * second
    return keeps + (answers - keeps) * first, first, second


def choose(games: Floats, first: Floats | None, second: Floats | None) -> tuple[Floats, Floats, Floats]:
    """Return the values of games, (states, choices, choices), and both mixes; a given mix is played as it is."""
    if first is None and second is None:
        each = games.reshape(-1, *games.shape[-2:])
        rows, columns, values = np.zeros((len(each), KINDS)), np.zeros((len(each), KINDS)), np.zeros(len(each))
        mix_each(each, rows, columns, values, *workspace(KINDS, KINDS))
        shape = games.shape[:-1]
        return values.reshape(shape[:-1]), rows.reshape(shape), columns.reshape(shape)
    if second is None:
        assert first is not None
        second = np.eye(KINDS)[np.einsum("...ij,...i->...j", games, first).argmin(-1)]
    elif first is None:
        first = np.eye(KINDS)[np.einsum("...ij,...j->...i", games, second).argmax(-1)]
    return np.einsum("...i,...ij,...j->...", first, games, second), first, second


@entry_point
def mix_each(games: Any, rows: Any, columns: Any, values: Any, tableau: Any, basis: Any) -> None:
    """Write the values and both optimal mixes of many games."""
    for k in range(len(games)):
        values[k] = mix(games[k], rows[k], columns[k], tableau, basis)


@dataclass(frozen=True, eq=False)
class BeatTable:
    """The solution of a duel in beats."""

    duel: BeatDuel
    values: Floats  # (beats left, states with hit points from 0)
    mixes: tuple[Floats, Floats]  # of each duelist, (beats left, states with hit points from 1, choices)

    @property
    def value(self) -> float:
        """The value of the whole duel for the first duelist."""
        return float(self.values[-1][(0,) * 6][-1, -1])

    @property
    def first_mixes(self) -> tuple[Floats, Floats]:
        """Both mixes of the first beat."""
        first, second = (mixes[-1][(0,) * 6][-1, -1] for mixes in self.mixes)
        return first, second

    def policy(self, seat: int) -> Policy:
        """Return the solution's policy for a seat."""
        game = game_of(self.duel)

        def plays(left: int) -> Plays:
            _, first, second = game.play(self.values[left - 1])
            return second if seat else first

        return plays

    def save(self, path: str | Path) -> None:
        """Write the values of all states and both mixes of the choices to a file, which `np.load` reads."""
        header = {"format": FORMAT, "version": FORMAT_VERSION, "duel": repr(self.duel)}
        arrays = {"values": self.values, "first": self.mixes[0], "second": self.mixes[1]}
        write_solution(path, header, arrays)


@lru_cache(maxsize=4)
def game_of(duel: BeatDuel) -> BeatGame:
    """Return the games of a duel's beats, computed once."""
    return BeatGame(duel)


@lru_cache(maxsize=4)
def solve(duel: BeatDuel) -> BeatTable:
    """Return the solution of a duel, computed once."""
    game = game_of(duel)
    values, mixes = [game.at_end()], [np.zeros((2, *game.flags, *game.hp, KINDS))]
    for _ in range(duel.beats):
        found, first, second = game.play(values[-1])
        values.append(found)
        mixes.append(np.array([first.beat, second.beat]))
    by_first, by_second = np.array(mixes).swapaxes(0, 1)
    return BeatTable(duel, np.array(values), (by_first, by_second))


def value_of(duel: BeatDuel, first: Policy | None, second: Policy | None) -> float:
    """Return the first duelist's value of a duel in which both play their policies; one without plays its best."""
    game, values = game_of(duel), game_of(duel).at_end()
    for left in range(1, duel.beats + 1):
        values = game.play(values, first and first(left), second and second(left))[0]
    return float(values[(0,) * 6][-1, -1])


def gains(table: BeatTable, first: Policy, second: Policy) -> tuple[float, float]:
    """Return what best responses to the policy of each duelist gain over the duel's value; their sum is NashConv."""
    return table.value - value_of(table.duel, first, None), value_of(table.duel, None, second) - table.value
