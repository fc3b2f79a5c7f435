"""Confidence intervals of fractions and means, using only the standard library."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

Z_95 = 1.959963984540054  # the 97.5 % quantile of the normal distribution


def wilson(won: float, total: float) -> tuple[float, float]:
    """Return the 95 % Wilson score interval of the fraction `won / total`."""
    share, square = won / total, Z_95**2
    middle = (share + square / (2 * total)) / (1 + square / total)
    half = Z_95 / (1 + square / total) * math.sqrt(share * (1 - share) / total + square / (4 * total**2))
    low = 0.0 if won == 0 else middle - half  # exactly, in spite of rounding
    return low, 1.0 if won == total else middle + half


def share_of(count: int, total: int) -> dict[str, float]:
    """Return a count and its fraction of a total with the 95 % Wilson interval of the fraction, JSON-able."""
    low, high = wilson(count, total)
    return {"count": count, "share": count / total, "low": low, "high": high}


@dataclass(frozen=True)
class Mean:
    """A mean with its 95 % confidence interval (normal), and the standard deviation of the numbers."""

    mean: float
    low: float
    high: float
    deviation: float


def mean_of(numbers: Sequence[float]) -> Mean:
    """Return the mean of at least two numbers, with its interval and their standard deviation."""
    mean, deviation = statistics.fmean(numbers), statistics.stdev(numbers)
    half = Z_95 * deviation / math.sqrt(len(numbers))
    return Mean(mean, mean - half, mean + half, deviation)
