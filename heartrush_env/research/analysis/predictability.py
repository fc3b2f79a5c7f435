"""How predictable a series of stances is from its past: entropies, and predictors that look back.

A predictor of order k predicts the stance that has followed the last k stances most often so far. If it has not seen
those k stances before, it looks back less far. It uses only the past. Its hits are compared with its hits on shuffled
histories: they have the same frequencies but no order, so the excess is habit. The best of several predictors is
compared with the best one on each shuffled history, so that choosing among them gives no advantage. Whether prediction
pays off is measured by `stance_values.mix_exploitability`, not here.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from heartrush_env.games.heart_rush.rules.terms import STANCES
from heartrush_env.research.zero_sum import SolverError
from heartrush_env.tabletop.intervals import wilson
from heartrush_env.tabletop.validate import join_or

SHUFFLES = 200
History = list[int]


@dataclass(frozen=True)
class Order:
    """The predictability of a stance from a given number of stances before it."""

    order: int
    entropy: float  # bits of the next stance given the last ones, by the frequencies in the histories
    shuffled_entropy: float  # average entropy in shuffled histories
    hits: float  # the predictor's fraction of hits
    low: float  # its 95 % Wilson interval
    high: float
    shuffled_hits: float  # average fraction of hits in shuffled histories


@dataclass(frozen=True)
class Predictability:
    """The predictability of a series of stances."""

    stances: int  # in all histories
    predicted: int  # all except the first
    counts: tuple[int, ...]  # by stance
    orders: tuple[Order, ...]  # starting with order 0, which uses only frequencies
    chance: float  # hit rate of a uniform guess among the stances taken
    best: int  # the order with the most hits; the lowest if several are equal
    p_value: float  # probability that the best predictor of a shuffled history does at least as well


def predictability(
    histories: Sequence[Sequence[str]], longest: int = 3, shuffles: int = SHUFFLES, seed: int = 0
) -> Predictability:
    """Measure how predictable stances are.

    Args:
        histories: The stances of each fight, in order. Counts carry over from one fight to the next, but contexts do
            not span fights.
        longest: The most stances that a predictor looks back.
        shuffles: Number of shuffled histories to compare with.
        seed: Seed of the shuffling.
    """
    codes = [_codes(history) for history in histories]
    total = sum(map(len, codes))
    if total < 2:
        raise SolverError(f"Expected at least 2 stances, so that one can be predicted, got {total}.")
    rng = np.random.default_rng(seed)
    hits, entropies = _hits(codes, longest), _entropies(codes, longest)
    shuffled_hits, shuffled_entropies = np.zeros((shuffles, longest + 1)), np.zeros((shuffles, longest + 1))
    for k in range(shuffles):
        shuffled = [rng.permutation(history).tolist() for history in codes]
        shuffled_hits[k], shuffled_entropies[k] = _hits(shuffled, longest), _entropies(shuffled, longest)
    predicted = total - 1
    orders = tuple(
        Order(
            order,
            entropies[order],
            float(shuffled_entropies[:, order].mean()),
            hits[order] / predicted,
            *wilson(hits[order], predicted),
            float(shuffled_hits[:, order].mean()) / predicted,
        )
        for order in range(longest + 1)
    )
    counts = tuple(sum(history.count(stance) for history in codes) for stance in range(len(STANCES)))
    as_good = int((shuffled_hits.max(axis=1) >= max(hits)).sum())
    return Predictability(
        stances=total,
        predicted=predicted,
        counts=counts,
        orders=orders,
        chance=1.0 / sum(count > 0 for count in counts),
        best=hits.index(max(hits)),
        p_value=(1 + as_good) / (1 + shuffles),
    )


def _codes(history: Sequence[str]) -> History:
    for stance in history:
        if stance not in STANCES:
            raise SolverError(f"A history: expected {join_or(STANCES)}, got {stance!r}.")
    return [STANCES.index(stance) for stance in history]


def _hits(histories: Sequence[History], longest: int) -> list[int]:
    """Return how many hits each order's predictor has; it prefers the latest of equally frequent stances."""
    seen: dict[tuple[int, ...], list[int]] = {}  # counts of the next stance, by context
    last: dict[tuple[int, ...], int] = {}
    hits = [0] * (longest + 1)
    for history in histories:
        for place, stance in enumerate(history):
            named = -1
            for order in range(longest + 1):
                context = tuple(history[place - order : place]) if order <= place else None
                if context is not None and context in seen:
                    counts = seen[context]
                    named = last[context] if counts[last[context]] == max(counts) else counts.index(max(counts))
                hits[order] += named == stance
            for order in range(min(place, longest) + 1):
                context = tuple(history[place - order : place])
                seen.setdefault(context, [0] * len(STANCES))[stance] += 1
                last[context] = stance
    return hits


def _entropies(histories: Sequence[History], longest: int) -> list[float]:
    """Return the entropy of a stance in bits, given the last 0, 1, ... stances before it in its fight."""
    found = []
    for order in range(longest + 1):
        runs = Counter(
            tuple(history[place - order : place + 1]) for history in histories for place in range(order, len(history))
        )
        before: Counter[tuple[int, ...]] = Counter()
        for run, count in runs.items():
            before[run[:-1]] += count
        total = sum(runs.values())
        found.append(sum(count / total * math.log2(before[run[:-1]] / count) for run, count in runs.items()))
    return found
