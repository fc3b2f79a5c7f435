"""Compiled code for duels with levels: the values of one round in all pairs of vectors of a block."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from heartrush_env.games.heart_rush.engine.windows import SHRUG_FROM
from heartrush_env.games.heart_rush.rules.terms import NOBODY
from heartrush_env.research.duel import NOTHING, N
from heartrush_env.research.levels.duel import Tools
from heartrush_env.tabletop.rule import compiled, inlined

SETTLED = 1e-12  # smaller changes of a value count as 0
BOTH = 2  # in place of a responder's seat: both sides choose, so the block is solved


class Task(NamedTuple):
    """A computation of the values of a block: who chooses, and how far to iterate."""

    responder: int  # the seat that plays its best response, BOTH for a solution, or NOBODY for given policies
    wants: int = 1  # 1 if the responder maximises the values, -1 if it minimises them
    loops: bool = True  # whether a round without a hit leads to the same block, not to the layer with one round fewer
    growth: float = 1.0  # the factor by which each round multiplies the values after it
    start: float = 0.0  # the value of a duel that never ends; NaN starts between blocks with one hit point less
    enough: float = SETTLED  # changes up to this count as settled; relative if the value is above 1


class Play(NamedTuple):
    """Both seats' choices in a block, (seat, vector 0, vector 1, ...)."""

    stances: Any  # ..., stance
    attacks: Any  # ..., own stance, other's: probability of attacking where it may
    names: Any  # ..., slot of the beaten stance, code


class Shrugs(NamedTuple):
    """Each seat's probabilities of shrugging off, (exchange, vector 0, vector 1, damage), where they are given."""

    reads: Any  # (seat,): whether they are given; otherwise values decide
    first: Any
    second: Any


class Weights(NamedTuple):
    """Values of one round in each pair of a block."""

    hits: Any  # (side, vector 0, vector 1, damage)
    gains: Any  # axes of `hits`: what shrugging off adds, where it is decided by given probabilities
    worth: Any  # (exchange, vector 0, vector 1): probability-weighted values of hits
    named: Any  # (who names, slot, code, vector 0, vector 1): `worth` of exchanges in which levels are named


@compiled
def new_weights(n1: Any, n2: Any, codes: Any, tools: Tools) -> Any:
    """Return buffers for the pairs of a block, with this many codes that a seat may name."""
    hits = np.zeros((2, n1, n2, len(tools.halves)))
    worth, named = np.zeros((len(tools.columns), n1, n2)), np.zeros((2, 2, codes, n1, n2))
    return Weights(hits, np.zeros_like(hits), worth, named)


@compiled
def new_plays(n1: Any, n2: Any, codes: Any) -> Any:
    """Return buffers for choices, filled with 1 for attacks, because fighters that have no choice attack."""
    return Play(np.zeros((2, n1, n2, N)), np.ones((2, n1, n2, N, N)), np.zeros((2, n1, n2, 2, codes)))


@compiled
def no_shrugs() -> Any:
    """Return empty shrugs, with which values decide whether a hit is shrugged off."""
    table = np.zeros((1, 1, 1, 1), np.float32)
    return Shrugs(np.zeros(2, np.bool_), table, table)


# -- values of rounds --------------------------------------------------------------------------------------------------


@compiled
def weigh_round(weights: Weights, after: Any, by: Any, task: Task, spot: Any, tools: Tools, shrugs: Shrugs) -> None:
    """Write the weighted values of each exchange's hits in each pair.

    `by` holds the values by which each seat decides on shrugs.
    """
    for side in range(2):
        likes = task.wants if side == task.responder else 1 - 2 * side
        weigh_hits(weights, side, after, by[side], likes, spot, tools, shrugs.reads[side])
    for i in range(N):
        for j in range(N):
            for one in range(2):
                for other in range(2):
                    e = tools.exchange[i, j, one, other]
                    if e != NOTHING and ((one and other) or (tools.holds_back and i == j)):
                        weigh_exchange(weights, e, spot, tools, shrugs)


