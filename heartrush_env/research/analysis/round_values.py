"""One round of a duel in all states at once, in NumPy: its value, best replies to it, and visits to states.

Everything is seen from the side of one seat, the first of `duel.seats`. The exact probabilities of the dice come from
the solver. Solving is not done here, and neither are best responses in duels where a round without a hit returns to
its state (`solver.best_response`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from heartrush_env.games.heart_rush.rules.stances import MAY_ATTACK
from heartrush_env.games.heart_rush.rules.terms import STANCES
from heartrush_env.research.best_response import Plays, best_response
from heartrush_env.research.duel import EXCHANGE, EXCHANGES, TURNED, Duel, refuse_levels
from heartrush_env.research.plain.best_response import SLACK
from heartrush_env.research.plain.policy import Policy, own_side, shrugs_for, solved_policy
from heartrush_env.research.tablebase import Tablebase
from heartrush_env.research.zero_sum import Floats, SolverError

N = len(STANCES)


def check_plain(table: Tablebase) -> None:
    """Raise SolverError if the solution has states beyond hit points and heart dice."""
    refuse_levels(table.duel.game, "analysed")


def side_of(table: Tablebase, seat: int) -> Duel:
    """Return a solution's duel, seen from the side of a seat."""
    return table.duel if seat == 0 else table.duel.turned()


def at(policy: Plays, left: int | None) -> Policy:
    """Return the policy for this number of rounds left."""
    return policy if isinstance(policy, Policy) else policy(left)


def rounds_of(table: Tablebase) -> list[int | None]:
    """Return the numbers of rounds left that a solution distinguishes, starting with a duel's first round."""
    return [None] if table.rounds is None else list(range(table.rounds, 0, -1))


def after(table: Tablebase, seat: int, left: int | None) -> Floats:
    """Return the values of states for a seat after a round, if both sides continue with the solution."""
    return own_side(table.values[0 if left is None else left - 1], seat)


# -- the value of a round ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Worths:
    """The value of each exchange, and the probability that it changes nothing; the last column is for no attack."""

    hits: Floats  # (states..., exchanges + 1): probabilities of hits times the values that they lead to
    idle: Floats  # (1, 1, own heart, other's heart, exchanges + 1): probability that no fighter is hurt

    def pairs(self, own_attacks: Any, other_attacks: Any, stays: Floats) -> Floats:
        """Return the value of a round, (states..., own stance, other's stance); without a hit it is worth `stays`."""
        worth = self.hits + self.idle * stays[..., None]
        pairs = np.zeros((*worth.shape[:-1], N, N))
        for i, j, share, exchange in _who_attacks(own_attacks, other_attacks):
            pairs[..., i, j] += share * worth[..., exchange]
        return pairs


def _who_attacks(own_attacks: Any, other_attacks: Any) -> Iterator[tuple[int, int, Any, int]]:
    """Yield each pair of stances with each possible exchange, as (own, other, probability, exchange)."""
    theirs = turn(other_attacks)
    for i, j in product(range(N), repeat=2):
        for one, often in _attacks(own_attacks[..., i, j], MAY_ATTACK[i, j]):
            for other, as_often in _attacks(theirs[..., j, i], MAY_ATTACK[j, i]):
                yield i, j, often * as_often, int(EXCHANGE[i, j, one, other])


def _attacks(attacks: Any, may: Any) -> list[tuple[int, Any]]:
    """Return (attacks, probability) for a side's choices; a side that may not attack never attacks."""
    share = attacks.astype(np.float64)
    return [(0, 1.0 - share), (1, share)] if may else [(0, 1.0)]


def turn(of_states: Any) -> Any:
    """Return an array over states as seen from the other side."""
    return of_states.transpose(1, 0, 3, 2, *range(4, of_states.ndim))


def worths(duel: Duel, values: Floats, own_shrugs: Any, other_shrugs: Any) -> Worths:
    """Return the values of exchanges given the values of states afterwards; each shrug rule is from its own side."""
    hits = np.zeros((*duel.shape, len(EXCHANGES) + 1))
    idle = np.ones((1, 1, *duel.shape[2:], len(EXCHANGES) + 1))
    idle[0, 0, :, :, :-1] = duel.idle
    for k, m in np.ndindex(duel.shape[2:]):
        for side, shrugs in enumerate((own_shrugs[:, :, k, m], _theirs(other_shrugs[:, :, m, k]))):
            chances = duel.chances[k, m, :, side]  # (exchanges, damage)
            taken, shrugged = _after_hits(duel, values, side, k, m)
            hits[:, :, k, m, :-1] += taken @ chances.T
            if shrugged is not None:
                hits[:, :, k, m, :-1] += _weigh(chances, shrugs, shrugged - taken)
    return Worths(hits, idle)


def _weigh(chances: Floats, shrugs: Any, gain: Floats) -> Floats:
    """Return the gain from shrugging off, (own hp, other's hp, exchanges), weighted by the probability of hits."""
    if shrugs.shape[2] == 1:  # one rule for all exchanges
        weighed: Floats = (shrugs[:, :, 0] * gain) @ chances.T
    else:
        weighed = np.matmul(shrugs * chances, gain[..., None])[..., 0]
    return weighed


