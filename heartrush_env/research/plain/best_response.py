"""The value of a policy in a plain duel against another policy, and of best responses, layer by layer."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from heartrush_env.games.heart_rush.engine.windows import SHRUG_FROM
from heartrush_env.research.duel import NOTHING, Duel, DuelArrays, N
from heartrush_env.research.plain.policy import PolicyArrays
from heartrush_env.research.zero_sum import Floats
from heartrush_env.tabletop.kernels import entry_point
from heartrush_env.tabletop.rule import compiled

SLACK = 1e-14  # improvements up to this are rounding errors


class Task(NamedTuple):
    """The states of a layer to compute, and how."""

    responds: bool  # the first fighter plays its best response, which is written; otherwise its given policy
    growth: float = 1.0  # the factor by which each round multiplies the value of the rounds after it
    first_1: int = 1  # fewest hit points of the first fighter to compute; lower values are already filled in
    first_2: int = 1  # fewest hit points of the other fighter to compute


def own_tables(shape: tuple[int, ...]) -> PolicyArrays:
    """Return empty tables for a best response over this shape; its shrugs follow from values and stay unwritten."""
    shrugs = np.zeros((1, 1, 1, 1, 1, 1), np.float32)
    return PolicyArrays(np.zeros((*shape, N)), np.zeros((*shape, N, N), np.float32), shrugs)


def play(duel: Duel, here: Floats, after: Floats, own: PolicyArrays, other: PolicyArrays, task: Task) -> None:
    """Write the values of states for the first fighter.

    Args:
        duel: The duel.
        here: The values to write.
        after: The values of states one round later, in the same shape, or `here` itself.
        own: The first fighter's policy, or the tables for its best response.
        other: The other fighter's policy, from its own side.
        task: The states to compute, and whether the first fighter responds.
    """
    play_layer(here, after, here is after, task, duel.arrays, own, other)


# -- compiled ----------------------------------------------------------------------------------------------------------


class RoundValues(NamedTuple):
    """The values and probabilities of one round in a state, by exchange."""

    worth: Any  # probability-weighted values of hits
    stay: Any  # probability that no fighter is hurt
    growth: Any  # factor of a round in which no fighter attacks
    exchange: Any  # (stance, other's stance, whether the first attacks, whether the other does): its index
    free: Any  # whether fighters may choose not to attack


@entry_point
def play_layer(
    here: Any, after: Any, loops: Any, task: Task, duel: DuelArrays, own: PolicyArrays, other: PolicyArrays
) -> None:
    """Write every state's value for the first fighter against a policy of the other fighter; see `play`."""
    responds, growth, free = task.responds, task.growth, duel.free
    most, chances, turned = duel.most, duel.chances, duel.turned
    kinds, width = len(duel.idle[0, 0]), len(duel.halves)
    own_hit, other_hit = np.zeros((2, width)), np.zeros((2, width))  # the values of a hit taken, and shrugged off
    values = RoundValues(np.zeros(kinds), np.zeros(kinds), growth, duel.exchange, free)
    for h1 in range(task.first_1, here.shape[0]):
        for h2 in range(task.first_2, here.shape[1]):
            for k1 in range(here.shape[2]):
                for k2 in range(here.shape[3]):
                    for damage in range(1, width):
                        half = duel.halves[damage]
                        own_hit[0, damage] = after[max(0, h1 - damage), h2, k1, k2]
                        own_hit[1, damage] = after[max(0, h1 - half), h2, k1 - 1, k2] if k1 > 0 else 0.0
                        if responds and k1 > 0 and answers_shrug(own_hit, damage, h1 - duel.below[0], free):
                            own_hit[0, damage] = own_hit[1, damage]
                        other_hit[0, damage] = after[h1, max(0, h2 - damage), k1, k2]
                        other_hit[1, damage] = after[h1, max(0, h2 - half), k1, k2 - 1] if k2 > 0 else 0.0
                    for e in range(kinds):
                        total = 0.0
                        if responds or k1 == 0:
                            for damage in range(1, most[k1, k2, e, 0] + 1):
                                total += chances[k1, k2, e, 0, damage] * own_hit[0, damage]
                        else:
                            view = e if own.shrugs.shape[4] > 1 else 0
                            for damage in range(1, most[k1, k2, e, 0] + 1):
                                share = np.float64(own.shrugs[h1, h2, k1, k2, view, damage])
                                mean = own_hit[0, damage] + share * (own_hit[1, damage] - own_hit[0, damage])
                                total += chances[k1, k2, e, 0, damage] * mean
                        view = turned[e] if other.shrugs.shape[4] > 1 else 0
                        for damage in range(1, most[k1, k2, e, 1] + 1):
                            mean = other_hit[0, damage]
                            if k2 > 0:
                                share = np.float64(other.shrugs[h2, h1, k2, k1, view, damage])
                                mean += share * (other_hit[1, damage] - mean)
                            total += chances[k1, k2, e, 1, damage] * mean
                        values.worth[e] = growth * total
                        values.stay[e] = growth * duel.idle[k1, k2, e]
                    mix, strikes = other.stances[h2, h1, k2, k1], other.attacks[h2, h1, k2, k1]
                    stays, at_cap = after[h1, h2, k1, k2], duel.at_cap[h1, h2, k1, k2]
                    if responds:
                        here[h1, h2, k1, k2] = answer(
                            values, mix, strikes, loops, stays, at_cap,
                            own.stances[h1, h2, k1, k2], own.attacks[h1, h2, k1, k2],
                        )  # fmt: skip
                        continue
                    ends, idles = 0.0, 0.0
                    for i in range(N):
                        share = own.stances[h1, h2, k1, k2, i]
                        for j in range(N):
                            one = np.float64(own.attacks[h1, h2, k1, k2, i, j])
                            for attacks, often in ((0, 1.0 - one), (1, one)):
                                gained, stayed = weigh(values, i, j, attacks, strikes[j, i])
                                ends += share * mix[j] * often * gained
                                idles += share * mix[j] * often * stayed
                    if not loops:
                        here[h1, h2, k1, k2] = ends + idles * stays
                    else:
                        here[h1, h2, k1, k2] = ends / (1.0 - idles) if idles < 1.0 - SLACK else at_cap


