"""The graph of a small duel: all reachable positions, and for each pair of choices, outcomes and probabilities."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.rules.dice import distribution
from heartrush_env.games.heart_rush.state.log import LOG
from heartrush_env.games.heart_rush.state.record import OVER
from heartrush_env.research.duel import why_another_round, why_options
from heartrush_env.research.full_rules.kernel import (
    DONE,
    FULL_OUTCOMES,
    FULL_POSITIONS,
    MOST_TOTALS,
    NEW_POOL,
    SEARCH,
    TOO_MANY_ROLLS,
    Known,
    Pools,
    Rows,
    Table,
    enter,
    explore,
    pool_key,
    set_ranks,
)
from heartrush_env.research.full_rules.positions import MOST_ROLLS, POSITION, WORDS, as_position
from heartrush_env.research.zero_sum import Floats, SolverError

MAX_POSITIONS = 200_000
MAX_OUTCOMES = 100_000_000  # total over all rows; 14 bytes each
MOST_POOLS = 4096
FEWER = (  # advice for a duel with too many positions
    "fewer have fewer hit points, smaller heart dice, a smaller max_rounds or windows_per_round, "
    "the profiles 'levels' and 'plain', and rounds = fewer, which leaves later rounds open"
)
CHUNK = 2_000  # positions between two progress reports

Progress = Callable[[int, int], None]  # positions expanded, positions found
Whole = NDArray[np.int64]


def why_unsupported(game: HeartRush) -> str | None:
    """Return why a game cannot be solved by playing it out, as a clause, or None if it can."""
    if (another := why_another_round(game)) is not None:
        return another
    if len(game.scenario.fighters) != 2:
        return f"it has {len(game.scenario.fighters)} fighters, and only duels of two are solved"
    if game.shape.on_map:
        return "it is fought on a map, and only duels without one are solved"
    return why_options(game)


@dataclass(eq=False)
class Graph:
    """All positions found, and the transitions for every pair of choices."""

    game: HeartRush
    horizon: int  # number of rounds solved: the round cap, or fewer
    words: NDArray[np.uint64]  # (positions, words)
    slots: NDArray[np.int32]  # hash table
    ranks: Whole  # (positions,): maximum number of windows that follow in its round
    earliest: Whole  # (positions,): the earliest round in which it can be reached
    row_first: Whole  # (positions,): index of its first row; -1 if only the cap can follow
    widths: Whole  # (positions, 2): number of choices of each fighter
    row_start: Whole  # (rows + 1,)
    leads: NDArray[np.int32]  # (outcomes,): index of a position, or an ending
    rounds: NDArray[np.int16]  # (outcomes,): number of round starts passed
    chances: Floats  # (outcomes,)
    steps: int = 0  # windows played by the search

    @classmethod
    def of(cls, game: HeartRush, horizon: int, words: NDArray[np.uint64], *arrays: Any, steps: int) -> Graph:
        """Build the graph of these positions and rows."""
        slots, ranks = enter_all(words, len(words)), np.zeros(len(words), np.int64)
        graph = cls(game, horizon, words, slots, ranks, *arrays)
        graph.steps = steps
        if set_ranks(graph.ranks, *graph.rows[:-1]) < 0:
            raise SolverError("The positions of a round form a cycle, which no fight can.")
        return graph

    @property
    def positions(self) -> Any:
        """The positions as engine records."""
        return self.words.view(POSITION)[:, 0]

    @property
    def rows(self) -> Rows:
        """The rows and their outcomes for compiled code."""
        return Rows(self.row_first, self.widths, self.row_start, self.leads, self.rounds, self.chances)

    def after(self, beyond: float = 0.0) -> Floats:
        """Return the value of each position after the last solved round; the last entry is for unknown positions.

        Args:
            beyond: The value of later rounds, if fewer rounds are solved than the round cap.
        """
        values = np.full(len(self.words) + 1, beyond if self.horizon < self.game.scenario.max_rounds else 0.0)
        if self.horizon == self.game.scenario.max_rounds and self.game.scenario.round_cap == "hp":
            hp = np.maximum(0, self.positions["fighters"]["hp"].astype(np.int64))
            values[:-1] = np.sign(hp[:, 0] - hp[:, 1])
        return values

    def order(self, rounds: int) -> Whole:
        """Return the positions reachable within this number of rounds, later windows of a round first."""
        found = np.flatnonzero((self.row_first >= 0) & (self.earliest <= rounds))
        order: Whole = found[np.argsort(self.ranks[found], kind="stable")]
        return order


class Search:
    """A search for the graph of a game, with growing arrays."""

    def __init__(self, game: HeartRush, horizon: int, max_positions: int) -> None:
        """Start with the opening position of the fight."""
        self.game, self.horizon, self.max_positions = game, horizon, max_positions
        self.round = 1
        self.state = np.zeros(1, SEARCH)
        self.state["enemies"], self.state["actions"] = game.shape.enemies, len(game.action_names)
        self.words = np.zeros((1024, WORDS), np.uint64)
        self.rows = Rows(
            np.full(1024, -1, np.int64), np.zeros((1024, 2), np.int64), np.zeros(8192, np.int64),
            np.zeros(8192, np.int32), np.zeros(8192, np.int16), np.zeros(8192),
        )  # fmt: skip
        keys, low, sizes = (np.zeros(MOST_POOLS, np.int64) for _ in range(3))
        self.pools = Pools(keys, low, sizes, np.zeros((MOST_POOLS, MOST_TOTALS)))
        self.play = np.zeros(1, POSITION)
        self.log, self.masks = np.zeros(1, LOG), np.zeros(len(game.action_names), np.int8)

    def run(self, progress: Progress | None) -> Graph:
        """Find every position reachable within the cap, round by round."""
        fights = self.game.batch(1)
        fights.start([0], 0, [0])
        start = as_position(fights.copy_of(0)[0])
        if start[0]["window"] == OVER:
            raise self._refusal("it ends before any fighter has a choice")
        self.words[0] = start.view(np.uint64)
        self.state["positions"] = 1
        self.slots = enter_all(self.words, 1)
        never = self.horizon + 1
        earliest = np.full(len(self.words), never, np.int64)
        earliest[0] = 1
        later: dict[int, list[Whole]] = {1: [np.zeros(1, np.int64)]}
        while later:
            self.round = min(later)
            if self.round > self.horizon:
                break
            todo = np.unique(np.concatenate(later.pop(self.round)))
            todo = todo[self.rows.row_first[todo] < 0]
            while len(todo):
                self._play_on(todo, progress)
                if len(self.words) > len(earliest):
                    earliest = grown(earliest, len(self.words), never)
                todo = self._sort_in(todo, self.round, earliest, later)
        return self._graph(earliest)

    def _play_on(self, todo: Whole, progress: Progress | None) -> None:
        """Compute the rows of these positions."""
        for begin in range(0, len(todo), CHUNK):
            self.state["done"] = 0
            while True:
                result = explore(
                    self.state,
                    Known(self.words, self.words.view(POSITION)[:, 0], self.slots),
                    self.rows,
                    self.pools,
                    todo[begin : begin + CHUNK],
                    Table(self.play, self.play.view(np.uint64).reshape(1, -1), self.log, self.masks),
                )
                if result == DONE:
                    break
                self._make_room(result)
            if progress:
                progress(int((self.rows.row_first >= 0).sum()), int(self.state["positions"][0]))

    def _make_room(self, wanted: int) -> None:
        """Enlarge the arrays that are full, or add the totals of a new pool."""
        if wanted == NEW_POOL:
            self._add_pool(self.play[0]["asked"])
        elif wanted == FULL_POSITIONS:
            if len(self.words) >= self.max_positions:
                raise self._refusal(f"it has more than {self.max_positions} positions (max_positions)", smaller=True)
            most = min(2 * len(self.words), self.max_positions)
            self.words, widths = grown(self.words, most), grown(self.rows.widths, most)
            self.rows = self.rows._replace(row_first=grown(self.rows.row_first, most, -1), widths=widths)
            self.slots = enter_all(self.words, int(self.state["positions"][0]))
        elif wanted == FULL_OUTCOMES:
            if len(self.rows.leads) >= MAX_OUTCOMES:
                raise self._refusal(f"its positions have more than {MAX_OUTCOMES} outcomes", smaller=True)
            self.rows = Rows(*self.rows[:2], *(grown(array, 2 * len(array)) for array in self.rows[2:]))
        else:
            assert wanted == TOO_MANY_ROLLS
            raise self._refusal(f"one step of it makes more than {MOST_ROLLS} rolls")

    def _add_pool(self, pool: Any) -> None:
        """Add the probabilities of a pool's totals."""
        place = int(self.state["pools"][0])
        totals = distribution(pool)
        low, high = min(totals), max(totals)
        if place >= MOST_POOLS or high - low >= MOST_TOTALS:
            raise self._refusal("it rolls more kinds of dice than there is room for", smaller=True)
        self.pools.keys[place] = pool_key(pool)
        self.pools.low[place], self.pools.sizes[place] = low, high - low + 1
        for total, chance in totals.items():
            self.pools.chances[place, total - low] = float(chance)
        self.state["pools"] = place + 1

    def _sort_in(self, todo: Whole, number: int, earliest: Whole, later: dict[int, list[Whole]]) -> Whole:
        """Record when these positions' successors can be reached, and return those to play in this round."""
        row_first, start = self.rows.row_first, self.rows.row_start
        ends = row_first[todo] + self.rows.widths[todo].prod(axis=1)
        whole = slice(start[row_first[todo]].min(), start[ends].max())  # the rows are contiguous
        leads, passed = self.rows.leads[whole], self.rows.rounds[whole]
        met = leads >= 0
        leads, first = leads[met].astype(np.int64), number + passed[met].astype(np.int64)
        np.minimum.at(earliest, leads, first)
        for when in np.unique(first):
            if when > number:
                later.setdefault(int(when), []).append(np.unique(leads[first == when]))
        now = np.unique(leads[first == number])
        fresh: Whole = now[row_first[now] < 0]
        return fresh

    def _graph(self, earliest: Whole) -> Graph:
        state = self.state[0]
        found, rows, outcomes = int(state["positions"]), int(state["rows"]), int(state["outcomes"])
        row_first, widths, row_start, *of_outcomes = self.rows
        parts = self.words[:found], earliest[:found], row_first[:found], widths[:found], row_start[: rows + 1]
        words, *arrays = (part.copy() for part in (*parts, *(part[:outcomes] for part in of_outcomes)))
        graph = Graph.of(self.game, self.horizon, words, *arrays, steps=int(state["steps"]))
        far = (graph.rounds > 1) | ((graph.rounds > 0) & (graph.leads < 0))
        if self.game.scenario.round_cap == "hp" and far.any():
            raise self._refusal(
                "a round may pass in which no fighter has a choice, and round_cap is 'hp'; give round_cap = 'draw'"
            )
        return graph

    def _refusal(self, why: str, *, smaller: bool = False) -> SolverError:
        advice = f" in round {self.round}; {FEWER}" if smaller else ""
        return SolverError(f"{self.game.scenario_name!r} cannot be solved by play: {why}{advice}.")


def enter_all(words: NDArray[np.uint64], count: int) -> NDArray[np.int32]:
    """Return a hash table of the first `count` positions, with room to grow."""
    slots = np.full(2 ** int(2 * len(words)).bit_length(), -1, np.int32)
    enter(words, slots, count)
    return slots


def grown(array: NDArray[Any], most: int, filling: int = 0) -> NDArray[Any]:
    """Return a copy of the array enlarged to length `most`, with the new entries set to `filling`."""
    result = np.full((most, *array.shape[1:]), filling, array.dtype)
    result[: len(array)] = array
    return result
