"""The solution of a duel as a table: value, mixes and shrug rule of every state; stored in a file as plain data.

A state is the hit points and heart dice of both fighters. Arrays count hit points from the value at which a fighter is
out. That value is below 0 for a fighter that may fight on there. `place` returns the index of a state. Seats count from
0 in agent order. `mixes[1]` and `backs[1]` are indexed from the second fighter's own side: its own hit points first.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartrush_env.games.heart_rush.engine.windows import SHRUG_FROM
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.rules.terms import ATTACKING_STANCES, STANCES
from heartrush_env.research import SOURCES
from heartrush_env.research.duel import Duel
from heartrush_env.research.layers import Layers, layers_of
from heartrush_env.research.plain.kernel import solve_layer, stance_game
from heartrush_env.research.solution_file import write_solution
from heartrush_env.research.zero_sum import Floats, SolverError

FORMAT, FORMAT_VERSION = "heartrush-tablebase", 2
State = tuple[int, int, int, int]  # hit points, then heart dice by their sides, of the first and the other fighter
Whole = NDArray[np.int64]
Flags = NDArray[np.bool_]


def bytes_needed(duel: Duel, rounds: int | None) -> int:
    """Return a duel's table size in bytes: a value, two mixes and, if fighters may hold back, attack probabilities.

    With levels, the table has only values; everything else is computed from them.
    """
    states = int(np.prod(duel.shape)) * layers_of(rounds)
    if duel.game.scenario.settings.levels:
        return states * 8
    backs = 8 * ATTACKING_STANCES if duel.mutual and duel.free else 0
    return states * (8 + 8 * len(STANCES) * (2 if rounds is None else 1) + backs)


@dataclass(eq=False)
class Tablebase(Layers):
    """The solution of every state of a duel."""

    duel: Duel
    rounds: int | None  # the cap, if it counts: layer t has t rounds left; otherwise one layer without a cap
    values: Floats  # (layers, hp 0, hp 1, heart 0, heart 1): the first fighter's P(win) - P(loss)
    mixes: tuple[Any, Any]  # of each seat, (layers, own hp, other's hp, own heart, other's heart, stances)
    backs: tuple[Any, Any]  # of each seat, (..., attacking stances): attack probability in a shared stance
    certificate: float = 0.0  # the most that either side could gain by another choice in any single round
    cap_bound: float = 0.0  # how far off the starting value may be without the cap and fatigue

    @classmethod
    def empty(cls, duel: Duel, rounds: int | None) -> Tablebase:
        """Return an empty solution; without a cap, there is a single layer, so its mixes can have higher precision."""
        sides = [(layers_of(rounds), *shape) for shape in (duel.shape, duel.turned().shape)]
        kind = np.float64 if rounds is None else np.float32
        width = ATTACKING_STANCES if duel.mutual and duel.free else 0
        first, second = (np.zeros((*side, len(STANCES)), kind) for side in sides)
        backs = tuple(np.ones((*side, width), np.float32) for side in sides)
        return cls(duel, rounds, np.zeros(sides[0]), (first, second), (backs[0], backs[1]))

    @property
    def start(self) -> tuple[int, ...]:
        """The state at the start of the duel."""
        return self.duel.start

    def place(self, state: State) -> tuple[int, int, int, int]:
        """Return the index of a state in a layer; raise SolverError if the duel has no such state."""
        hearts, below = self.duel.hearts, self.duel.below
        own, other = (hp + low for hp, low in zip(state[:2], below, strict=True))
        known = 0 <= own <= self.duel.hp[0] and 0 <= other <= self.duel.hp[1]
        if not known or state[2] not in hearts[0] or state[3] not in hearts[1]:
            least, most = (-below[0], -below[1]), (self.duel.hp[0] - below[0], self.duel.hp[1] - below[1])
            raise SolverError(
                f"Expected a state with hit points from {least if any(least) else 0} to {most} and heart dice "
                f"{hearts[0]} and {hearts[1]}, got {state}."
            )
        return own, other, hearts[0].index(state[2]), hearts[1].index(state[3])

    def mix(self, seat: int, state: State, rounds_left: int | None = None) -> Floats:
        """Return a seat's probability of each stance."""
        mixes: Floats = self.mixes_at(seat, *self._one(state, rounds_left))[0]
        return mixes

    def attacks(self, seat: int, state: State, stance: int, against: int, rounds_left: int | None = None) -> float:
        """Return a seat's probability of attacking after the reveal, where it may attack."""
        stances = np.array([stance]), np.array([against])
        return float(self.attacks_at(seat, *self._one(state, rounds_left), *stances)[0])

    def shrugs(self, seat: int, state: State, damage: int, rounds_left: int | None = None, code: int = 0) -> bool:
        """Return whether a seat shrugs off a hit; False on a tie. `code` encodes the levels named with the hit."""
        hit = np.array([damage]), np.array([code])
        return bool(self.shrugs_at(seat, *self._one(state, rounds_left), *hit)[0])

    def _one(self, state: State, rounds_left: int | None) -> tuple[Whole, Whole]:
        return np.array([self.place(state)]), np.array([self.layer(rounds_left)])

    # -- solving -------------------------------------------------------------------------------------------------------

    def solve_part(self, *key: int) -> float:
        """Solve all states with this many rounds left (or without a cap); return the largest certificate gap."""
        here, *written = (array[key[0]] for array in self.arrays().values())
        return float(solve_layer(here, self.after(key[0]), self.rounds is None, self.duel.arrays, *written))

    def game(self, place: tuple[Any, ...], after: Floats) -> Floats:
        """Return the stance game of one state; `after` holds the values of states after this round."""
        game = np.zeros((len(STANCES), len(STANCES)))
        stance_game(game, np.ascontiguousarray(after, np.float64), np.array(place), after[place], self.duel.arrays)
        return game

    # Queries for many states at once: `places`, (n, axes of a layer), has indices from place(); `layers` is (n,).

    def mixes_at(self, seat: int, places: Whole, layers: Whole) -> Floats:
        """Return a seat's probability of each stance, (n, stances)."""
        mixes: Floats = self.mixes[seat][(layers, *_own_first(places, seat).T)].astype(np.float64)
        mixes /= mixes.sum(axis=1, keepdims=True)
        return mixes

    def attacks_at(self, seat: int, places: Whole, layers: Whole, stances: Whole, against: Whole) -> Floats:
        """Return a seat's probability of attacking after the reveal, where it may attack, (n,)."""
        backs, often = self.backs[seat], np.ones(len(places))
        if backs.shape[-1] > 0:
            shared = np.flatnonzero((stances == against) & (stances < ATTACKING_STANCES))
            own = _own_first(places[shared], seat)
            often[shared] = backs[(layers[shared], *own.T, stances[shared])]
        return often

    def shrugs_at(self, seat: int, places: Whole, layers: Whole, damages: Whole, codes: Whole) -> Flags:
        """Return whether a seat shrugs off each hit, (n,)."""
        hp, heart = places[:, seat], places[:, 2 + seat]
        if not self.duel.free:
            default: Flags = (heart > 0) & ((damages >= SHRUG_FROM) | (damages >= hp - self.duel.below[seat]))
            return default
        taken, shrugged = self.led_to(seat, places, codes), self.led_to(seat, places, codes)
        taken[:, seat] = np.maximum(0, hp - damages)
        shrugged[:, seat] = np.maximum(0, hp - (damages + 1) // 2)
        shrugged[:, 2 + seat] = np.maximum(0, heart - 1)
        after = layers if self.rounds is None else np.maximum(0, layers - 1)
        gained = self.values_at(shrugged, after) - self.values_at(taken, after)
        better: Flags = (heart > 0) & ((gained if seat == 0 else -gained) > 0)
        return better

    def values_at(self, places: Whole, layers: Whole) -> Floats:
        """Return the values of states for the first fighter, (n,)."""
        values: Floats = self.values[(layers, *places.T)]
        return values

    def led_to(self, seat: int, places: Whole, codes: Whole) -> Whole:
        """Return the states after a round, without its damage; `codes` are the levels that the seat's enemy names."""
        return places.copy()

    # -- files ---------------------------------------------------------------------------------------------------------

    def arrays(self) -> dict[str, Any]:
        """Return all arrays by name, as stored in a file."""
        return {
            "values": self.values,
            **{f"mixes_{seat}": self.mixes[seat] for seat in (0, 1)},
            **{f"backs_{seat}": self.backs[seat] for seat in (0, 1)},
        }

    def save(self, path: str | Path) -> None:
        """Write the solution atomically as compressed arrays with a JSON header, without pickles."""
        figures = {"rounds": self.rounds, "certificate": self.certificate, "cap_bound": self.cap_bound}
        write_solution(path, claims(self.duel.game, FORMAT, FORMAT_VERSION) | figures, self.arrays())

    def set_arrays(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Replace the solution's arrays by these, given by name."""
        self.values = arrays["values"]
        self.mixes = (arrays["mixes_0"], arrays["mixes_1"])
        self.backs = (arrays["backs_0"], arrays["backs_1"])


def _own_first(places: Whole, seat: int) -> Whole:
    """Return the indices with the seat's own hit points and heart first."""
    return places if seat == 0 else places[:, [1, 0, 3, 2]]


def claims(game: HeartRush, format: str, version: int) -> dict[str, Any]:
    """Return the facts that a solution file must match."""
    return {
        "format": format,
        "version": version,
        "rules": SOURCES.digest,
        "scenario": game.scenario.digest,
        "decisions": game.decisions,
        "settings": asdict(game.scenario.settings),
    }
