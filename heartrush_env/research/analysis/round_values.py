"""One round of a duel in all states at once: its value, the best replies to a policy, and how often states occur.

Everything is seen from the side of one seat, the first of `duel.seats`. The exact probabilities of the dice come from
the solver.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from heartrush_env.games.heart_rush.rules.stances import MAY_ATTACK
from heartrush_env.games.heart_rush.rules.terms import STANCES
from heartrush_env.research.best_response import Plays, at, best_response
from heartrush_env.research.duel import EXCHANGE, EXCHANGES, TURNED, Duel, refuse_levels
from heartrush_env.research.plain.play import SLACK, Task, own_tables, play
from heartrush_env.research.plain.policy import Policy, own_side, solved_policy
from heartrush_env.research.tablebase import Tablebase
from heartrush_env.research.zero_sum import Floats, SolverError

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


def after(table: Tablebase, seat: int, left: int | None) -> Floats:
    """Return the values of states for a seat after a round, if both sides continue with the solution."""
    return own_side(table.values[0 if left is None else left - 1], seat)


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


def _who_attacks(own_attacks: Any, other_attacks: Any) -> Iterator[tuple[int, int, Any, int]]:
    """Yield each pair of stances with each possible exchange, as (own, other, probability, exchange)."""
    theirs = turned(other_attacks)
    for i, j in product(range(N), repeat=2):
        for one, often in _attacks(own_attacks[..., i, j], MAY_ATTACK[i, j]):
            for other, as_often in _attacks(theirs[..., j, i], MAY_ATTACK[j, i]):
                yield i, j, often * as_often, int(EXCHANGE[i, j, one, other])


def _attacks(attacks: Any, may: Any) -> list[tuple[int, Any]]:
    """Return (attacks, probability) for a side's choices; a side that may not attack never attacks."""
    share = attacks.astype(np.float64)
    return [(0, 1.0 - share), (1, share)] if may else [(0, 1.0)]


def turned(of_states: Any) -> Any:
    """Return an array over states as seen from the other side."""
    return of_states.transpose(1, 0, 3, 2, *range(4, of_states.ndim))


def _theirs(shrugs: Any) -> Any:
    """Return the other side's shrug rule for one pair of heart dice, seen from this side."""
    seen = shrugs.transpose(1, 0, 2, 3)
    return seen if seen.shape[2] == 1 else seen[:, :, TURNED]


def best_answer(table: Tablebase, policy: Plays) -> tuple[Plays, Floats]:
    """Compute the best response to a policy in every round, and the resulting values of states.

    Returns:
        The response, and its values (layers, own hp, other's hp, own heart, other's heart): layer t for t rounds left,
        or a single layer if the round cap does not matter.
    """
    check_plain(table)
    found = best_response(policy, table.rounds)
    if table.rounds is None:
        return found.policy, found.layers
    return lambda left: found.policies[_number(left) - 1], found.layers


def _number(left: int | None) -> int:
    if left is None:
        raise SolverError("The best answers in this duel depend on the rounds left, since its round cap matters.")
    return left


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
    """Return the average number of rounds that two policies spend in each state, seen from the side of `own`."""
    check_plain(table)
    duel = at(own, table.rounds).duel
    arrivals = np.zeros(duel.shape)
    arrivals[duel.start] = 1.0
    rounds, held = [], []
    for left in rounds_of(table):
        here, stuck, arrivals = _spread(duel, at(own, left), at(other, left), arrivals, loops=left is None)
        rounds.append(here)
        held.append(stuck)
    arrivals[0] = arrivals[:, 0] = 0.0  # a duel that has ended does not reach the cap
    return Visits(np.array(rounds), np.array(held), arrivals)


