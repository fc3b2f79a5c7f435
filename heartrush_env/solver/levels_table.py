"""The solution of a duel with levels: the value of every state; mixes, shrugs and named levels follow from values.

A state is hit points and heart dice of both, and the vectors of levels of both, (dazed, off-balanced, weakened); a
state without vectors is one without levels. What is played is worked out block by block when it is asked for, which
takes a millisecond, so that a table is no larger than its values.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from heartrush_env.heart_rush.engine.windows import SHRUG_FROM
from heartrush_env.heart_rush.rules.terms import ATTACKING_STANCES
from heartrush_env.solver.levels import LevelsDuel
from heartrush_env.solver.levels_kernel import show_block, show_games
from heartrush_env.solver.matrix import Floats, SolverError
from heartrush_env.solver.outcomes import Duel, N
from heartrush_env.solver.tablebase import Tablebase

Block = tuple[int, int, int, int]  # hit points and hearts of both
KEPT = 64  # blocks whose plays are kept at hand


@dataclass(frozen=True, eq=False)
class Plays:
    """What a solution plays in one block, from the side of the first fighter."""

    mixes: Floats  # (seat, vector 0, vector 1, stance)
    backs: Floats  # (vector 0, vector 1, seat, stance): how often one attacks in a shared stance
    best: NDArray[np.int64]  # (vector 0, vector 1, seat, slot): places among the duel's codes
    gap: float  # of the worst certificate


@dataclass(eq=False)
class LevelsTablebase(Tablebase):
    """Every state of a duel with levels, solved; `values` are of layers by hit points, hearts and vectors of both."""

    _recent: OrderedDict[tuple[int, ...], Plays] = field(default_factory=OrderedDict, repr=False)

    @classmethod
    def empty(cls, duel: Duel, rounds: int | None) -> LevelsTablebase:
        """Room for a solution."""
        layers = 1 if rounds is None else rounds + 1
        return cls(duel, rounds, np.zeros((layers, *duel.shape)), ((), ()), ((), ()))

    def arrays(self) -> dict[str, Any]:
        """All numbers by name, as they are kept in a file."""
        return {"values": self.values}

    def take(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Use these numbers, by name, as the solution's."""
        self.values = arrays["values"]
        self._recent.clear()

    @property
    def levels(self) -> LevelsDuel:
        """The duel."""
        return cast(LevelsDuel, self.duel)

    def place(self, state: tuple[Any, ...]) -> tuple[int, ...]:  # type: ignore[override]
        """Where a state stands in a layer; SolverError if it is none of this duel."""
        plain = super().place(cast(Any, tuple(state[:4])))
        named = tuple(state[4:]) or ((0, 0, 0), (0, 0, 0))
        found = [
            np.flatnonzero((vectors == np.asarray(vector)).all(axis=1))
            for vectors, vector in zip(self.levels.vectors, named, strict=True)
        ]
        if 0 in map(len, found):
            raise SolverError(f"{state} is no state of this duel: levels like these never come about.")
        return (*plain, int(found[0][0]), int(found[1][0]))

    def pair(self, state: tuple[Any, ...]) -> tuple[Block, int, int]:
        """The block of a state, and its vectors there."""
        h0, h1, k0, k1, c0, c1 = self.place(state)
        return (h0, h1, k0, k1), c0, c1

    def plays(self, block: Block, layer: int) -> Plays:
        """What is played in the block of these hit points and hearts, with so many rounds left."""
        key = (*block, layer)
        if key not in self._recent:
            n0, n1 = self.duel.shape[4:]
            mixes, backs = np.zeros((2, n0, n1, N)), np.ones((n0, n1, 2, ATTACKING_STANCES))
            best = np.zeros((n0, n1, 2, 2), np.int64)
            after = self.after(layer)
            gap = show_block(after, after[block], block, self.levels.tools, max(self.levels.strong), mixes, backs, best)
            if len(self._recent) >= KEPT:
                self._recent.popitem(last=False)
            self._recent[key] = Plays(mixes, backs, best, float(gap))
        return self._recent[key]

    def after(self, layer: int) -> Floats:
        """What states are worth after a round that begins with so many rounds left."""
        found: Floats = self.values[0 if self.rounds is None else max(0, layer - 1)]
        return found

    def games(self, block: Block, after: Floats) -> Floats:
        """The stance games of a block, (vector 0, vector 1, stance 0, stance 1)."""
        games = np.zeros((*self.duel.shape[4:], N, N))
        show_games(after, after[block], block, self.levels.tools, max(self.levels.strong), games)
        return games

    def mix(self, seat: int, state: tuple[Any, ...], rounds_left: int | None = None) -> Floats:
        """How often a seat takes each stance."""
        block, c0, c1 = self.pair(state)
        mix: Floats = self.plays(block, self.layer(rounds_left)).mixes[seat, c0, c1].copy()
        mix /= mix.sum()
        return mix

    def attacks(
        self, seat: int, state: tuple[Any, ...], stance: int, against: int, rounds_left: int | None = None
    ) -> float:
        """How often a seat attacks after the reveal, where it may."""
        if stance != against or stance >= ATTACKING_STANCES:
            return 1.0
        block, c0, c1 = self.pair(state)
        return float(self.plays(block, self.layer(rounds_left)).backs[c0, c1, seat, stance])

    def names(self, seat: int, state: tuple[Any, ...], against: int, rounds_left: int | None = None) -> int:
        """The code of the levels that a seat names when its cunning beats a stance; see maneuvers.CUNNING_LEVELS."""
        if against not in self.levels.beaten:
            return 0
        block, c0, c1 = self.pair(state)
        best = self.plays(block, self.layer(rounds_left)).best[c0, c1, seat, self.levels.beaten.index(against)]
        return int(self.levels.codes[seat][best])

    def shrugs(
        self,
        seat: int,
        state: tuple[Any, ...],
        damage: int,
        rounds_left: int | None = None,
        code: int = 0,
    ) -> bool:
        """Whether a seat shrugs a hit off, when these levels have been named with it; on equality it does not."""
        h0, h1, k0, k1, c0, c1 = self.place(state)
        if (k0, k1)[seat] == 0:
            return False
        if not self.duel.free:
            return damage >= SHRUG_FROM or damage >= (h0, h1)[seat]
        after, half = self.after(self.layer(rounds_left)), (damage + 1) // 2
        led = [int(fades[c]) for fades, c in zip(self.levels.fades, (c0, c1), strict=True)]
        named = np.flatnonzero(self.levels.codes[1 - seat] == code)
        if code and len(named):
            led[seat] = int(self.levels.named[seat][(c0, c1)[seat], named[0]])
        if seat == 0:
            gained = (
                after[max(0, h0 - half), h1, k0 - 1, k1, led[0], led[1]]
                - after[max(0, h0 - damage), h1, k0, k1, led[0], led[1]]
            )
        else:
            gained = (
                after[h0, max(0, h1 - damage), k0, k1, led[0], led[1]]
                - after[h0, max(0, h1 - half), k0, k1 - 1, led[0], led[1]]
            )
        return bool(gained > 0)
