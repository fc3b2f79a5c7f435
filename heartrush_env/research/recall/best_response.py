"""Exact best responses to players of finite memory, on the product of a duel's states with the player's modes.

Every hit lowers hit points, so states are solved in the order of hit points. A round in which no fighter is hurt leads
to another mode of the same state, so the modes of a state are improved together until nothing changes (value
iteration). The iteration starts from the value if no fighter is ever hurt again, so a stalemate is worth the round
cap's result.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from heartrush_env.games.heart_rush.engine.windows import SHRUG_FROM
from heartrush_env.research.best_response import Exploitability, Plays
from heartrush_env.research.duel import EXCHANGES, NOTHING, Duel, DuelArrays, refuse_levels
from heartrush_env.research.plain.policy import PolicyArrays
from heartrush_env.research.recall.policies import (
    MEMORY,
    N,
    Recall,
    RecallPolicy,
    as_recall,
    check_memory,
    widest,
)
from heartrush_env.research.tablebase import Tablebase
from heartrush_env.research.zero_sum import Floats, SolverError
from heartrush_env.tabletop.kernels import entry_point
from heartrush_env.tabletop.rule import compiled, inlined

PAIRS = np.array([exchange[:2] for exchange in EXCHANGES], np.int64)
SWEEPS = 100_000  # maximum over the modes of a state; a few dozen are typical
SETTLED = 1e-13  # changes of a value up to this count as none

# The opponent's policy: tables, or a function from the rounds left to tables.
AnyPlays = Plays | RecallPolicy | Callable[[int | None], RecallPolicy]


@dataclass(frozen=True, eq=False)
class RecallResponse:
    """A best response to a policy with memory."""

    value: float  # the responder's P(win) - P(loss) from the start
    policies: tuple[RecallPolicy, ...]  # the response; if the cap counts, one for each of 1, 2, ... rounds left
    settled: float  # the last change of any value, if modes lead to each other


def best_response(policy: AnyPlays, rounds: int | None = None, *, memory: int = MEMORY) -> RecallResponse:
    """Compute a best response to a policy, from the other seat.

    Args:
        policy: Tables, with or without memory, or a function from the rounds left to tables.
        rounds: The round cap, if it counts.
        memory: Limit in bytes; SolverError if more is needed.
    """
    other = plays_at(policy, rounds)
    duel, recall = other.duel.turned(), other.recall
    check_memory(duel, recall, memory)
    after, layers, settled = at_cap(duel, recall), [], 0.0
    for left in [None] if rounds is None else range(1, rounds + 1):
        other = plays_at(policy, left)
        own = empty_policy(duel, recall)
        here = new_values(duel, recall)
        before = here if left is None else after
        settled = max(settled, _play(duel, here, before, own, other, responds=True))
        layers.append(own_view(own, before))
        after = here
    return RecallResponse(float(after[duel.start][0]), tuple(layers), settled)


def head_to_head(first: AnyPlays, second: AnyPlays, rounds: int | None = None, *, memory: int = MEMORY) -> float:
    """Return the first policy's value, P(win) - P(loss), against the second policy."""
    ends = plays_at(first, rounds), plays_at(second, rounds)
    duel, recall = ends[0].duel, widest(ends[0].recall, ends[1].recall)
    if ends[1].duel.seats != duel.seats[::-1]:
        raise SolverError("head_to_head needs policies of different seats, and these are of the same.")
    check_memory(duel, recall, memory)
    after = at_cap(duel, recall)
    for left in [None] if rounds is None else range(1, rounds + 1):
        own, other = (plays_at(each, left).wider(recall) for each in (first, second))
        here = new_values(duel, recall)
        _play(duel, here, here if left is None else after, _turned_modes(own), other, responds=False)
        after = here
    return float(after[duel.start][0])


def exploitability(table: Tablebase, policies: tuple[AnyPlays, AnyPlays], *, memory: int = MEMORY) -> Exploitability:
    """Return the gain over the duel's value of a best response to each seat's policy."""
    answers = [best_response(policy, table.rounds, memory=memory).value for policy in policies]
    return Exploitability((answers[0] + table.value, answers[1] - table.value), (answers[0], answers[1]))