def _spread(duel: Duel, own: Policy, other: Policy, arrivals: Floats, *, loops: bool) -> tuple[Floats, Floats, Floats]:
    """Return the rounds spent in each state, how often play stays there forever, and the arrivals in the next layer.

    Every hit lowers hit points, so states are processed from many hit points to few. A round without a hit stays in its
    state, or leads to the next layer.
    """
    here, held, leaving = np.zeros(duel.shape), np.zeros(duel.shape), np.zeros(duel.shape)
    arriving = arrivals.copy() if loops else arrivals
    onward = arriving if loops else leaving
    chances = _exchange_chances(own, other)
    idle = np.ones(chances.shape[2:])
    idle[..., :-1] = duel.idle
    stays = (chances * idle).sum(axis=-1)
    lose = np.zeros((len(duel.halves), len(duel.halves)))
    lose[np.arange(len(duel.halves)), duel.halves] = 1.0  # maps damage to the hit points lost after shrugging off
    for h1 in range(duel.shape[0] - 1, 0, -1):
        if not arriving[h1, 1:].any():
            continue
        falls = _falls(duel, own, other, chances, h1, lose)
        for h2 in range(duel.shape[1] - 1, 0, -1):
            met = arriving[h1, h2].copy()
            if not met.any():
                continue
            if loops:
                stuck = stays[h1, h2] >= 1.0 - SLACK
                held[h1, h2] = np.where(stuck, met, 0.0)
                met = np.where(stuck, met, met / np.where(stuck, 1.0, 1.0 - stays[h1, h2]))
                flow = np.where(stuck, 0.0, met)
            else:
                flow = met
                leaving[h1, h2] += met * stays[h1, h2]
            here[h1, h2] = met
            _land(onward, falls[0][h2] * flow[..., None, None], h1, h2, 0)
            _land(onward, falls[1][h2] * flow[..., None, None], h1, h2, 1)
    return here, held, leaving


def _exchange_chances(own: Policy, other: Policy) -> Floats:
    """Return the probability of each exchange in a round, (states..., exchanges + 1); the last is for no attack."""
    chances = np.zeros((*own.duel.shape, len(EXCHANGES) + 1))
    for i, j, share, exchange in _who_attacks(own.attacks, other.attacks):
        chances[..., exchange] += own.stances[..., i] * turned(other.stances)[..., j] * share
    return chances


def _falls(duel: Duel, own: Policy, other: Policy, chances: Floats, h1: int, lose: Floats) -> tuple[Floats, Floats]:
    """Return the probability of each loss of each side in a round, (other's hp, hearts..., dice lost, hp lost)."""
    found = np.zeros((2, *duel.shape[1:], 2, len(duel.halves)))
    for k, m in np.ndindex(duel.shape[2:]):
        often = chances[h1, :, k, m, :-1]  # (other's hp, exchanges)
        shrugs = own.shrugs[h1, :, k, m], _theirs(other.shrugs[:, h1 : h1 + 1, m, k])[0]
        for side, heart in ((0, k), (1, m)):
            hits = often @ duel.chances[k, m, :, side]
            shrugged = np.zeros_like(hits)
            if heart:
                shares = shrugs[side] * duel.chances[k, m, :, side]  # (other's hp, exchanges, damage)
                shrugged = np.matmul(often[:, None], shares)[:, 0]
            found[side, :, k, m, 0] = hits - shrugged
            found[side, :, k, m, 1] = shrugged @ lose
    return found[0], found[1]


def _land(onward: Floats, falls: Floats, h1: int, h2: int, side: int) -> None:
    """Add the duels in which `side` loses hit points in state (h1, h2) to the states `onward` that they reach.

    `falls` holds the number of duels with each loss, (hearts..., heart dice lost, hp lost).
    """
    hp = (h1, h2)[side]
    line = onward[:, h2] if side == 0 else onward[h1]  # (hp of the side, hearts...)
    reach = min(hp, falls.shape[-1])
    for dropped in range(2):
        part, target = falls[..., dropped, :], line
        if dropped:  # the heart die drops one size; the smallest cannot drop
            part, target = (part[1:], line[:, :-1]) if side == 0 else (part[:, 1:], line[:, :, :-1])
        target[hp - reach + 1 : hp] += part[..., reach - 1 : 0 : -1].transpose(2, 0, 1)
        target[0] += part[..., reach:].sum(axis=-1)
