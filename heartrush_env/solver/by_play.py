"""Solves small duels under any rules, maneuvers and all, by playing the engine through all that may happen.

First every position that both may come to within the round cap is found, with what every pair of choices may lead to
and how often: the engine itself plays them, and is told what its rolls show (positions.py). Then every position is a
small matrix game, solved backward: windows of a round from its last one, rounds by how many are left. Once one more
round changes nothing any more, the rest of the cap cannot either, because no value moves further in a round than all
moved in the one before.

The certificate is no error estimate: what each side gets at least by playing the solution is worked out by one more
pass backward, against the best answer to it, and the value lies between the two.

The closed form of solve.py is far faster where it applies.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartrush_env.core.dice import distribution
from heartrush_env.core.rule import source_digest
from heartrush_env.heart_rush.engine.setup import new_log
from heartrush_env.heart_rush.engine.state import OVER, WINDOWS
from heartrush_env.heart_rush.fights import Fights
from heartrush_env.heart_rush.game import HeartRush
from heartrush_env.heart_rush.scenario import Scenario
from heartrush_env.solver.by_play_kernel import (
    CAPPED,
    DONE,
    FULL_OUTCOMES,
    FULL_POSITIONS,
    MOST_TOTALS,
    NEW_POOL,
    SEARCH,
    TOO_MANY_ROLLS,
    answer_round,
    enter,
    explore,
    look_up,
    pool_key,
    set_ranks,
    solve_round,
    stage_game,
    write_choices,
)
from heartrush_env.solver.matrix import Floats, SolverError, solve_matrix
from heartrush_env.solver.positions import MOST_ROLLS, NO_CAP, POSITION, WORDS, as_position

MAX_POSITIONS = 200_000
MAX_OUTCOMES = 100_000_000  # of all rows together; 14 bytes each
MOST_POOLS = 4096
CHUNK = 2_000  # positions between two words of progress
SETTLED = 1e-10  # what rounds that are not worked out may change the value
FORMAT, FORMAT_VERSION = "heartrush-played", 1

Progress = Callable[[int, int], None]  # positions played on, of so many found
Whole = NDArray[np.int64]


def objection(game: HeartRush) -> str | None:
    """Why a game is none that is solved by play, as the end of a sentence, or None if it is."""
    if not isinstance(game, HeartRush):
        return "only Heart Rush is solved"
    scenario = game.scenario
    if len(scenario.fighters) != 2:
        return f"it has {len(scenario.fighters)} fighters, and only duels of two are solved"
    if scenario.settings.talk != "none":
        return f"the setting talk is {scenario.settings.talk!r}, and only 'none' is solved"
    for option, solved in (("control", "fighter"), ("reward", "win"), ("max_cycles", None)):
        if getattr(game, option) != solved:
            return f"{option} is {getattr(game, option)!r}, and only {solved!r} is solved"
    return None


@dataclass(eq=False)
class Graph:
    """All positions that were found, and where every pair of choices leads."""

    game: HeartRush
    words: NDArray[np.uint64]  # (positions, words)
    slots: NDArray[np.int32]  # of a hash table
    earliest: Whole  # (positions,): the first round in which it can be come to
    ranks: Whole  # (positions,): how many windows of its round may follow
    row_first: Whole  # (positions,): its first row; -1 where only the cap can follow
    widths: Whole  # (positions, 2): choices of each fighter
    row_start: Whole  # (rows + 1,)
    leads: NDArray[np.int32]  # (outcomes,): a position, or an ending
    rounds: NDArray[np.int16]  # (outcomes,): round starts on the way
    chances: Floats  # (outcomes,)
    steps: int = 0  # windows played to find all this

    @property
    def positions(self) -> Any:
        """The positions as records."""
        return self.words.view(POSITION)[:, 0]

    @property
    def rows(self) -> tuple[Any, ...]:
        """What the kernel wants to know of rows and outcomes."""
        return self.row_first, self.widths, self.row_start, self.leads, self.rounds, self.chances

    def capped(self) -> Floats:
        """What each position is worth if the cap comes at the end of the round before it."""
        values = np.zeros(len(self.words))
        if self.game.scenario.round_cap == "hp":
            hp = np.maximum(0, self.positions["fighters"]["hp"].astype(np.int64))
            values[:] = np.sign(hp[:, 0] - hp[:, 1])
        return values


class Search:
    """Finds the graph of a game, with room that grows."""

    def __init__(self, game: HeartRush, max_positions: int) -> None:
        """Begin with the position in which the fight opens."""
        self.game, self.max_positions = game, max_positions
        self.state = np.zeros(1, SEARCH)
        self.state["enemies"], self.state["actions"] = game.shape.enemies, len(game.action_names)
        self.words = np.zeros((1024, WORDS), np.uint64)
        self.row_first, self.widths = np.full(1024, -1, np.int64), np.zeros((1024, 2), np.int64)
        self.row_start = np.zeros(8192, np.int64)
        self.leads, self.rounds = np.zeros(8192, np.int32), np.zeros(8192, np.int16)
        self.chances = np.zeros(8192)
        self.pool_keys, self.pool_low = np.zeros(MOST_POOLS, np.int64), np.zeros(MOST_POOLS, np.int64)
        self.pool_sizes = np.zeros(MOST_POOLS, np.int64)
        self.pool_chances = np.zeros((MOST_POOLS, MOST_TOTALS))
        self.play = np.zeros(1, POSITION)
        self.log, self.masks = new_log(), np.zeros(len(game.action_names), np.int8)

    def run(self, progress: Progress | None) -> Graph:
        """Find all that can be come to within the cap, round by round."""
        fights = self.game.batch(1)
        fights.start([0], 0, [0])
        start = as_position(fights._matches[0])
        if start[0]["window"] == OVER:
            raise self._refusal("it is over before anybody chooses")
        self.words[0] = start.view(np.uint64)
        self.state["positions"] = 1
        self.slots = _enter_all(self.words, 1)
        cap = self.game.scenario.max_rounds
        earliest = np.full(len(self.words), cap + 1, np.int64)
        earliest[0] = 1
        later: dict[int, list[Whole]] = {1: [np.zeros(1, np.int64)]}
        while later:
            number = min(later)
            todo = np.unique(np.concatenate(later.pop(number)))
            todo = todo[self.row_first[todo] < 0]
            if number > cap:
                continue
            while len(todo):
                self._play_on(todo, progress)
                if len(self.words) > len(earliest):
                    earliest = _grown(earliest, len(self.words), cap + 1)
                todo = self._sort_in(todo, number, earliest, later)
        return self._graph(earliest)

    def _play_on(self, todo: Whole, progress: Progress | None) -> None:
        """Give these positions their rows."""
        for begin in range(0, len(todo), CHUNK):
            self.state["done"] = 0
            while True:
                result = explore(
                    self.state, self.words, self.words.view(POSITION)[:, 0], self.slots,
                    self.row_first, self.widths, self.row_start, self.leads, self.rounds, self.chances,
                    self.pool_keys, self.pool_low, self.pool_sizes, self.pool_chances,
                    todo[begin : begin + CHUNK], self.play, self.play.view(np.uint64).reshape(1, -1),
                    self.log, self.masks,
                )  # fmt: skip
                if result == DONE:
                    break
                self._make_room(result)
            if progress:
                progress(int((self.row_first >= 0).sum()), int(self.state["positions"][0]))

    def _make_room(self, wanted: int) -> None:
        """More room for what is full, or the chances of a pool that was not met before."""
        if wanted == NEW_POOL:
            self._add_pool(self.play[0]["asked"])
        elif wanted == FULL_POSITIONS:
            if len(self.words) >= self.max_positions:
                raise self._refusal(f"it has more than {self.max_positions} positions (max_positions)", smaller=True)
            most = min(2 * len(self.words), self.max_positions)
            self.words, self.widths = _grown(self.words, most), _grown(self.widths, most)
            self.row_first = _grown(self.row_first, most, -1)
            self.slots = _enter_all(self.words, int(self.state["positions"][0]))
        elif wanted == FULL_OUTCOMES:
            if len(self.leads) >= MAX_OUTCOMES:
                raise self._refusal(f"its positions have more than {MAX_OUTCOMES} outcomes", smaller=True)
            self.row_start = _grown(self.row_start, 2 * len(self.row_start))
            self.leads, self.rounds = (_grown(array, 2 * len(array)) for array in (self.leads, self.rounds))
            self.chances = _grown(self.chances, 2 * len(self.chances))
        else:
            assert wanted == TOO_MANY_ROLLS
            raise self._refusal(f"one step of it makes more than {MOST_ROLLS} rolls")

    def _add_pool(self, pool: Any) -> None:
        """The chances of a pool's totals."""
        place = int(self.state["pools"][0])
        totals = distribution(pool)
        low, high = min(totals), max(totals)
        if place >= MOST_POOLS or high - low >= MOST_TOTALS:
            raise self._refusal("it rolls more kinds of dice than there is room for", smaller=True)
        self.pool_keys[place] = getattr(pool_key, "py_func", pool_key)(pool)
        self.pool_low[place], self.pool_sizes[place] = low, high - low + 1
        for total, chance in totals.items():
            self.pool_chances[place, total - low] = float(chance)
        self.state["pools"] = place + 1

    def _sort_in(self, todo: Whole, number: int, earliest: Whole, later: dict[int, list[Whole]]) -> Whole:
        """Note when what follows these positions can be come to; returns what is to be played on in this round."""
        ends = self.row_first[todo] + self.widths[todo].prod(axis=1)
        spans = [slice(self.row_start[a], self.row_start[b]) for a, b in zip(self.row_first[todo], ends, strict=True)]
        whole = slice(min(span.start for span in spans), max(span.stop for span in spans))  # they lie side by side
        leads, passed = self.leads[whole], self.rounds[whole]
        met = leads >= 0
        leads, first = leads[met].astype(np.int64), number + passed[met].astype(np.int64)
        np.minimum.at(earliest, leads, first)
        for when in np.unique(first):
            if when > number:
                later.setdefault(int(when), []).append(np.unique(leads[first == when]))
        now: Whole = np.unique(leads[first == number])
        return now[self.row_first[now] < 0]

    def _graph(self, earliest: Whole) -> Graph:
        state = self.state[0]
        found, rows, outcomes = int(state["positions"]), int(state["rows"]), int(state["outcomes"])
        graph = Graph(
            self.game,
            self.words[:found].copy(),
            self.slots,
            earliest[:found].copy(),
            np.zeros(found, np.int64),
            self.row_first[:found].copy(),
            self.widths[:found].copy(),
            self.row_start[: rows + 1].copy(),
            self.leads[:outcomes].copy(),
            self.rounds[:outcomes].copy(),
            self.chances[:outcomes].copy(),
            int(state["steps"]),
        )
        set_ranks(graph.ranks, *graph.rows[:-1])
        if self.game.scenario.round_cap == "hp":
            far = (graph.rounds > 1) | ((graph.rounds > 0) & (graph.leads < 0))
            if far.any():
                raise self._refusal(
                    "a round may pass in which nobody has a choice, and round_cap is 'hp'; round_cap = 'draw' is solved"
                )
        return graph

    def _refusal(self, why: str, *, smaller: bool = False) -> SolverError:
        advice = (
            "; smaller are fewer hit points, smaller heart dice, a smaller max_rounds, windows_per_round or profile"
            if smaller
            else ""
        )
        return SolverError(f"{self.game.scenario_name!r} cannot be solved by play: {why}{advice}.")


