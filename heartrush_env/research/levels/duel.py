"""Duels in which cunning names levels of dazed, off-balanced and weakened (the rules profile "levels"), as tables.

A state consists of hit points and heart dice, and for each fighter a vector of three levels at the time when stances
are chosen. Only reachable vectors are kept, usually 32 per fighter. Levels are named with the attack, before the dice
(R-21), and apply with or without damage (R-6), so a round in which no fighter is hurt may still change the state.
Levels fade at the start of the next round (R-30). All of this comes from the engine's own rule functions.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from heartrush_env.games.heart_rush.engine.windows import default_levels
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.rules.conditions import IMPAIRS, fade, gain, lose
from heartrush_env.games.heart_rush.rules.cunning import (
    CUNNING_LEVELS,
    IMPAIRING,
    inflict_cunning_levels,
    may_name_levels,
)
from heartrush_env.games.heart_rush.rules.terms import (
    AGILITY,
    ATTACKING_STANCES,
    CONDITIONS,
    CUNNING,
    LEVEL_CAP,
    NOBODY,
)
from heartrush_env.research.duel import EXCHANGE, EXCHANGES, Duel, N, common_fields, rules_of
from heartrush_env.tabletop.kernels import entry_point

Whole = NDArray[np.int64]
Vector = tuple[int, int, int]  # levels of dazed, off-balanced, weakened

CODES = len(CUNNING_LEVELS)
LANES = 4  # damages are processed this many at once
COLUMNS = np.array([list(IMPAIRING).index(condition) for condition in IMPAIRS[:ATTACKING_STANCES]])  # by stance
NAMES = tuple("+".join(CONDITIONS[IMPAIRING[k]] for k in range(3) for _ in range(row[k])) for row in CUNNING_LEVELS)


class Tools(NamedTuple):
    """The arrays of a duel with levels, for compiled code."""

    chances: Any  # (heart 0, heart 1, level 0, level 1, exchange, who is hurt, damage)
    most: Any  # axes of `chances` without damage: the largest possible damage
    idle: Any  # axes of `most` without who is hurt: the probability that no fighter is hurt
    halves: Any  # (damage,)
    exchange: Any  # (stance 0, stance 1, whether 0 attacks, whether 1 attacks): index of the exchange to weigh
    columns: Any  # (exchange,): the condition that impairs both sides' dice
    namer: Any  # (exchange,): the seat that names levels with its attack, or NOBODY
    slot: Any  # (exchange,): if a seat names levels, the index of the other's stance among those that cunning beats
    vectors_0: Any  # (vectors, conditions): levels
    vectors_1: Any
    fades_0: Any  # (vectors,): the vector of the next round
    fades_1: Any
    named_0: Any  # (vectors, codes): the next vector after the other has named these levels
    named_1: Any
    below: Any  # (side,): how far below 0 a fighter's hit points must drop until it is out
    order: Any  # (pairs, 2): all pairs of vectors, fewest levels first
    free: bool
    holds_back: bool  # whether fighters choose to attack in a shared stance


@dataclass(frozen=True, eq=False)
class LevelsDuel(Duel):
    """A duel with levels, from its first fighter's side; in `chances`, `idle` and `most`, level axes follow hearts."""

    vectors: tuple[Whole, Whole]  # for each fighter, (vectors, conditions), fewest levels first
    fades: tuple[Whole, Whole]  # (vectors,): the vector of the next round if nothing is named
    named: tuple[Whole, Whole]  # (vectors, codes of the other): the vector of the next round if that code is named
    codes: tuple[Whole, Whole]  # the codes that each fighter may name; undominated codes first
    strong: tuple[int, int]  # number of undominated codes
    beaten: tuple[int, ...]  # the stances against which cunning names levels
    begins: tuple[int, int]  # the vector that each fighter starts with

    by_fighter: ClassVar[tuple[str, ...]] = (*Duel.by_fighter, "vectors", "fades", "named", "codes", "strong", "begins")

    @property
    def shape(self) -> tuple[int, ...]:
        """The numbers of own and other hit points (including being out), heart dice and vectors of levels."""
        return (*super().shape, len(self.vectors[0]), len(self.vectors[1]))

    @property
    def states(self) -> int:
        """The number of states in which both fighters are standing."""
        return super().states * len(self.vectors[0]) * len(self.vectors[1])

    @property
    def start(self) -> tuple[int, ...]:
        """The state at the start of the duel."""
        return (*super().start, *self.begins)

    @property
    def state(self) -> Any:
        """The hit points of both fighters, the sides of their heart dice, and their levels, at the start."""
        return (*super().state, *(tuple(self.vectors[side][self.begins[side]].tolist()) for side in (0, 1)))

    def places(self, numbers: Whole, *levels: Whole) -> Whole:
        """Return the indices of many states in a layer, (n, axes), unchecked; see Duel.places."""
        vectors = []
        for known, given in zip(self.vectors, levels, strict=True):
            table = np.zeros((LEVEL_CAP + 1,) * 3, np.int64)
            table[tuple(known.T)] = np.arange(len(known))
            vectors.append(table[tuple(given.T)])
        return np.column_stack([super().places(numbers), *vectors])

    @cached_property
    def tools(self) -> Tools:
        """The arrays for compiled code."""
        namer, slot = np.full(len(EXCHANGES), NOBODY, np.int64), np.zeros(len(EXCHANGES), np.int64)
        for e, (*stances, _, second) in enumerate(EXCHANGES):
            if stances[second] == CUNNING and stances[1 - second] in self.beaten:
                namer[e], slot[e] = second, self.beaten.index(stances[1 - second])
        sums = self.vectors[0].sum(axis=1)[:, None] + self.vectors[1].sum(axis=1)
        order = np.column_stack(np.unravel_index(np.argsort(sums, axis=None, kind="stable"), sums.shape))
        attacks = [i if one else j for i, j, one, _ in EXCHANGES]
        exchange, holds_back = EXCHANGE.copy(), self.mutual and self.free
        if not holds_back:  # a contest is one exchange, whichever side started it
            for i in range(ATTACKING_STANCES):
                exchange[i, i, 1, 0] = exchange[i, i, 0, 1] = exchange[i, i, 1, 1]
        return Tools(
            chances=self.chances,
            most=self.most,
            idle=self.idle,
            halves=self.halves,
            exchange=exchange,
            columns=COLUMNS[attacks],
            namer=namer,
            slot=slot,
            vectors_0=self.vectors[0],
            vectors_1=self.vectors[1],
            fades_0=self.fades[0],
            fades_1=self.fades[1],
            named_0=self.named[0],
            named_1=self.named[1],
            below=np.array(self.below),
            order=np.ascontiguousarray(order),
            free=self.free,
            holds_back=holds_back,
        )


