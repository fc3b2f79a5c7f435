"""The exact value, over all states, of a policy against its best response and against another policy.

The responder knows the policy but not the results of its random draws. A duel that can go on forever counts as one that
reaches the round cap, which is a draw by default. All functions take policies of plain duels, with and without memory,
of duels with levels, and of classic duels.

A policy with memory is an automaton. The response to it is computed on the product of a duel's states with the
automaton's modes (recall/policies.py). Values against policies of classic duels that do not depend on the rounds left
stop changing long before a long cap.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from heartrush_env.research.classic.play import play_back
from heartrush_env.research.classic.policy import ClassicPolicy
from heartrush_env.research.classic.policy import read_policy as read_classic_policy
from heartrush_env.research.classic.policy import solved_policy as solved_classic_policy
from heartrush_env.research.classic.solve import ClassicTable
from heartrush_env.research.duel import Duel, refuse_levels
from heartrush_env.research.levels.evaluate import BestAnswer, LevelsPolicy, ReadPolicy, SolvedPolicy, play_all
from heartrush_env.research.levels.table import LevelsTablebase
from heartrush_env.research.plain.play import PAIRS, Task, own_tables, play
from heartrush_env.research.plain.policy import Policy, read_policy, shrugs_for, solved_policy
from heartrush_env.research.query import refuse_memory
from heartrush_env.research.recall.policies import (
    MEMORY,
    Recall,
    RecallPolicy,
    as_recall,
    check_memory,
    widest,
    without_modes,
)
from heartrush_env.research.tablebase import Tablebase
from heartrush_env.research.zero_sum import Floats, SolverError
from heartrush_env.tabletop.game import Player

# A policy that depends on the rounds left is a function of them.
AnyPolicy = Policy | RecallPolicy | LevelsPolicy | ClassicPolicy
AnyPlays = AnyPolicy | Callable[[int | None], AnyPolicy]
Plays = Policy | Callable[[int | None], Policy]
Progress = Callable[[int, int], None]  # rounds computed, total rounds


@dataclass(frozen=True, eq=False)
class Response:
    """A best response, or a restricted response, to a policy."""

    value: float  # for the responder, from the start: P(win) - P(loss)
    layers: Floats  # values for the responder, (rounds left, state...): from 0 rounds up, or only with all rounds
    policies: tuple[Any, ...]  # the response; in plain duels whose cap matters, one for each of 1, 2, ... rounds left

    @property
    def values(self) -> Floats:
        """The values of all states, own hit points first, with all rounds left."""
        values: Floats = self.layers[-1]
        return values

    @property
    def policy(self) -> Any:
        """The response; if the cap matters, the one for the first round."""
        return self.policies[-1]

    @property
    def plays(self) -> Any:
        """The response in a form that `best_response` accepts: a policy, or a function of the rounds left."""
        return self.policy if len(self.policies) == 1 else self._with_rounds_left

    def _with_rounds_left(self, left: int | None) -> Any:
        if left is None:
            raise SolverError("The response depends on the rounds left, since the round cap of this duel matters.")
        return self.policies[left - 1]


@dataclass(frozen=True)
class Exploitability:
    """The gains of best responses over the value of the game."""

    gains: tuple[float, float]  # against the first seat's policy, and against the second seat's policy
    response_values: tuple[float, float]  # values of those best responses, for the responder

    @property
    def nash_conv(self) -> float:
        """The sum of both gains; 0 for an equilibrium."""
        return sum(self.gains)


def report_nothing(done: int, total: int) -> None:
    """Report no progress."""


def best_response(
    policy: AnyPlays,
    rounds: int | None = None,
    *,
    memory: int = MEMORY,
    keep: bool = True,
    progress: Progress = report_nothing,
) -> Response:
    """Compute a best response to a policy, from the other seat.

    Args:
        policy: The policy, or a function that returns it for a number of rounds left.
        rounds: The round cap, if it matters. In a classic duel it always does.
        memory: Limit in bytes for the response to a policy with memory; SolverError if more is needed.
        keep: Whether to return the response as well as its value. Responses in classic duels are never returned.
        progress: Called as the rounds of a classic duel are computed.
    """
    asked: Any = at(policy, rounds)
    if isinstance(asked, ClassicPolicy):
        values = play_back(None, policy, progress)
        return Response(float(values[asked.duel.turned().start]), values[None], ())
    if not isinstance(asked, LevelsPolicy):
        return respond(policy, 1.0, rounds, memory=memory, keep=keep)
    duel, sign, before, after = asked.duel, -1 if asked.seat == 0 else 1, None, asked.duel.at_cap()
    for left in _rounds(rounds):
        before = None if left is None else after
        after = play_all([at(policy, left)], duel.new_values(), before)
    answer = BestAnswer(asked, after, after if before is None else before)
    return Response(sign * float(after[duel.start]), sign * after[None], (answer,))


def respond(policy: AnyPlays, share: float, rounds: int | None, *, memory: int = MEMORY, keep: bool = True) -> Response:
    """Compute a response in a plain duel to an opponent that plays a policy in a fraction of its decisions.

    In all other decisions the opponent is free; if `share` is 1, this is a best response. The other arguments are
    explained in `best_response`.
    """
    asked = at(policy, rounds)
    lean = isinstance(asked, Policy)
    refuse_levels(asked.duel.game, "analysed with memory")
    duel, recall = asked.duel.turned(), as_recall(asked).recall
    if not lean:
        check_memory(duel, recall, memory)
    layers, policies = [_with_modes(duel.at_cap(), recall)], []
    for left in _rounds(rounds):
        here, own = _with_modes(duel.new_values(), recall), own_tables(duel.shape, recall.arrays)
        before = here if left is None else layers[-1]
        play(duel, here, before, own, as_recall(at(policy, left)).arrays, Task(True, share), recall.arrays)
        if keep:
            policies.append(_own_view(duel, recall, own.stances, own.attacks, before))
        layers.append(here)
    values = np.array(layers if rounds is not None else layers[-1:])
    value = float(values[-1][duel.start][0])
    if lean:
        return Response(value, values[..., 0], tuple(map(without_modes, policies)))
    return Response(value, values, tuple(policies))


def head_to_head(
    first: AnyPlays,
    second: AnyPlays,
    rounds: int | None = None,
    *,
    memory: int = MEMORY,
    progress: Progress = report_nothing,
) -> float:
    """Return the first policy's value, P(win) - P(loss), against the second policy; see `best_response`."""
    ends: tuple[Any, Any] = at(first, rounds), at(second, rounds)
    if _seat(ends[0]) == _seat(ends[1]):
        raise SolverError("head_to_head(): expected policies of different seats, got two of the same seat.")
    duel = ends[0].duel
    if isinstance(ends[0], ClassicPolicy):
        return float(play_back(first, second, progress)[duel.start])
    after = duel.at_cap()
    if isinstance(ends[0], LevelsPolicy):
        for left in _rounds(rounds):
            policies = sorted((at(first, left), at(second, left)), key=_seat)
            after = play_all(policies, duel.new_values(), None if left is None else after)
        return float(after[duel.start]) * (1 if _seat(ends[0]) == 0 else -1)
    refuse_levels(duel.game, "analysed with memory")
    recall = widest(*(as_recall(end).recall for end in ends))
    if recall.size > 1:
        check_memory(duel, recall, memory)
    after = _with_modes(after, recall)
    for left in _rounds(rounds):
        own, other = (as_recall(at(each, left)).wider(recall) for each in (first, second))
        here = _with_modes(duel.new_values(), recall)
        before = here if left is None else after
        play(duel, here, before, own.turned_modes().arrays, other.arrays, Task(False), recall.arrays)
        after = here
    return float(after[duel.start][0])


