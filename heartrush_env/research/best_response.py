"""The exact value, over all states, of a policy against its best response and against another policy.

The responder knows the policy but not the results of its random draws. Policies read from players do not depend on the
round, so the best response is computed state by state, or by rounds left if the round cap matters. If a policy can be
held off forever, the result is the round cap's result: a draw by default.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from heartrush_env.research.levels.duel import LevelsDuel
from heartrush_env.research.levels.evaluate import (
    BestAnswer,
    LevelsPolicy,
    ReadPolicy,
    SolvedPolicy,
    levels_rounds_bound,
    play_all,
)
from heartrush_env.research.levels.table import LevelsTablebase
from heartrush_env.research.plain.best_response import Task, own_tables, play
from heartrush_env.research.plain.policy import Policy, read_policy, shrugs_for, solved_policy
from heartrush_env.research.query import refuse_memory
from heartrush_env.research.tablebase import Tablebase
from heartrush_env.research.zero_sum import Floats, SolverError
from heartrush_env.tabletop.game import Player

GROWTHS = (1.15, 1.12, 1.2)  # growth factors tried for the bound on long duels; the tightest depends on the duel

# A policy that depends on the rounds left is a function of them.
Plays = Policy | Callable[[int | None], Policy]
LevelsPlays = LevelsPolicy | Callable[[int | None], LevelsPolicy]


@dataclass(frozen=True, eq=False)
class Response:
    """A best response to a policy."""

    value: float  # for the responder, from the start: P(win) - P(loss)
    values: Floats  # (own hp, other's hp, own heart, other's heart): values of all states, with all rounds left
    policy: Any  # the response, a Policy or a LevelsPolicy; if the cap matters, for the first round


@dataclass(frozen=True)
class Exploitability:
    """The gains of best responses over the value of the game."""

    gains: tuple[float, float]  # against the first seat's policy, and against the second seat's policy
    response_values: tuple[float, float]  # values of those best responses, for the responder

    @property
    def nash_conv(self) -> float:
        """The sum of both gains; 0 for an equilibrium."""
        return sum(self.gains)


def best_response(policy: Plays | LevelsPlays, rounds: int | None = None) -> Response:
    """Compute a best response to a policy from the other seat; `rounds` is the round cap, if it matters."""
    if isinstance(_at(policy, rounds), LevelsPolicy):
        return _best_levels_response(policy, rounds)
    duel = _at(policy, rounds).duel.turned()
    values, own, task = duel.new_values(), own_tables(duel.shape), Task(responds=True)
    if rounds is None:
        play(duel, values, values, own, _at(policy, None).arrays, task)
        after = values
    else:
        after = duel.at_cap()
        for left in range(1, rounds + 1):
            values = duel.new_values()
            play(duel, values, after, own, _at(policy, left).arrays, task)
            before, after = after, values
        after = before
    answer = Policy(duel, own.stances, own.attacks, shrugs_for(duel, after))
    return Response(float(values[duel.start]), values, answer)


def head_to_head(first: Plays | LevelsPlays, second: Plays | LevelsPlays, rounds: int | None = None) -> float:
    """Return the first fighter's value, P(win) - P(loss), if the first policy plays the first seat."""
    if isinstance(_at(first, rounds), LevelsPolicy):
        return _levels_head_to_head(first, second, rounds)
    duel = _at(first, rounds).duel
    if _at(second, rounds).duel.seats != duel.seats[::-1]:
        raise SolverError("head_to_head needs policies of different seats, but these are of the same seat.")
    values, task = duel.new_values(), Task(responds=False)
    if rounds is None:
        play(duel, values, values, _at(first, None).arrays, _at(second, None).arrays, task)
        return float(values[duel.start])
    after = duel.at_cap()
    for left in range(1, rounds + 1):
        values = duel.new_values()
        play(duel, values, after, _at(first, left).arrays, _at(second, left).arrays, task)
        after = values
    return float(values[duel.start])


def _best_levels_response(policy: Any, rounds: int | None) -> Response:
    """Compute a best response to a policy in a duel with levels."""
    asked = _at(policy, rounds)
    duel, sign = asked.duel, -1 if asked.seat == 0 else 1
    if rounds is None:
        values = play_all([asked], duel.new_values())
        after = values
    else:
        before = duel.at_cap()
        for left in range(1, rounds + 1):
            after, values = before, duel.new_values()
            before = play_all([_at(policy, left)], values, after)
    return Response(sign * float(values[duel.start]), sign * values, BestAnswer(asked, values, after))