@compiled
def answers_shrug(own_hit: Any, damage: Any, hp: Any, free: Any) -> Any:
    """Return whether the responder shrugs off a hit: if that is better, or by default if it has no choice."""
    return own_hit[1, damage] > own_hit[0, damage] if free else (damage >= SHRUG_FROM or damage >= hp)


@compiled
def weigh(values: RoundValues, i: Any, j: Any, own: Any, strikes: Any) -> Any:
    """Return the value of hits in these stances and the probability of no hit, given the other's attack rate."""
    gained, stayed = 0.0, 0.0
    for other in range(2):
        often = np.float64(strikes) if other == 1 else 1.0 - np.float64(strikes)
        e = values.exchange[i, j, own, other]
        if e == NOTHING:
            stayed += often * values.growth
        else:
            gained += often * values.worth[e]
            stayed += often * values.stay[e]
    return gained, stayed


@compiled
def answer(
    values: RoundValues, mix: Any, strikes: Any, loops: Any, stays: Any, at_cap: Any, best_stance: Any,
    best_attacks: Any,
) -> Any:  # fmt: skip
    """Write the best choices of one state and return their value.

    If a round without a hit leads back to this state, policy iteration improves the choices until none is better at
    their own value. The value only rises, and there are few choices, so this ends soon.
    """
    growth, free = values.growth, values.free
    value, best, holds_off = (-np.inf if loops else stays), 0, False
    for _ in range(50):
        found, stance = -np.inf, 0
        for i in range(N):
            ends, idles = 0.0, 0.0
            for j in range(N):
                if mix[j] == 0.0:
                    continue
                gained, stayed = weigh(values, i, j, 1, strikes[j, i])
                if free and value > -np.inf:
                    held, idle = weigh(values, i, j, 0, strikes[j, i])
                    if held + idle * value > gained + stayed * value + SLACK:
                        gained, stayed = held, idle
                ends += mix[j] * gained
                idles += mix[j] * stayed
            total = ends + idles * value if not loops else own_value(ends, idles, growth, at_cap)
            if total > found:
                found, stance = total, i
        if not loops:
            value, best = found, stance
            break
        if found <= value + SLACK * (1.0 + abs(value)):
            break
        value, best = found, stance
    if loops and free:
        safe = stall(values, mix, strikes)
        if safe >= 0 and (growth > 1.0 or at_cap > value):
            value, best, holds_off = (at_cap if growth == 1.0 else np.inf), safe, True
    for i in range(N):
        best_stance[i] = 1.0 if i == best else 0.0
        for j in range(N):
            best_attacks[i, j] = 0.0 if holds_off else 1.0
            if free and not holds_off:
                gained, stayed = weigh(values, i, j, 1, strikes[j, i])
                held, idle = weigh(values, i, j, 0, strikes[j, i])
                base = stays if not loops else value
                if held + idle * base > gained + stayed * base + SLACK:
                    best_attacks[i, j] = 0.0
    return value


@compiled
def own_value(ends: Any, idles: Any, growth: Any, at_cap: Any) -> Any:
    """Return the value of choices that lead back to their own state with probability `idles`."""
    if idles < 1.0 - SLACK:
        return ends / (1.0 - idles)
    return at_cap if growth == 1.0 else np.inf


@compiled
def stall(values: RoundValues, mix: Any, strikes: Any) -> Any:
    """Return a stance in which no fighter is hurt while its user does not attack; -1 if there is none."""
    for i in range(N):
        idles = 0.0
        for j in range(N):
            held = 0.0
            for other in range(2):
                often = np.float64(strikes[j, i]) if other == 1 else 1.0 - np.float64(strikes[j, i])
                e = values.exchange[i, j, 0, other]
                held += often * (values.growth if e == NOTHING else values.stay[e])
            idles += mix[j] * held
        if idles >= 1.0 - SLACK:
            return i
    return -1