def solve_by_play(
    game: HeartRush | Scenario | str | Mapping[str, Any],
    progress: Progress | None = None,
    *,
    max_positions: int = MAX_POSITIONS,
) -> PlayedTable:
    """The solution of a small duel without a map under any rules but talk.

    Args:
        game: A game, or a scenario, by name, as a dict or loaded.
        progress: Called as positions are played on, with how many are, and how many were found.
        max_positions: SolverError says so as soon as there are more.
    """
    game = game if isinstance(game, HeartRush) else HeartRush(game)
    reason = objection(game)
    if reason is not None:
        raise SolverError(f"{game.scenario_name!r} cannot be solved by play: {reason}.")
    begun = time.perf_counter()
    graph = Search(game, max_positions).run(progress)
    values, certificate = _solve_backward(graph)
    table = PlayedTable(graph, values, certificate)
    table.best, table.least = _answer(graph, values)
    table.seconds = time.perf_counter() - begun
    return table


def _solve_backward(graph: Graph) -> tuple[Floats, float]:
    """Values by rounds left, (layers, positions), as far as one more round changes them; the worst certificate."""
    capped, cap = graph.capped(), graph.game.scenario.max_rounds
    values = np.zeros((min(cap, 16) + 1, len(graph.words)))
    values[0] = capped
    steady, worst = Steadiness(graph), 0.0
    for left in range(1, cap + 1):
        if left >= len(values):
            values = _grown(values, min(2 * len(values), cap + 1))
        order = _order(graph, cap - left + 1)
        worst = max(worst, solve_round(order, left, values, capped, *graph.rows))
        if steady.rest(left, np.abs(values[left, order] - values[left - 1, order]).max()) <= SETTLED:
            return values[: left + 1].copy(), worst
    return values, worst


