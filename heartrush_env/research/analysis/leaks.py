"""Where a policy loses value: its loss in each state. The losses sum to its loss in the duel.

The cost of a round is the value of its state minus the value when both players play the round by their policies and
then continue with the solution. Weighted by the rounds that a duel spends in each state, the costs sum exactly to the
value of the duel minus the policy's score (the performance difference lemma: Kakade and Langford, ICML 2002). Against
the solution no cost is negative. A best response may give up a little in one state to win more in another, so against
it a cost can be negative.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from heartrush_env.research.analysis.round_values import (
    check_plain,
    mean_values,
    reply_values,
    rounds_of,
    turned,
    visits,
)
from heartrush_env.research.best_response import Plays, at
from heartrush_env.research.duel import Duel
from heartrush_env.research.plain.policy import own_side
from heartrush_env.research.tablebase import State, Tablebase
from heartrush_env.research.zero_sum import Floats, SolverError


@dataclass(frozen=True)
class Leak:
    """The loss in one state, or in several states together."""

    state: State  # own and other's hit points, then own and other's heart dice; the maximum for several states
    rounds: float  # average number of rounds that a duel spends there
    loss: float  # value lost per duel; all leaks sum to the total loss
    regret: float  # the value that a round there can lose to the best reply


@dataclass(frozen=True, eq=False)
class Leaks:
    """A policy's loss in each state against an opponent, from the policy's own side."""

    duel: Duel
    visits: Floats  # (layers, own hp, other's hp, own heart, other's heart): rounds spent there in a duel
    losses: Floats  # shape of `visits`: value lost per round
    regrets: Floats  # shape of `visits`: value that a round would lose to the best reply in its stance game

    @property
    def total(self) -> float:
        """The policy's loss in a duel: the duel's value minus the policy's score."""
        return float((self.visits * self.losses).sum())

    @property
    def by_state(self) -> Floats:
        """The loss in each state of a duel, (own hp, other's hp, own heart, other's heart)."""
        lost: Floats = (self.visits * self.losses).sum(axis=0)
        return lost

    def worst(self, count: int) -> list[Leak]:
        """Return the states with the largest losses, at most `count`, without states that lose nothing."""
        lost = self.by_state
        order = np.argsort(lost, axis=None)[::-1][:count]
        worst = zip(*np.unravel_index(order, lost.shape), strict=True)
        return [self._region(*place) for place in worst if lost[place] > 0]

    def _state(self, place: Any) -> State:
        own, other, k, m = (int(number) for number in place)
        below = self.duel.below
        return own - below[0], other - below[1], self.duel.hearts[0][k], self.duel.hearts[1][m]

    def by_hearts(self) -> list[Leak]:
        """Return the losses summed by pair of heart dice, largest dice first."""
        pairs = np.ndindex(self.duel.shape[2:])
        return [self._region(slice(1, None), slice(1, None), k, m) for k, m in sorted(pairs, reverse=True)]

    def by_hit_points(self, parts: int = 3) -> list[Leak]:
        """Return the losses by region of hit points, highest first, with each side's range cut into `parts` parts."""
        own, other = (_parts(most, parts) for most in self.duel.hp)
        every = slice(None)
        return [self._region(one, two, every, every) for one in own for two in other]

    def _region(self, *where: Any) -> Leak:
        region = (slice(None), *where)
        rounds = float(self.visits[region].sum())
        regret = float((self.visits[region] * self.regrets[region]).sum()) / rounds if rounds else 0.0
        corner = [
            np.arange(size)[part].max() if isinstance(part, slice) else part
            for size, part in zip(self.duel.shape, where, strict=True)
        ]
        return Leak(self._state(corner), rounds, float(self.by_state[where].sum()), regret)


def _parts(most: int, parts: int) -> list[slice]:
    """Return the hit points from the maximum down to 1, cut into roughly equal parts."""
    cuts = sorted({round(most * part / parts) for part in range(parts + 1)}, reverse=True)
    return [slice(low + 1, high + 1) for high, low in pairwise(cuts)]


def leaks(table: Tablebase, policy: Plays, opponent: Plays) -> Leaks:
    """Find a policy's loss in each state of a duel against an opponent in the other seat.

    Args:
        table: The solution of the duel.
        policy: A policy of either seat, from `read_policies` or `solved_policies`.
        opponent: A policy of the other seat. Against `round_values.best_answer` to the policy, the total is its
            exploitability; against `round_values.solved`, it is its loss to the solution.
    """
    check_plain(table)
    duel = at(policy, table.rounds).duel
    seat = duel.seats[0]
    if at(opponent, table.rounds).duel.seats != duel.seats[::-1]:
        raise SolverError("leaks(): expected policies of different seats, got two of the same seat.")
    met = visits(table, policy, opponent)
    losses, regrets = np.zeros_like(met.rounds), np.zeros_like(met.rounds)
    standing = (slice(1, None), slice(1, None))
    for layer, left in enumerate(rounds_of(table)):
        value = own_side(table.values[table.layer(left)], seat)
        own, other, then = at(policy, left), at(opponent, left), own_side(table.after(table.layer(left)), seat)
        lost = value - np.where(met.held[layer] > 0, duel.at_cap(), mean_values(own, other, then))
        losses[layer][standing] = lost[standing]
        regret = value + turned(reply_values(own, -turned(then)))
        regrets[layer][standing] = regret[standing]
    return Leaks(duel, met.rounds, losses, regrets)
