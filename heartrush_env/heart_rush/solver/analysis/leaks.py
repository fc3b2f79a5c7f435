"""Where a way to play leaks: what it loses in each state, so that all losses together are what it loses in the duel.

What a round costs is the value of its state less what it is worth when both play as they do and the solution goes on
from there. Weighted with the rounds that a duel spends in each state, the costs sum exactly to the value of the duel
less what the policy gets in it (the performance difference lemma: Kakade and Langford, ICML 2002). Against the solution
none is below 0; a best answer may give a little away in one state to win more in another, so there a cost can be.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from heartrush_env.heart_rush.solver.analysis.round_values import (
    after,
    at,
    check_plain,
    mean_pairs,
    reply,
    rounds_of,
    turn,
    visits,
    worths,
)
from heartrush_env.heart_rush.solver.best_response import Plays
from heartrush_env.heart_rush.solver.duel import Duel
from heartrush_env.heart_rush.solver.plain.policy import own_side
from heartrush_env.heart_rush.solver.tablebase import State, Tablebase
from heartrush_env.solver.zero_sum import Floats, SolverError


@dataclass(frozen=True)
class Leak:
    """What is lost in one state, or in several together."""

    state: State  # own and other's hit points, then own and other's heart dice; the most of them, of several states
    rounds: float  # that a duel spends there on average
    loss: float  # of value in a duel; all leaks together are the whole loss
    regret: float  # the most that a round there may lose, to the best reply


@dataclass(frozen=True, eq=False)
class Leaks:
    """What a policy loses in each state against an opponent, from the policy's own side."""

    duel: Duel
    visits: Floats  # (layers, own hp, other's hp, own heart, other's heart): rounds spent there in a duel
    losses: Floats  # likewise: value lost by each of these rounds
    regrets: Floats  # likewise: what the round would lose to the best reply of the stance game there

    @property
    def total(self) -> float:
        """What the policy loses in a duel: its value less what the policy gets."""
        return float((self.visits * self.losses).sum())

    @property
    def by_state(self) -> Floats:
        """(own hp, other's hp, own heart, other's heart): value lost there in a duel."""
        lost: Floats = (self.visits * self.losses).sum(axis=0)
        return lost

    def worst(self, count: int) -> list[Leak]:
        """The states that lose most, at most so many; none that loses nothing."""
        lost = self.by_state
        order = np.argsort(lost, axis=None)[::-1][:count]
        return [
            self._leak(places) for places in zip(*np.unravel_index(order, lost.shape), strict=True) if lost[places] > 0
        ]

    def _leak(self, place: Any) -> Leak:
        rounds = float(self.visits[:, *place].sum())
        regret = float((self.visits[:, *place] * self.regrets[:, *place]).sum()) / rounds
        return Leak(self._state(place), rounds, float(self.by_state[place]), regret)

    def _state(self, place: Any) -> State:
        own, other, k, m = (int(number) for number in place)
        below = self.duel.below
        return own - below[0], other - below[1], self.duel.hearts[0][k], self.duel.hearts[1][m]

    def by_hearts(self) -> list[Leak]:
        """All states of each pair of heart dice together, the largest first."""
        pairs = np.ndindex(self.duel.shape[2:])
        return [self._region(slice(1, None), slice(1, None), k, m) for k, m in sorted(pairs, reverse=True)]

    def by_hit_points(self, parts: int = 3) -> list[Leak]:
        """All states of each region of hit points together, each side's cut into so many parts, the most first."""
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
    """Hit points from the most to 1, cut into about equal parts."""
    cuts = sorted({round(most * part / parts) for part in range(parts + 1)}, reverse=True)
    return [slice(low + 1, high + 1) for high, low in pairwise(cuts)]


def leaks(table: Tablebase, policy: Plays, opponent: Plays) -> Leaks:
    """What a policy loses in each state of a duel against an opponent in the other seat.

    Args:
        table: The solution of the duel.
        policy: Of any seat, as `read_policies` or `solved_policies` give it.
        opponent: Of the other seat: `round_values.best_answer` of the policy, so that the total is what it can be
            exploited by; `round_values.solved` of the table, so that it is what it loses to the solution; any other.
    """
    check_plain(table)
    duel = at(policy, table.rounds).duel
    seat = duel.seats[0]
    if at(opponent, table.rounds).duel.seats != duel.seats[::-1]:
        raise SolverError("leaks() needs policies of different seats, and these are of the same.")
    met = visits(table, policy, opponent)
    losses, regrets = np.zeros_like(met.rounds), np.zeros_like(met.rounds)
    standing = (slice(1, None), slice(1, None))
    for layer, left in enumerate(rounds_of(table)):
        value = own_side(table.values[table.layer(left)], seat)
        own, other, then = at(policy, left), at(opponent, left), after(table, seat, left)
        pairs = worths(duel, then, own.shrugs, other.shrugs).pairs(own.attacks, other.attacks, then)
        lost = np.where(met.held[layer] > 0, value - duel.at_cap(), value - mean_pairs(pairs, own, other))
        losses[layer][standing] = lost[standing]
        regret = value + turn(reply(duel.turned(), -turn(then), own)[1])
        regrets[layer][standing] = regret[standing]
    return Leaks(duel, met.rounds, losses, regrets)