def new_values(duel: Duel, recall: Recall) -> Floats:
    """Return values with the endings filled in, (own hp, other's hp, own heart, other's heart, modes)."""
    return np.repeat(duel.new_values()[..., None], recall.size, axis=-1)


def at_cap(duel: Duel, recall: Recall) -> Floats:
    """Return values of states at the round cap, (own hp, other's hp, own heart, other's heart, modes)."""
    return np.repeat(duel.at_cap()[..., None], recall.size, axis=-1)


def empty_policy(duel: Duel, recall: Recall) -> RecallPolicy:
    """Return an empty policy to fill in; its shrugs are only a placeholder."""
    stances = np.zeros((*duel.shape, recall.size, N))
    attacks = np.zeros((*duel.shape, recall.groups, N, N), np.float32)
    return RecallPolicy(duel, recall, stances, attacks, np.zeros((1, 1, 1, 1, recall.groups, 1, 1), np.float32))


def plays_at(policy: AnyPlays, left: int | None) -> RecallPolicy:
    """Return a policy's tables with this number of rounds left, with modes."""
    found = policy(left) if callable(policy) else policy
    refuse_levels(found.duel.game, "answered with memory")
    return as_recall(found)


def _turned_modes(policy: RecallPolicy) -> RecallPolicy:
    """Return a policy's tables with modes numbered from the other fighter's side."""
    turn = policy.recall.turned
    groups = turn[: policy.recall.groups]
    return RecallPolicy(
        policy.duel,
        policy.recall,
        np.ascontiguousarray(policy.stances[..., turn, :]),
        np.ascontiguousarray(policy.attacks[..., groups, :, :]),
        np.ascontiguousarray(policy.shrugs[..., groups, :, :]),
    )


def own_view(found: RecallPolicy, after: Floats) -> RecallPolicy:
    """Convert a response from the opponent's modes to its own and compute its shrugs."""
    found = _turned_modes(found)
    shrugs = shrugs_for(found.duel, found.recall, after[..., found.recall.turned])
    return RecallPolicy(found.duel, found.recall, found.stances, found.attacks, shrugs)


def shrugs_for(duel: Duel, recall: Recall, after: Floats) -> Any:
    """Return 1 where shrugging off is better, given values by own modes: (..., groups, exchange, damage)."""
    hp, damage = np.arange(duel.shape[0])[:, None], np.arange(len(duel.halves))
    if not duel.free:
        shrugs = np.zeros((*duel.shape, recall.groups, 1, len(damage)), np.float32)
        shrugs[:, :, 1:, :, :, 0] = ((damage >= SHRUG_FROM) | (damage >= hp - duel.below[0]))[:, None, None, None, None]
        return shrugs
    shrugs = np.zeros((*duel.shape, recall.groups, len(EXCHANGES), len(damage)), np.float32)
    for group in range(recall.groups):
        for e, pair in enumerate(PAIRS):
            worth = after[..., recall.then[group, pair[0], pair[1]]]
            taken = np.moveaxis(worth[np.maximum(0, hp - damage)], 1, -1)[:, :, 1:]
            shrugged = np.moveaxis(worth[np.maximum(0, hp - duel.halves)], 1, -1)[:, :, :-1]
            shrugs[:, :, 1:, :, group, e] = shrugged > taken
    return shrugs


def _play(duel: Duel, here: Floats, after: Floats, own: RecallPolicy, other: RecallPolicy, *, responds: bool) -> float:
    change = play_modes(
        here, after, here is after, responds, duel.arrays, modes_of(other.recall), own.arrays, other.arrays
    )
    return settled(duel, float(change))


def modes_of(recall: Recall) -> Modes:
    """Return the modes of a recall for compiled code."""
    return Modes(recall.group, recall.then, PAIRS)


def settled(duel: Duel, change: float) -> float:
    """Return the change; raise SolverError if values still move."""
    if change > SETTLED:
        raise SolverError(
            f"The modes of {duel.game.scenario_name!r} do not settle in {SWEEPS} sweeps (they still change by "
            f"{change:.1g}), since damage is so rare; a short max_rounds is solved by rounds left."
        )
    return change