def read_levels(game: HeartRush) -> LevelsDuel:
    """Return the duel of a supported game with levels and without memory."""
    legal, default = np.zeros((2, N, CODES), np.bool_), np.zeros(2, np.int64)
    ask_names(game.new_template(False), legal, default)
    codes, strong = [], []
    for side in (0, 1):
        useful, outdone = _codes(legal[side, AGILITY], None if game.decisions == "full" else int(default[side]))
        codes.append(np.array(useful + outdone))
        strong.append(len(useful))
    start = game.new_template(False)["fighters"]["levels"][0][:, IMPAIRING]
    first, second = (_closure(game, start[side], codes[1 - side]) for side in (0, 1))
    vectors, fades, named = ((first[k], second[k]) for k in range(3))
    begins = [int(np.flatnonzero((vectors[side] == start[side]).all(axis=1))[0]) for side in (0, 1)]
    rules = rules_of(game, levels=1 + max(int(found.max()) for found in vectors))
    chances, idle, most = rules.tables()
    width = -(-(int(most.max()) + 1) // LANES) * LANES
    return LevelsDuel(
        **common_fields(game, rules),
        chances=np.ascontiguousarray(chances[..., :width]),
        idle=idle,
        most=most,
        halves=rules.halves[:width],
        vectors=vectors,
        fades=fades,
        named=named,
        codes=(codes[0], codes[1]),
        strong=(strong[0], strong[1]),
        beaten=tuple(int(stance) for stance in np.flatnonzero(rules.beaten[CUNNING])),
        begins=(begins[0], begins[1]),
    )


def _codes(legal: NDArray[np.bool_], default: int | None) -> tuple[list[int], list[int]]:
    """Return the codes for naming levels: first the codes that no other dominates, then the rest.

    More levels on the other fighter are never worse, since they never make its rolls higher. So a solution needs
    only the first list. A best response to an unusual policy may need all codes.
    """
    if default is not None:
        return [default], []
    every = [int(code) for code in np.flatnonzero(legal)]

    def outdone(code: int) -> bool:
        return any(other != code and (CUNNING_LEVELS[other] >= CUNNING_LEVELS[code]).all() for other in every)

    return [code for code in every if not outdone(code)], [code for code in every if outdone(code)]


def _closure(game: HeartRush, start: Any, codes: Whole) -> tuple[Whole, Whole, Whole]:
    """Return all reachable vectors of levels, and the results of fading and of naming for each."""
    known = {tuple(int(level) for level in start)}
    fresh = known
    asked = np.concatenate([[0], codes])
    while fresh:
        reached = _next_levels(game, np.array(sorted(fresh)), asked)
        fresh = {tuple(vector) for vector in reached.reshape(-1, 3).tolist()} - known
        known |= fresh
    vectors = np.array(sorted(known, key=lambda vector: (sum(vector), vector)))
    places = {tuple(vector): place for place, vector in enumerate(vectors.tolist())}
    leads = np.array([[places[tuple(to)] for to in row] for row in _next_levels(game, vectors, asked).tolist()])
    return vectors, np.ascontiguousarray(leads[:, 0]), np.ascontiguousarray(leads[:, 1:])


def _next_levels(game: HeartRush, vectors: Whole, codes: Whole) -> Whole:
    found = np.zeros((len(vectors), len(codes), 3), np.int64)
    ask_levels(game.new_template(False), vectors, codes, found)
    return found


# -- tables from the engine's rules ------------------------------------------------------------------------------------


@entry_point
def ask_names(fights: Any, legal: Any, default: Any) -> None:
    """Write which codes each fighter may use to name levels against each stance, and the default policy's code."""
    fight = fights[0]
    for i in range(2):
        fight.fighters[i].stance = CUNNING
        for j in range(N):
            fight.fighters[1 - i].stance = j
            for code in range(CODES):
                legal[i, j, code] = may_name_levels(fight, i, 1 - i, code)
        fight.fighters[1 - i].stance = AGILITY
        default[i] = default_levels(fight, i, 1 - i)


@entry_point
def ask_levels(fights: Any, vectors: Any, codes: Any, found: Any) -> None:
    """Write the levels after naming and fading, (vector, code, condition), as they are when stances are next chosen."""
    fight = fights[0]
    fighter = fight.fighters[0]
    for v in range(len(vectors)):
        for c in range(len(codes)):
            for k in range(3):
                lose(fighter, IMPAIRING[k])
                if vectors[v, k] > 0:
                    gain(fighter, IMPAIRING[k], vectors[v, k])
            inflict_cunning_levels(fight, 1, 0, codes[c])
            fade(fighter, fight.rules.fading_uniform)
            for k in range(3):
                found[v, c, k] = fighter.levels[IMPAIRING[k]]
