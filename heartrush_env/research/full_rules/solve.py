"""Solutions of small duels under any rules, including maneuvers, found by enumerating all courses of play.

First, every position reachable within the round cap is found, with the outcomes of every pair of choices and their
probabilities: the engine itself plays them, with given results for its rolls (positions.py). Then every position is a
small matrix game, solved backward: the windows of a round from the last one, and rounds by the number left. Once
another round changes nothing, the remaining ones cannot change anything either, because no value moves further in a
round than the largest move in the round before.

If fewer rounds are solved than the cap allows, later rounds may be worth anything between a loss and a win.

The certificate is exact: another backward pass computes the least score of each side when it plays the solution against
a best response, and loses whenever play goes beyond the solved rounds. The value is between the two scores.

The solver in research/solve.py is far faster for the duels that it supports.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import numpy as np

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.scenario.sheets import Scenario
from heartrush_env.research.duel import supported
from heartrush_env.research.full_rules.graph import (
    FEWER,
    MAX_POSITIONS,
    Graph,
    Progress,
    Search,
    grown,
    why_unsupported,
)
from heartrush_env.research.full_rules.kernel import Values, answer_round, solve_round
from heartrush_env.research.full_rules.positions import NO_CAP
from heartrush_env.research.full_rules.size import least_positions
from heartrush_env.research.full_rules.table import PlayedTable
from heartrush_env.research.zero_sum import Floats, SolverError

SETTLED = 1e-10  # the most that rounds not solved one by one may change the value


def solve_by_play(
    game: HeartRush | Scenario | str | Mapping[str, Any],
    progress: Progress | None = None,
    *,
    rounds: int | None = None,
    max_positions: int = MAX_POSITIONS,
) -> PlayedTable:
    """Solve a small duel without a map under any rules except talk.

    Args:
        game: A game, or a scenario, by name, as a dict or loaded.
        progress: Called with the number of positions expanded and the number of positions found.
        rounds: The maximum number of rounds to solve; the gap then includes the effect of later rounds.
        max_positions: The maximum number of positions; more raise SolverError.
    """
    game = game if isinstance(game, HeartRush) else HeartRush(game)
    horizon = refuse_unsolvable(game, rounds, max_positions)
    begun = time.perf_counter()
    graph = Search(game, horizon, max_positions).run(progress)
    values, certificate = _solve_backward(graph)
    best, least = _answer(graph, values)
    return PlayedTable(graph, values, certificate, best, least, time.perf_counter() - begun)


def refuse_unsolvable(game: HeartRush, rounds: int | None, max_positions: int) -> int:
    """Raise SolverError if it is clear in advance that a game cannot be solved by playing it out.

    Returns:
        The number of rounds to solve.
    """
    supported(game, why_unsupported, " by play")
    cap = game.scenario.max_rounds
    if rounds is not None and not rounds >= 1:
        raise SolverError(f"rounds: expected 1 or more, got {rounds}.")
    horizon = min(cap, rounds or cap)
    least = least_positions(game, horizon)
    if least > max_positions:
        raise SolverError(
            f"{game.scenario_name!r}: expected at most {max_positions} positions (max_positions), got at least "
            f"{least}; {FEWER}."
        )
    return horizon


def _solve_backward(graph: Graph) -> tuple[Floats, float]:
    """Return the values (layers, positions) for 0, 1, ... rounds left, until they stay the same, and the worst gap."""
    after, cap = graph.after(), graph.horizon
    values = np.zeros((min(cap, 16) + 1, len(graph.words)))
    values[0] = after[:-1]
    steady, worst = Steadiness(graph), 0.0
    for left in range(1, cap + 1):
        if left >= len(values):
            values = grown(values, min(2 * len(values), cap + 1))
        order = graph.order(cap - left + 1)
        worst = max(worst, solve_round(order, left, Values(values, after), graph.rows))
        if steady.rest(left, np.abs(values[left, order] - values[left - 1, order]).max()) <= SETTLED:
            return values[: left + 1].copy(), worst
    return values, worst


def _answer(graph: Graph, values: Floats) -> tuple[float, float]:
    """Return the first fighter's score with a best response to the solution, and its least score with the solution."""
    afters, cap = (graph.after(1.0), graph.after(-1.0)), graph.horizon
    best, least = (np.zeros_like(values) for _ in range(2))
    best[0], least[0] = (after[:-1] for after in afters)
    steady, rest = Steadiness(graph), 0.0
    for left in range(1, cap + 1):
        if left >= len(best):
            best, least = (grown(array, min(2 * len(array), cap + 1)) for array in (best, least))
        order = graph.order(cap - left + 1)
        known = min(left, len(values) - 1)
        answers = Values(best, afters[0]), Values(least, afters[1])
        answer_round(order, left, known, Values(values, graph.after()), *answers, graph.rows)
        moved = max(float(np.abs(array[left, order] - array[left - 1, order]).max()) for array in (best, least))
        rest = steady.rest(left, moved)
        if left >= len(values) - 1 and rest <= SETTLED:
            break
    return min(1.0, float(best[left, 0]) + rest), max(-1.0, float(least[left, 0]) - rest)


class Steadiness:
    """A bound on how much the remaining rounds can still move a value."""

    def __init__(self, graph: Graph) -> None:
        """Find the number of rounds that one step can span."""
        lasting = graph.rounds[graph.rounds < NO_CAP // 2]
        self.reach, self.cap = max(1, int(lasting.max(initial=1))), graph.horizon
        self.moved: list[float] = []

    def rest(self, left: int, moved: float) -> float:
        """Return the bound after a round that moved values by `moved`: inf while one step can reach past the cap."""
        if left == self.cap:
            return 0.0
        self.moved = [*self.moved, moved][-self.reach :]
        return (self.cap - left) * max(self.moved) if left > self.reach + 1 else np.inf