def _theirs(shrugs: Any) -> Any:
    """Return the other side's shrug rule for one pair of heart dice, seen from this side."""
    turned = shrugs.transpose(1, 0, 2, 3)
    return turned if turned.shape[2] == 1 else turned[:, :, TURNED]


def _after_hits(duel: Duel, values: Floats, side: int, k: int, m: int) -> tuple[Floats, Floats | None]:
    """Return the values after a hit on a side, taken and shrugged off, each (own hp, other's hp, damage)."""
    damage, hp = np.arange(len(duel.halves)), np.arange(duel.shape[side])[:, None]
    left, left_of_half = np.maximum(0, hp - damage), np.maximum(0, hp - duel.halves)
    if side == 0:
        taken = values[left, :, k, m].transpose(0, 2, 1)
        return taken, values[left_of_half, :, k - 1, m].transpose(0, 2, 1) if k else None
    taken = values[:, left, k, m]
    return taken, values[:, left_of_half, k, m - 1] if m else None


def mean_pairs(pairs: Floats, own: Policy, other: Policy) -> Floats:
    """Return the mean value of pairs of stances, over the mixes of both sides."""
    mean: Floats = np.einsum("...i,...ij,...j->...", own.stances, pairs, turn(other.stances))
    return mean


# -- the best reply in one round ---------------------------------------------------------------------------------------


def reply(duel: Duel, values: Floats, other: Policy) -> tuple[Policy, Floats]:
    """Return the best reply to a policy given the values of states after this round, and the reply's values."""
    shrugs = shrugs_for(duel, values)
    found = worths(duel, values, shrugs, other.shrugs)
    always = np.ones((*duel.shape, N, N), np.float32)
    attacking = found.pairs(always, other.attacks, values)
    attacks = always
    if duel.free:
        holding = found.pairs(0 * always, other.attacks, values)
        attacks = (holding <= attacking + SLACK).astype(np.float32)
        attacking = np.where(attacks, attacking, holding)
    each = np.einsum("...ij,...j->...i", attacking, turn(other.stances))
    stances = np.zeros((*duel.shape, N))
    np.put_along_axis(stances, each.argmax(axis=-1)[..., None], 1.0, axis=-1)
    worth = duel.new_values()
    worth[1:, 1:] = each.max(axis=-1)[1:, 1:]
    return Policy(duel, stances, attacks, shrugs), worth


def best_answer(table: Tablebase, policy: Plays) -> tuple[Plays, Floats]:
    """Compute the best response to a policy in every round, and the resulting values of states.

    Returns:
        The response, and its values (layers, own hp, other's hp, own heart, other's heart): layer t for t rounds left,
        or a single layer if the round cap does not matter.
    """
    check_plain(table)
    if table.rounds is None:
        found = best_response(policy)
        return found.policy, found.values[None]
    duel = at(policy, table.rounds).duel.turned()
    values = np.zeros((table.rounds + 1, *duel.shape))
    values[0] = duel.at_cap()
    for left in range(1, table.rounds + 1):
        values[left] = reply(duel, values[left - 1], at(policy, left))[1]
    return lambda left: reply(duel, values[_number(left) - 1], at(policy, left))[0], values


def _number(left: int | None) -> int:
    if left is None:
        raise SolverError("The round cap of this duel counts, and its best answers need the rounds left.")
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
    """Return the average number of rounds that two policies spend in each state, from the side of the first."""
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
    """Return the probability of each exchange in a round, (states..., exchanges + 1); the last is not an attack."""
    chances = np.zeros((*own.duel.shape, len(EXCHANGES) + 1))
    for i, j, share, exchange in _who_attacks(own.attacks, other.attacks):
        chances[..., exchange] += own.stances[..., i] * turn(other.stances)[..., j] * share
    return chances


def _falls(duel: Duel, own: Policy, other: Policy, chances: Floats, h1: int, lose: Floats) -> tuple[Floats, Floats]:
    """Return each side's probabilities of losses in a round: (other's hp, hearts..., heart dice lost, hp lost)."""
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
    """Add a state's transitions to states where a side has fewer hit points: (hearts..., heart dice lost, hp lost)."""
    hp = (h1, h2)[side]
    line = onward[:, h2] if side == 0 else onward[h1]  # (hp of the side, hearts...)
    reach = min(hp, falls.shape[-1])
    for dropped in range(2):
        part, target = falls[..., dropped, :], line
        if dropped:  # the heart die drops one size; the smallest cannot drop
            part, target = (part[1:], line[:, :-1]) if side == 0 else (part[:, 1:], line[:, :, :-1])
        target[hp - reach + 1 : hp] += part[..., reach - 1 : 0 : -1].transpose(2, 0, 1)
        target[0] += part[..., reach:].sum(axis=-1)
