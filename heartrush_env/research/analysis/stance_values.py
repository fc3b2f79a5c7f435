"""The values of stances and shrugs in one state, against the solution or against a given policy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from heartrush_env.games.heart_rush.rules.terms import STANCES
from heartrush_env.research.analysis.round_values import best_answer, check_plain, side_of
from heartrush_env.research.best_response import Plays, at
from heartrush_env.research.duel import EXCHANGE
from heartrush_env.research.plain.play import policy_game
from heartrush_env.research.plain.policy import own_side
from heartrush_env.research.solve import expected_matrix
from heartrush_env.research.tablebase import State, Tablebase
from heartrush_env.research.zero_sum import Floats, SolverError


@dataclass(frozen=True, eq=False)
class StanceValues:
    """The stance game of one state from the side of one seat."""

    matrix: Floats  # (own stances, other's stances): the value of each pair
    mix: Floats  # (stances,): the solution's mix
    other: Floats  # (stances,): the other side's mix
    worth: Floats  # (stances,): the value of each own stance against that mix


def own_place(table: Tablebase, state: State, seat: int) -> tuple[int, int, int, int]:
    """Return a state's index in arrays whose axes are ordered from the side of a seat."""
    check_plain(table)
    h1, h2, k1, k2 = table.place(state)
    return (h1, h2, k1, k2) if seat == 0 else (h2, h1, k2, k1)


def stance_values(
    table: Tablebase, state: State, seat: int = 0, against: Plays | None = None, rounds_left: int | None = None
) -> StanceValues:
    """Compute the value of each stance for a seat.

    Args:
        table: The solution of the duel.
        state: Hit points of the first and the second fighter, then the sides of their heart dice; both must be
            standing.
        seat: The seat whose stances are valued.
        against: A policy of the other seat. After this round that side follows this policy, and `seat` follows a best
            response to it; by default both follow the solution.
        rounds_left: Rounds left, where the round cap matters; by default all.
    """
    check_plain(table)
    left = _left(table, state, rounds_left)
    mix = table.mix(seat, state, left)
    if against is None:
        matrix = expected_matrix(table, state, left)
        matrix, other = (matrix if seat == 0 else -matrix.T), table.mix(1 - seat, state, left)
        return StanceValues(matrix, mix, other, matrix @ other)
    policy, duel, place = at(against, left), side_of(table, seat), own_place(table, state, seat)
    if policy.duel.seats[0] == seat:
        raise SolverError(
            f"stance_values(): expected a policy of seat {1 - seat} against seat {seat}, got one of seat {seat}."
        )
    values = best_answer(table, against)[1][0 if left is None else left - 1]
    matrix = policy_game(duel, values, place, policy.arrays)
    other = policy.stances[place[1], place[0], place[3], place[2]]
    return StanceValues(matrix, mix, other, matrix @ other)


@dataclass(frozen=True, eq=False)
class ShrugValues:
    """The values of taking and of shrugging off each possible hit in a state."""

    damage: Any  # (hits,), in ascending order
    chances: Floats  # (hits,): probability of each hit this round, if both play the solution
    taken: Floats  # (hits,): the duel's value after taking it
    shrugged: Floats  # (hits,): the duel's value after shrugging it off

    @property
    def worth(self) -> float:
        """The value of being able to shrug off hits in this round."""
        return float((self.chances * np.maximum(0.0, self.shrugged - self.taken)).sum())

    @property
    def least(self) -> int | None:
        """The least damage that the solution shrugs off, or None if it shrugs off no possible hit."""
        better = self.damage[self.shrugged > self.taken]
        return int(better[0]) if len(better) else None


def shrug_values(table: Tablebase, state: State, seat: int = 0, rounds_left: int | None = None) -> ShrugValues:
    """Compute the values of shrugging off for a seat in a state; the arguments are those of `stance_values`."""
    check_plain(table)
    left = _left(table, state, rounds_left)
    duel, (h1, h2, k, m) = side_of(table, seat), own_place(table, state, seat)
    values = own_side(table.after(table.layer(left)), seat)
    chances = np.zeros(len(duel.halves))
    own, other = table.mix(seat, state, left), table.mix(1 - seat, state, left)
    for i, j, one, two in np.ndindex(EXCHANGE.shape):
        first = table.attacks(seat, state, i, j, left)
        second = table.attacks(1 - seat, state, j, i, left)
        share = (first if one else 1 - first) * (second if two else 1 - second)
        if EXCHANGE[i, j, one, two] >= 0:
            chances += own[i] * other[j] * share * duel.chances[k, m, EXCHANGE[i, j, one, two], 0]
    damage = np.flatnonzero(duel.chances[k, m, :, 0].any(axis=0))
    taken = values[np.maximum(0, h1 - damage), h2, k, m]
    shrugged = values[np.maximum(0, h1 - duel.halves[damage]), h2, k - 1, m] if k else np.full(len(damage), -np.inf)
    return ShrugValues(damage, chances[damage], taken, shrugged)


def mix_exploitability(table: Tablebase, state: State, mix: ArrayLike, seat: int = 0) -> float:
    """Return how far a mix of stances falls below the state's value against the best reply in one round.

    Args:
        table: The solution of the duel. Both sides follow it after this round.
        state: The state, given as in `stance_values`.
        mix: (stances,), probabilities or counts.
        seat: The seat that plays the mix.
    """
    weights = np.asarray(mix, np.float64)
    if weights.shape != (len(STANCES),) or not np.isfinite(weights).all() or (weights < 0).any() or not weights.any():
        raise SolverError(f"A mix: expected a probability of at least 0 for each of {', '.join(STANCES)}, got {mix!r}.")
    game = stance_values(table, state, seat)
    return float(game.mix @ game.matrix @ game.other - (weights / weights.sum() @ game.matrix).min())


def _left(table: Tablebase, state: State, rounds_left: int | None) -> int | None:
    """Return the number of rounds left to look up; raise SolverError if the duel is over in this state."""
    if min(table.place(state)[:2]) == 0:
        raise SolverError(f"Expected a state in which both fighters stand, got {state}, in which the duel is over.")
    if table.rounds is None:
        return None
    if table.layer(rounds_left) == 0:
        raise SolverError("rounds left: expected at least 1, got 0, after which the duel is over.")
    return table.layer(rounds_left)