def _levels_head_to_head(first: Any, second: Any, rounds: int | None) -> float:
    """Return the first fighter's value between two policies in a duel with levels."""
    duel = _at(first, rounds).duel
    if (_at(first, rounds).seat, _at(second, rounds).seat) != (0, 1):
        raise SolverError("head_to_head needs policies of different seats, the first seat's first.")
    if rounds is None:
        return float(play_all([_at(first, None), _at(second, None)], duel.new_values())[duel.start])
    after = duel.at_cap()
    for left in range(1, rounds + 1):
        after = play_all([_at(first, left), _at(second, left)], duel.new_values(), after)
    return float(after[duel.start])


def exploitability(table: Tablebase, policies: tuple[Any, Any] | None = None) -> Exploitability:
    """Return the gains of best responses over the duel's value, for each seat; by default against the solution."""
    first, second = policies or solved_policies(table)
    answers = best_response(first, table.rounds).value, best_response(second, table.rounds).value
    return Exploitability((answers[0] + table.value, answers[1] - table.value), answers)


def solved_policies(table: Tablebase) -> tuple[Any, Any]:
    """Return the solution's policy for each seat."""
    if isinstance(table, LevelsTablebase):
        if table.rounds is None:
            return SolvedPolicy(table, 0), SolvedPolicy(table, 1)
        return lambda left: SolvedPolicy(table, 0, left), lambda left: SolvedPolicy(table, 1, left)
    if table.rounds is None:
        return solved_policy(table, 0), solved_policy(table, 1)
    return lambda left: solved_policy(table, 0, left), lambda left: solved_policy(table, 1, left)


def read_policies(player: Player | tuple[Player, Player], table: Tablebase) -> tuple[Any, Any]:
    """Return a player's policy in each seat, or the policies of one player in the first seat and one in the second.

    Duels with levels have too many windows to query a player in all of them. A player that can compute its policy
    faster for them has the method `levels_policy_in(duel, seat)`.
    """
    first, second = player if isinstance(player, tuple) else (player, player)
    if isinstance(table, LevelsTablebase):
        return _read_levels(first, table.levels, 0), _read_levels(second, table.levels, 1)
    return read_policy(first, table.duel), read_policy(second, table.duel.turned())


def _read_levels(player: Player, duel: LevelsDuel, seat: int) -> LevelsPolicy:
    """Return a player's policy in a seat of a duel with levels."""
    refuse_memory(player, duel.game)
    if hasattr(player, "levels_policy_in"):
        found: LevelsPolicy = player.levels_policy_in(duel, seat)
        return found
    return ReadPolicy(player, duel, seat)


def rounds_bound(table: Tablebase, enough: float, rounds: int, stake: float) -> float:
    """Return a bound on the effect of duels longer than `rounds` rounds; stop at a bound of at most `enough`.

    `stake` is the largest effect of such a duel. One side plays the solution, and the other side makes the duel as long
    as possible. If M is the largest possible mean of growth ** rounds, the probability of more than N rounds is at most
    M / growth ** N (Chernoff's bound).
    """
    if isinstance(table, LevelsTablebase):
        return levels_rounds_bound(table, enough, rounds, stake)
    worst = np.inf
    policies = [solved_policy(table, seat) for seat in (0, 1)]
    for growth in GROWTHS:
        longest = max(_growth_of(policy, growth) for policy in policies)
        worst = min(worst, stake * np.exp(np.log(longest) - rounds * np.log(growth)))
        if worst <= enough:
            break
    return float(min(worst, 2.0))


def _growth_of(policy: Policy, growth: float) -> float:
    """Return the largest mean of growth ** rounds against a policy."""
    duel = policy.duel.turned()
    values = np.ones(duel.shape)
    play(duel, values, values, own_tables(duel.shape), policy.arrays, Task(responds=True, growth=growth))
    return float(values[duel.start])


def _at(policy: Plays | LevelsPlays, rounds_left: int | None) -> Any:
    return policy if isinstance(policy, Policy | LevelsPolicy) else policy(rounds_left)
