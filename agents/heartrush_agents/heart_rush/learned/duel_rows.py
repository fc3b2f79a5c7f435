"""The observations of a duel's states, without playing: each is a sum of parts, one for each number in the state.

A state of a plain duel is four numbers: both fighters' hit points and heart dice. Levels are two more: the index of
each fighter's vector of levels. In the shrug window, the hit is the last number. In a given window, each feature
depends on at most one of these numbers. So a table for each number, filled by the game's own kernel, gives the
observation of any state. `read_windows` checks that on random states.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartrush_env.games.heart_rush.rules.stances import MAY_ATTACK
from heartrush_env.research.duel import EXCHANGES, NOTHING, Duel, N
from heartrush_env.research.query import show, window_of
from heartrush_env.research.zero_sum import SolverError

Floats = NDArray[np.float32]
Whole = NDArray[np.int64]
Moment = tuple[int, ...] | None  # an argument of `window_of`

CHECKED = 256  # random states on which the sums are compared with the kernel's rows
EXACT = 1e-5  # the largest difference that rounding explains


@dataclass(frozen=True, eq=False)
class Windows:
    """The observations of a seat's windows of one kind."""

    base: Floats  # (windows, features): in the state with the most hit points and the largest dice
    tables: tuple[Floats, ...]  # one per number of the state, added to the base: (windows, values, features)

    def rows(self, windows: Whole, numbers: Whole) -> Floats:
        """Return the observations of states in these windows, (n, features).

        Args:
            windows: (n,): the indices of the windows.
            numbers: (n, axes): the indices of states in the duel's arrays, the seat's own numbers first; shrug windows
                add the hit as last column.
        """
        rows = self.base[windows]
        for table, values in zip(self.tables, numbers.T, strict=True):
            rows += table[windows, values]
        return rows

    def only(self, columns: Whole) -> Windows:
        """Return these windows with the given features only."""
        return Windows(self.base[:, columns], tuple(table[:, :, columns] for table in self.tables))


@dataclass(frozen=True, eq=False)
class SeatWindows:
    """All windows of a duel in which one seat decides."""

    duel: Duel  # from the seat's point of view
    stance: Windows  # a single window
    pairs: list[tuple[int, int]]  # own and other stances of the attack windows
    attack: Windows | None  # None where the default policy attacks
    shrug_of: Whole  # (exchanges,): index of the shrug window; NOTHING if the exchange does not hurt the seat
    shrug: Windows | None  # the distinct windows; None if the seat never chooses

    def kinds(self) -> list[Windows]:
        """Return the windows of each kind that the seat has."""
        return [kind for kind in (self.stance, self.attack, self.shrug) if kind is not None]

    def only(self, columns: Whole) -> SeatWindows:
        """Return these windows with the given features only."""
        stance, *more = (kind and kind.only(columns) for kind in (self.stance, self.attack, self.shrug))
        assert stance is not None
        return SeatWindows(self.duel, stance, self.pairs, more[0], self.shrug_of, more[1])


def read_windows(duel: Duel) -> SeatWindows:
    """Read the windows of the first seat of a duel that ends at 0 hit points.

    Raises:
        SolverError: Some feature depends on two numbers of a state.
    """
    pairs = [(i, j) for i in range(N) for j in range(N) if MAY_ATTACK[i, j] and duel.free]
    shrug_of, exchanges = np.full(len(EXCHANGES), NOTHING), []
    if duel.free and len(duel.hearts[0]) > 1:  # otherwise no hit is shrugged off, or the default policy decides
        looks: list[bytes] = []
        for place in np.flatnonzero((duel.chances[..., 0, :] > 0).any(axis=-1).reshape(-1, len(EXCHANGES)).any(axis=0)):
            look = _read_window(duel, EXCHANGES[place])[0].tobytes()
            if look not in looks:
                looks.append(look)
                exchanges.append(EXCHANGES[place])
            shrug_of[place] = looks.index(look)
    return SeatWindows(
        duel,
        _read(duel, [None]),
        pairs,
        _read(duel, pairs) if pairs else None,
        shrug_of,
        _read(duel, exchanges) if exchanges else None,
    )


def differing(seats: list[SeatWindows]) -> Whole:
    """Return the indices of features that differ between observations of these windows."""
    kinds = [kind for seat in seats for kind in seat.kinds()]
    base = np.concatenate([kind.base for kind in kinds])
    found = (base != base[0]).any(axis=0)
    for kind in kinds:
        for table in kind.tables:
            found |= (table != 0).any(axis=(0, 1))
    return np.flatnonzero(found)


def told_by_mask(seats: list[SeatWindows]) -> Whole:
    """Return the indices of features that differ between windows of one kind.

    A network that leaves them out distinguishes these windows by the legal actions.
    """
    kinds = [kind for seat in seats for kind in seat.kinds()]
    return np.flatnonzero(np.any([(kind.base != kind.base[0]).any(axis=0) for kind in kinds], axis=0))


def _read(duel: Duel, moments: list[Any]) -> Windows:
    """Read the windows of these moments, all of one kind."""
    base, tables = zip(*(_read_window(duel, moment) for moment in moments), strict=True)
    return Windows(np.array(base), tuple(np.array(table) for table in zip(*tables, strict=True)))


def _read_window(duel: Duel, moment: Moment) -> tuple[Floats, list[Floats]]:
    """Return the base and the tables of one window."""
    record, hit = window_of(duel.game, duel.seats[0], moment), moment is not None and len(moment) == 4
    axes = len(duel.shape)
    sizes = (*duel.shape, len(duel.halves)) if hit else duel.shape
    least = [int(axis in (0, 1, axes)) for axis in range(len(sizes))]  # nothing is decided at 0 hp, and no hit is 0
    most = np.array(sizes) - 1

    def shown(numbers: Whole) -> Floats:
        rows: Floats = show(duel, record, numbers[:, :axes], numbers[:, axes] if hit else None)[0]
        return rows

    base = shown(most[None])[0]
    tables = []
    for axis, size in enumerate(sizes):
        numbers = np.repeat(most[None], size, axis=0)
        numbers[:, axis] = np.maximum(np.arange(size), least[axis])
        tables.append(shown(numbers) - base)
    some = np.random.default_rng(0).integers(least, sizes, (CHECKED, len(sizes)))
    summed = base + sum(table[values] for table, values in zip(tables, some.T, strict=True))
    wrong = np.abs(summed - shown(some)).max(axis=0) > EXACT
    if wrong.any():
        name = duel.game.feature_names[int(wrong.argmax())]
        raise SolverError(
            f"Networks cannot be analysed in {duel.game.scenario_name!r}: the feature {name!r} depends on two numbers "
            "of a state together."
        )
    return base, tables