def _answer(graph: Graph, values: Floats) -> tuple[float, float]:
    """What the first fighter gets by the best answer to the solution, and what the solution gives it at least."""
    capped, cap = graph.capped(), graph.game.scenario.max_rounds
    best, least = (np.zeros_like(values) for _ in range(2))
    best[0] = least[0] = capped
    steady = Steadiness(graph)
    for left in range(1, cap + 1):
        if left >= len(best):
            best, least = (_grown(array, min(2 * len(array), cap + 1)) for array in (best, least))
        order = _order(graph, cap - left + 1)
        answer_round(order, left, min(left, len(values) - 1), values, best, least, capped, *graph.rows)
        moved = max(float(np.abs(array[left, order] - array[left - 1, order]).max()) for array in (best, least))
        rest = 0.0 if left == cap else steady.rest(left, moved)
        if left >= len(values) - 1 and rest <= SETTLED:
            break
    return min(1.0, float(best[left, 0]) + rest), max(-1.0, float(least[left, 0]) - rest)


class Steadiness:
    """How far rounds that are not worked out may still move a value."""

    def __init__(self, graph: Graph) -> None:
        """Ask how many rounds one step may pass."""
        lasting = graph.rounds[graph.rounds < NO_CAP // 2]
        self.reach, self.cap = max(1, int(lasting.max(initial=1))), graph.game.scenario.max_rounds
        self.moved: list[float] = []

    def rest(self, left: int, moved: float) -> float:
        """The bound after a round that moved values by so much; none before steps stop reaching over the cap."""
        self.moved = [*self.moved, moved][-self.reach :]
        return (self.cap - left) * max(self.moved) if left > self.reach + 1 else np.inf


def _order(graph: Graph, rounds: int) -> Whole:
    """The positions that can be come to within so many rounds, later windows of a round first."""
    found = np.flatnonzero((graph.row_first >= 0) & (graph.earliest <= rounds))
    order: Whole = found[np.argsort(graph.ranks[found], kind="stable")]
    return order


def _enter_all(words: NDArray[np.uint64], count: int) -> NDArray[np.int32]:
    """A hash table of so many positions, with room for all that there is room for."""
    slots = np.full(2 ** int(2 * len(words)).bit_length(), -1, np.int32)
    enter(words, slots, count)
    return slots


def _grown(array: NDArray[Any], most: int, filling: int = 0) -> NDArray[Any]:
    """The array with room for more."""
    result = np.full((most, *array.shape[1:]), filling, array.dtype)
    result[: len(array)] = array
    return result


@dataclass(eq=False)
class PlayedTable:
    """A duel, solved by play."""

    graph: Graph
    values: Floats  # (rounds left, positions); beyond the last one more round changes nothing
    certificate: float  # the most that any side could gain by another choice in any one window
    best: float = 0.0  # what the best answer to the solution's second fighter gets
    least: float = 0.0  # what the solution's first fighter gets at least
    seconds: float = 0.0

    @property
    def game(self) -> HeartRush:
        """The game that is solved."""
        return self.graph.game

    @property
    def value(self) -> float:
        """The first fighter's chance to win less its chance to lose, when both play this solution from the start."""
        return float(self.values[-1, 0])

    @property
    def nash_conv(self) -> float:
        """What best answers gain against both sides together: the true value is no further off."""
        return self.best - self.least

    def place(self, position: Mapping[str, Any] | None = None) -> tuple[int, int]:
        """The number of a position, and the rounds left there; the opening's unless a snapshot is given."""
        if position is None:
            return 0, self.game.scenario.max_rounds
        fights = self.game.batch(1)
        fights.restore(0, position)
        return self.place_of(fights, 0)

    def place_of(self, fights: Fights, slot: int) -> tuple[int, int]:
        """The number of the position that a slot of a batch has come to, and the rounds left there."""
        match = fights._matches[slot]
        graph = self.graph
        number = int(look_up(graph.words, graph.slots, as_position(match).view(np.uint64)))
        if match["window"] == OVER or number < 0 or graph.row_first[number] < 0:
            raise SolverError("The position is none that this duel can come to before its end.")
        return number, self.game.scenario.max_rounds - int(match["round_number"]) + 1

    def stage_game(self, place: tuple[int, int]) -> Floats:
        """The matrix game of a position: what each pair of choices is worth to the first fighter."""
        number, left = place
        game: Floats = np.zeros(tuple(self.graph.widths[number]))
        known = min(left, len(self.values) - 1)
        stage_game(game, number, known, self.values, self.graph.capped(), *self.graph.rows)
        return game

    def mix(self, seat: int, place: tuple[int, int]) -> dict[str, float]:
        """How often a seat takes each of its choices there, by the names of actions."""
        solution = solve_matrix(self.stage_game(place))
        return dict(zip(self.choices(seat, place[0]), (solution.row, solution.column)[seat].tolist(), strict=True))

    def choices(self, seat: int, number: int) -> list[str]:
        """The names of the actions that a seat has in a position."""
        game = self.game
        masks = np.zeros(len(game.action_names), np.int8)
        write_choices(self.graph.positions, number, seat, masks, game.shape.enemies)
        return [name for name, legal in zip(game.action_names, masks, strict=True) if legal]