@compiled
def weigh_hits(
    weights: Weights, side: Any, after: Any, by: Any, wants: Any, spot: Any, tools: Tools, reads: Any
) -> None:
    """Write the value of each hit on one side; its shrugs maximise `by` if `wants` is 1, and minimise it if -1."""
    h1, h2, k1, k2 = spot
    hits, gains = weights.hits, weights.gains
    hp, heart = (h1, k1) if side == 0 else (h2, k2)
    m1, m2 = (k1 - 1, k2) if side == 0 else (k1, k2 - 1)
    for damage in range(1, len(tools.halves)):
        left, right = (h1 - damage, h2) if side == 0 else (h1, h2 - damage)
        left, right = max(0, left), max(0, right)
        half = tools.halves[damage]
        up, down = (h1 - half, h2) if side == 0 else (h1, h2 - half)
        up, down = max(0, up), max(0, down)
        default = damage >= SHRUG_FROM or damage >= hp - tools.below[side]
        for a in range(hits.shape[1]):
            for b in range(hits.shape[2]):
                worth = after[left, right, k1, k2, a, b]
                if heart > 0:
                    shrugged = default
                    if reads:
                        gains[side, a, b, damage] = after[up, down, m1, m2, a, b] - worth
                        shrugged = False
                    elif tools.free:
                        gained = by[up, down, m1, m2, a, b] - by[left, right, k1, k2, a, b]
                        shrugged = wants * gained > 0.0
                    if shrugged:
                        worth = after[up, down, m1, m2, a, b]
                hits[side, a, b, damage] = worth


@inlined
def mean_of(chances: Any, hits: Any, side: Any, a: Any, b: Any, last: Any) -> Any:
    """Return the sum of one side's hit values up to damage `last`, weighted by probability, adding four at a time."""
    one, two, three, four = 0.0, 0.0, 0.0, 0.0
    for d in range(0, last + 1, 4):
        one += chances[side, d] * hits[side, a, b, d]
        two += chances[side, d + 1] * hits[side, a, b, d + 1]
        three += chances[side, d + 2] * hits[side, a, b, d + 2]
        four += chances[side, d + 3] * hits[side, a, b, d + 3]
    return (one + two) + (three + four)


@compiled
def weigh_exchange(weights: Weights, e: Any, spot: Any, tools: Tools, shrugs: Shrugs) -> None:
    """Write the weighted value of one exchange's hits; if levels are named in it, one value for each code."""
    k1, k2 = spot[2], spot[3]
    hits, gains, worth, named = weights.hits, weights.gains, weights.worth, weights.named
    fades_0, fades_1, named_0, named_1 = tools.fades_0, tools.fades_1, tools.named_0, tools.named_1
    column, who, slot = tools.columns[e], tools.namer[e], tools.slot[e]
    codes = 1 if who == NOBODY else codes_of(who, named, tools)
    for c1 in range(worth.shape[1]):
        for c2 in range(worth.shape[2]):
            l1, l2 = tools.vectors_0[c1, column], tools.vectors_1[c2, column]
            chances, most = tools.chances[k1, k2, l1, l2, e], tools.most[k1, k2, l1, l2, e]
            for code in range(codes):
                a = named_0[c1, code] if who == 1 else fades_0[c1]
                b = named_1[c2, code] if who == 0 else fades_1[c2]
                total = 0.0
                for side in range(2):
                    if most[side] > 0:
                        total += mean_of(chances, hits, side, a, b, most[side])
                        if shrugs.reads[side]:
                            table = shrugs.first if side == 0 else shrugs.second
                            for d in range(1, most[side] + 1):
                                total += chances[side, d] * np.float64(table[e, c1, c2, d]) * gains[side, a, b, d]
                if who == NOBODY:
                    worth[e, c1, c2] = total
                else:
                    named[who, slot, code, c1, c2] = total


@inlined
def codes_of(who: Any, named: Any, tools: Tools) -> Any:
    """Return a side's number of codes: all of them, or only those that a solution needs."""
    return min(named.shape[2], tools.named_1.shape[1] if who == 0 else tools.named_0.shape[1])


@inlined
def led_to(who: Any, code: Any, c1: Any, c2: Any, tools: Tools) -> Any:
    """Return the pair of the next round if the seat `who` names a code, or if no levels are named (NOBODY)."""
    a = tools.named_0[c1, code] if who == 1 else tools.fades_0[c1]
    return a, tools.named_1[c2, code] if who == 0 else tools.fades_1[c2]


@inlined
def idle_of(e: Any, c1: Any, c2: Any, spot: Any, tools: Tools) -> Any:
    """Return the probability that an exchange hurts no fighter."""
    column = tools.columns[e]
    return tools.idle[spot[2], spot[3], tools.vectors_0[c1, column], tools.vectors_1[c2, column], e]
