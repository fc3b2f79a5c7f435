"""The solution of a duel with levels: the value of every state. Mixes, shrugs and named levels follow from values.

A state is the hit points and heart dice of both fighters and their vectors of levels, (dazed, off-balanced, weakened).
A state given without vectors has no levels. The play in a block is computed on demand, which takes a millisecond, so a
table needs no more space than its values.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from heartrush_env.games.heart_rush.rules.terms import ATTACKING_STANCES
from heartrush_env.research.duel import Duel, N
from heartrush_env.research.layers import Part, layers_of
from heartrush_env.research.levels.duel import LevelsDuel
from heartrush_env.research.levels.kernel import show_block, solve_cell
from heartrush_env.research.levels.rounds import Play, new_plays
from heartrush_env.research.tablebase import Tablebase, Whole
from heartrush_env.research.zero_sum import Floats, SolverError

Block = tuple[int, int, int, int]  # hit points and hearts of both fighters
KEPT = 64  # blocks whose plays stay cached


@dataclass(eq=False)
class LevelsTablebase(Tablebase):
    """The solution of a duel with levels; `values` is (layers, hp 0, hp 1, heart 0, heart 1, vector 0, vector 1)."""

    @classmethod
    def empty(cls, duel: Duel, rounds: int | None) -> LevelsTablebase:
        """Return an empty solution."""
        return cls(duel, rounds, np.zeros((layers_of(rounds), *duel.shape)), ((), ()), ((), ()))

    def arrays(self) -> dict[str, Any]:
        """Return all arrays by name, as stored in a file."""
        return {"values": self.values}

    def set_arrays(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Replace the solution's arrays by these, given by name."""
        self.values = arrays["values"]
        self.plays.cache_clear()

    @property
    def levels(self) -> LevelsDuel:
        """The duel, as a duel with levels."""
        return cast(LevelsDuel, self.duel)

    def place(self, state: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the index of a state in a layer; raise SolverError if the duel has no such state."""
        plain = super().place(cast(Any, tuple(state[:4])))
        named = tuple(state[4:]) or ((0, 0, 0), (0, 0, 0))
        found = [
            np.flatnonzero((vectors == np.asarray(vector)).all(axis=1))
            for vectors, vector in zip(self.levels.vectors, named, strict=True)
        ]
        if 0 in map(len, found):
            raise SolverError(f"{state} is not a state of this duel: it never has levels like these.")
        return (*plain, int(found[0][0]), int(found[1][0]))

    @cached_property
    def plays(self) -> Any:
        """A function from (block, layer) to the solution's play at these hit points and hearts, and rounds left."""
        none, codes = np.zeros((0, 0, N, N)), max(self.levels.strong)
        return lru_cache(KEPT)(lambda block, layer: self._show(block, self.after(layer), codes, none)[1])

    def _show(self, block: Block, after: Floats, codes: int, games: Floats) -> tuple[Floats, Play]:
        """Return a block's values of naming levels and its play; write its stance games unless `games` is empty."""
        n0, n1 = self.duel.shape[4:]
        names, play = np.zeros((2, 2, codes, n0, n1)), new_plays(n0, n1, codes)
        show_block(after, block, self.levels.tools, games, names, play)
        return names, play

    def parts(self) -> list[Part]:
        """Return the parts of the solution, one for each layer and each number of hit points of the first fighter."""
        hp = range(1, self.duel.shape[0])
        return [((layer, h0), [self.values[layer, h0]]) for layer in self.solved_layers() for h0 in hp]

    def solve_part(self, *key: int) -> float:
        """Solve one part and return the largest error of any value."""
        layer, h0 = key
        duel, after, loops, worst = self.levels, self.after(layer), self.rounds is None, 0.0
        for h1 in range(1, duel.shape[1]):
            at_cap = float(duel.worths[h0, h1])
            out = solve_cell(self.values[layer], after, loops, h0, h1, duel.tools, max(duel.strong), at_cap)
            worst = max(worst, float(out))
        return worst

    def game(self, place: tuple[Any, ...], after: Floats) -> Floats:
        """Return the stance game of one state; `after` holds the values of states after this round."""
        games, _ = self.games_and_names(cast(Block, place[:4]), np.ascontiguousarray(after, np.float64))
        game: Floats = games[place[4:]]
        return game

    def games_and_names(self, block: Block, after: Floats) -> tuple[Floats, Floats]:
        """Return a block's stance games, and the first fighter's values when a seat attacks and names levels.

        The values are indexed by (seat, slot of the stance that the seat's cunning beats, index among the seat's codes,
        vector 0, vector 1).
        """
        games = np.zeros((*self.duel.shape[4:], N, N))
        return games, self._show(block, after, max(map(len, self.levels.codes)), games)[0]

    def names(self, seat: int, state: tuple[Any, ...], against: int, rounds_left: int | None = None) -> int:
        """Return the code (see CUNNING_LEVELS) of the levels that a seat names when its cunning beats a stance."""
        return int(self.names_at(seat, *self._one(state, rounds_left), np.array([against]))[0])

    def mixes_at(self, seat: int, places: Whole, layers: Whole) -> Floats:
        """Return a seat's probability of each stance, (n, stances)."""
        mixes = np.zeros((len(places), N))
        for rows, plays in self._by_block(places, layers):
            mixes[rows] = plays.stances[(seat, *places[rows, 4:].T)]
        mixes /= mixes.sum(axis=1, keepdims=True)
        return mixes

    def attacks_at(self, seat: int, places: Whole, layers: Whole, stances: Whole, against: Whole) -> Floats:
        """Return a seat's probability of attacking after the reveal, where it may attack, (n,)."""
        often = np.ones(len(places))
        if self.levels.tools.holds_back:
            for rows, plays in self._by_block(places, layers):
                shared = rows[(stances[rows] == against[rows]) & (stances[rows] < ATTACKING_STANCES)]
                often[shared] = plays.attacks[(seat, *places[shared, 4:].T, stances[shared], against[shared])]
        return often

    def names_at(self, seat: int, places: Whole, layers: Whole, against: Whole) -> Whole:
        """Return the level codes that a seat names against these stances, (n,); 0 if its cunning does not win."""
        codes = np.zeros(len(places), np.int64)
        for rows, plays in self._by_block(places, layers):
            for slot, stance in enumerate(self.levels.beaten):
                some = rows[against[rows] == stance]
                codes[some] = self.levels.codes[seat][plays.names[(seat, *places[some, 4:].T, slot)].argmax(axis=-1)]
        return codes

    def led_to(self, seat: int, places: Whole, codes: Whole) -> Whole:
        """Return the states after a round, without its damage; `codes` are the levels that the seat's enemy names."""
        led = places.copy()
        for side in (0, 1):
            led[:, 4 + side] = self.levels.fades[side][places[:, 4 + side]]
        for place, code in enumerate(self.levels.codes[1 - seat]):
            rows = np.flatnonzero(codes == code)
            led[rows, 4 + seat] = self.levels.named[seat][places[rows, 4 + seat], place]
        return led

    def _by_block(self, places: Whole, layers: Whole) -> Iterator[tuple[Whole, Play]]:
        """Yield the rows of each block that contains some of these indices, and the play in that block."""
        blocks, rows = np.unique(np.column_stack([places[:, :4], layers]), axis=0, return_inverse=True)
        for number, (h0, h1, k0, k1, layer) in enumerate(blocks.tolist()):
            yield np.flatnonzero(rows.reshape(-1) == number), self.plays((h0, h1, k0, k1), layer)