# -- compiled ----------------------------------------------------------------------------------------------------------


class Modes(NamedTuple):
    """The modes of a recall."""

    group: Any  # (modes,): each mode's equivalent after a reveal, among the first `groups` modes
    then: Any  # (groups, own stance, other's stance): the mode after each pair
    pairs: Any  # (exchange, 2): the stances of each exchange


@entry_point
def play_modes(
    here: Any, after: Any, loops: Any, responds: Any, duel: DuelArrays, modes: Modes, own: PolicyArrays,
    other: PolicyArrays,
) -> Any:  # fmt: skip
    """Write the value of every state and mode for the first fighter against a policy of the other fighter.

    The first fighter follows its own policy, or, if `responds`, writes its best one. Modes and their groups are
    numbered from the other fighter's side, even in the first fighter's tables. Returns the last change of a value.
    """
    group, then, pairs = modes.group, modes.then, modes.pairs
    kinds, groups, count = len(pairs), then.shape[0], len(group)
    worth = np.zeros((groups, kinds))
    gained, stayed = np.zeros((groups, N, N, 2)), np.zeros((groups, N, N, 2))
    values = np.zeros(count)
    worst = 0.0
    for h1 in range(1, here.shape[0]):
        for h2 in range(1, here.shape[1]):
            for k1 in range(here.shape[2]):
                for k2 in range(here.shape[3]):
                    for g in range(groups):
                        for e in range(kinds):
                            view = duel.turned[e] if other.shrugs.shape[5] > 1 else 0
                            shrugs = other.shrugs[h2, h1, k2, k1, g, view]
                            own_shrugs = own.shrugs[0, 0, 0, 0, g, 0]
                            if not responds:  # a response is decided by values
                                own_shrugs = own.shrugs[h1, h2, k1, k2, g, e if own.shrugs.shape[5] > 1 else 0]
                            m = then[g, pairs[e, 1], pairs[e, 0]]
                            worth[g, e] = hits_of(after, (h1, h2, k1, k2), m, e, duel, responds, own_shrugs, shrugs)
                        weigh_group(
                            gained[g], stayed[g], worth[g], duel.idle[k1, k2], duel, other.attacks[h2, h1, k2, k1, g],
                            responds, own.attacks[h1, h2, k1, k2, g],
                        )  # fmt: skip
                    for m in range(count):
                        values[m] = duel.at_cap[h1, h2, k1, k2] if loops else after[h1, h2, k1, k2, m]
                    mixes, chosen = other.stances[h2, h1, k2, k1], own.stances[h1, h2, k1, k2]
                    if not loops:
                        for m in range(count):
                            here[h1, h2, k1, k2, m] = mode_value(
                                values, m, modes, gained, stayed, mixes, responds, chosen
                            )
                    else:
                        change = 1.0
                        for _ in range(SWEEPS):
                            change = 0.0
                            for m in range(count):
                                found = mode_value(values, m, modes, gained, stayed, mixes, responds, chosen)
                                change = max(change, abs(found - values[m]))
                                values[m] = found
                            if change <= SETTLED:
                                break
                        worst = max(worst, change)
                        for m in range(count):
                            here[h1, h2, k1, k2, m] = values[m]
                    if responds:
                        write_answer(
                            values, modes, gained, stayed, mixes, chosen, own.attacks[h1, h2, k1, k2], duel.free
                        )
    return worst


