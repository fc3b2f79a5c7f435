"""One round of a duel in all states at once: its value, the best replies to a policy, and how often states occur.

Everything is seen from the side of one seat, the first of `duel.seats`. The exact probabilities of the dice come from
the solver.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from heartrush_env.games.heart_rush.rules.terms import STANCES
from heartrush_env.research.best_response import Plays, at, best_response
from heartrush_env.research.duel import Duel, refuse_levels
from heartrush_env.research.plain.play import Task, follow_duels, own_tables, play
from heartrush_env.research.plain.policy import Policy, solved_policy
from heartrush_env.research.tablebase import Tablebase
from heartrush_env.research.zero_sum import Floats

N = len(STANCES)


def check_plain(table: Tablebase) -> None:
    """Raise SolverError if the solution has states beyond hit points and heart dice."""
    refuse_levels(table.duel.game, "analysed")


def side_of(table: Tablebase, seat: int) -> Duel:
    """Return a solution's duel, seen from the side of a seat."""
    return table.duel if seat == 0 else table.duel.turned()


def rounds_of(table: Tablebase) -> list[int | None]:
    """Return the numbers of rounds left that a solution distinguishes, starting with a duel's first round."""
    return [None] if table.rounds is None else list(range(table.rounds, 0, -1))


# -- one round ---------------------------------------------------------------------------------------------------------


def mean_values(own: Policy, other: Policy, values: Floats) -> Floats:
    """Return the values of states if two policies play one round, given the values of states after it."""
    here = own.duel.new_values()
    play(own.duel, here, values, own.arrays, other.arrays, Task(responds=False))
    return here


def reply_values(policy: Policy, values: Floats) -> Floats:
    """Return the values of states for a best reply to a policy in one round, given the values of states after it."""
    duel = policy.duel.turned()
    here = duel.new_values()
    play(duel, here, values, own_tables(duel.shape), policy.arrays, Task(responds=True))
    return here


def turned(of_states: Any) -> Any:
    """Return an array over states as seen from the other side."""
    return of_states.transpose(1, 0, 3, 2, *range(4, of_states.ndim))


def best_answer(table: Tablebase, policy: Plays) -> tuple[Plays, Floats]:
    """Compute the best response to a policy in every round, and the resulting values of states.

    Returns:
        The response, and its values (layers, own hp, other's hp, own heart, other's heart): layer t for t rounds left,
        or a single layer if the round cap does not matter.
    """
    check_plain(table)
    found = best_response(policy, table.rounds)
    return found.plays, found.layers


def solved(table: Tablebase, seat: int) -> Plays:
    """Return a solution's policy for a seat, as a function of rounds left if they matter."""
    check_plain(table)
    return solved_policy(table, seat) if table.rounds is None else lambda left: solved_policy(table, seat, left)


# -- visits to states --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Visits:
    """The average number of rounds that a duel spends in each state, and where it ends."""

    rounds: Floats  # (layers, own hp, other's hp, own heart, other's heart); layer 0 is a duel's first round
    held: Floats  # shape of `rounds`: how often a duel gets stuck there for good; this counts as one round
    at_cap: Floats  # (own hp, ...): how often the round cap ends the duel there


def visits(table: Tablebase, own: Plays, other: Plays) -> Visits:
    """Return the average number of rounds that duels of two policies spend in each state, from the side of `own`."""
    check_plain(table)
    duel = at(own, table.rounds).duel
    arrivals = np.zeros(duel.shape)
    arrivals[duel.start] = 1.0
    rounds, held = [], []
    for left in rounds_of(table):
        here, stuck, leaving = (np.zeros(duel.shape) for _ in range(3))
        onward = arrivals if left is None else leaving  # a round without a hit stays in its state, or leads on
        policies = at(own, left).arrays, at(other, left).arrays
        follow_duels(arrivals, onward, left is None, here, stuck, duel.arrays, *policies)
        arrivals = leaving
        rounds.append(here)
        held.append(stuck)
    arrivals[0] = arrivals[:, 0] = 0.0  # a duel that has ended does not reach the cap
    return Visits(np.array(rounds), np.array(held), arrivals)