def exploitability(
    table: Tablebase | ClassicTable,
    policies: tuple[Any, Any] | None = None,
    *,
    memory: int = MEMORY,
    progress: Progress = report_nothing,
) -> Exploitability:
    """Return how much best responses to each seat's policy, by default the solution's, gain over the duel's value."""
    answers = [
        best_response(
            policy,
            table.rounds,
            memory=memory,
            keep=False,
            progress=lambda done, total, seat=seat: progress(seat * total + done, 2 * total),  # type: ignore[misc]
        ).value
        for seat, policy in enumerate(policies or solved_policies(table))
    ]
    return Exploitability((answers[0] + table.value, answers[1] - table.value), (answers[0], answers[1]))


def solved_policies(table: Tablebase | ClassicTable) -> tuple[Any, Any]:
    """Return the solution's policy for each seat, as a function of the rounds left if they matter."""
    of: Any = solved_policy
    if isinstance(table, ClassicTable):
        of = solved_classic_policy
    elif isinstance(table, LevelsTablebase):
        of = SolvedPolicy
    if table.rounds is None:
        return of(table, 0), of(table, 1)
    return lambda left: of(table, 0, left), lambda left: of(table, 1, left)


def read_policies(player: Player | tuple[Player, Player], table: Tablebase | ClassicTable) -> tuple[Any, Any]:
    """Return a player's policy in each seat, or the policies of one player in the first seat and one in the second.

    Duels with levels have too many windows to query a player in all of them. A player that can compute its policy
    faster for them has the method `levels_policy_in(duel, seat)`.
    """
    first, second = player if isinstance(player, tuple) else (player, player)
    if isinstance(table, LevelsTablebase):
        return _read_levels(first, table, 0), _read_levels(second, table, 1)
    read: Any = read_classic_policy if isinstance(table, ClassicTable) else read_policy
    return read(first, table.duel), read(second, table.duel.turned())


def _read_levels(player: Player, table: LevelsTablebase, seat: int) -> LevelsPolicy:
    """Return a player's policy in a seat of a duel with levels."""
    refuse_memory(player, table.duel.game)
    if hasattr(player, "levels_policy_in"):
        found: LevelsPolicy = player.levels_policy_in(table.levels, seat)
        return found
    return ReadPolicy(player, table.levels, seat)


def at(policy: AnyPlays, left: int | None) -> Any:
    """Return the policy for this number of rounds left."""
    return policy(left) if callable(policy) else policy


def _rounds(rounds: int | None) -> list[int | None]:
    """Return the numbers of rounds left for which values are computed, in order."""
    return [None] if rounds is None else list(range(1, rounds + 1))


def _seat(policy: Any) -> int:
    return int(policy.seat) if isinstance(policy, LevelsPolicy) else int(policy.duel.seats[0])


def _with_modes(values: Floats, recall: Recall) -> Floats:
    """Return the values of states repeated for each mode, (own hp, other's hp, own heart, other's heart, modes)."""
    return np.repeat(values[..., None], recall.size, axis=-1)


def _own_view(duel: Duel, recall: Recall, stances: Floats, attacks: Any, after: Floats) -> RecallPolicy:
    """Convert a response, numbered by the opponent's modes, to the responder's own modes, and compute its shrugs."""
    after = after[..., recall.turned]
    kinds = 1 if recall.size == 1 or not duel.free else len(PAIRS)
    tables = np.zeros((*duel.shape, recall.groups, kinds, len(duel.halves)), np.float32)
    for group, e in np.ndindex(recall.groups, kinds):
        follows = recall.then[(group, *PAIRS[e])]
        tables[..., group, e, :] = shrugs_for(duel, after[..., follows])[..., 0, :]
    return RecallPolicy(duel, recall, stances, attacks, tables).turned_modes(shrugs=False)