@inlined
def hits_of(
    after: Any, place: Any, m: Any, e: Any, duel: DuelArrays, responds: Any, own_shrugs: Any, shrugs: Any
) -> Any:
    """Return the weighted values of an exchange's hits for the first fighter if mode `m` follows."""
    h1, h2, k1, k2 = place
    chances, most, halves = duel.chances[k1, k2, e], duel.most[k1, k2, e], duel.halves
    total = 0.0
    for damage in range(1, most[0] + 1):
        mean = after[max(0, h1 - damage), h2, k1, k2, m]
        if k1 > 0:
            shrugged = after[max(0, h1 - halves[damage]), h2, k1 - 1, k2, m]
            if not responds:
                mean += np.float64(own_shrugs[damage]) * (shrugged - mean)
            elif (shrugged > mean) if duel.free else (damage >= SHRUG_FROM or damage >= h1 - duel.below[0]):
                mean = shrugged
        total += chances[0, damage] * mean
    for damage in range(1, most[1] + 1):
        mean = after[h1, max(0, h2 - damage), k1, k2, m]
        if k2 > 0:
            shrugged = after[h1, max(0, h2 - halves[damage]), k1, k2 - 1, m]
            mean += np.float64(shrugs[damage]) * (shrugged - mean)
        total += chances[1, damage] * mean
    return total


@compiled
def weigh_group(
    gained: Any, stayed: Any, worth: Any, idle: Any, duel: DuelArrays, strikes: Any, responds: Any, own: Any
) -> None:
    """Write the gain and probability of no hit of stance pairs, (own stance, other's stance, whether it attacks).

    If the first fighter follows its own policy, both entries of the last axis use the policy's attack rate.
    """
    exchange, free = duel.exchange, duel.free
    for i in range(N):
        for j in range(N):
            for back in range(2):
                gained[i, j, back], stayed[i, j, back] = 0.0, 0.0
                for one in range(2):
                    often = 1.0 if one == back or (one == 1 and not free) else 0.0
                    if not free and one == 0:
                        often = 0.0
                    if not responds:
                        often = np.float64(own[i, j]) if one == 1 else 1.0 - np.float64(own[i, j])
                    for other in range(2):
                        strike = np.float64(strikes[j, i]) if other == 1 else 1.0 - np.float64(strikes[j, i])
                        e = exchange[i, j, one, other]
                        if e == NOTHING:
                            stayed[i, j, back] += often * strike
                        else:
                            gained[i, j, back] += often * strike * worth[e]
                            stayed[i, j, back] += often * strike * idle[e]


@inlined
def mode_value(values: Any, m: Any, modes: Modes, gained: Any, stayed: Any, mixes: Any, responds: Any, own: Any) -> Any:
    """Return the value of a mode for the first fighter, by its best stance or its own mix."""
    best, total, g, then = -np.inf, 0.0, modes.group[m], modes.then
    for i in range(N):
        found = 0.0
        for j in range(N):
            if mixes[m, j] > 0.0:
                value = values[then[g, j, i]]
                pair = gained[g, i, j, 1] + stayed[g, i, j, 1] * value
                found += mixes[m, j] * max(pair, gained[g, i, j, 0] + stayed[g, i, j, 0] * value)
        best = max(best, found)
        total += own[m, i] * found
    return best if responds else total


@compiled
def write_answer(
    values: Any, modes: Modes, gained: Any, stayed: Any, mixes: Any, stances: Any, attacks: Any, free: Any
) -> None:
    """Write the best choices for these values; ties go to those most likely to hurt a fighter, so fights end."""
    group, then = modes.group, modes.then
    for g in range(then.shape[0]):
        for i in range(N):
            for j in range(N):
                value = values[then[g, j, i]]
                held = gained[g, i, j, 0] + stayed[g, i, j, 0] * value
                pair = gained[g, i, j, 1] + stayed[g, i, j, 1] * value
                attacks[g, i, j] = 0.0 if free and held > pair + 10 * SETTLED else 1.0
    for m in range(len(group)):
        g, best, least, choice = group[m], -np.inf, 2.0, 0
        for i in range(N):
            found, idles = 0.0, 0.0
            for j in range(N):
                back = 1 if attacks[g, i, j] > 0.0 else 0
                found += mixes[m, j] * (gained[g, i, j, back] + stayed[g, i, j, back] * values[then[g, j, i]])
                idles += mixes[m, j] * stayed[g, i, j, back]
            if found > best + 10 * SETTLED or (found > best - 10 * SETTLED and idles < least):
                best, least, choice = max(best, found), idles, i
            stances[m, i] = 0.0
        stances[m, choice] = 1.0
