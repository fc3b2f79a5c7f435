"""Confidence intervals of shares and means, using only the standard library."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

Z_95 = 1.959963984540054  # of the normal distribution


def wilson(won: float, total: float) -> tuple[float, float]:
    """The 95 % Wilson score interval of a share."""
    share, square = won / total, Z_95**2
    middle = (share + square / (2 * total)) / (1 + square / total)
    half = Z_95 / (1 + square / total) * math.sqrt(share * (1 - share) / total + square / (4 * total**2))
    low = 0.0 if won == 0 else middle - half  # exactly, whatever rounding says
    return low, 1.0 if won == total else middle + half


@dataclass(frozen=True)
class Mean:
    """A mean with its 95 % interval (normal) and the standard deviation of one number."""

    mean: float
    low: float
    high: float
    deviation: float


def mean_of(numbers: Sequence[float]) -> Mean:
    """The mean of at least two numbers, with its interval."""
    mean, deviation = statistics.fmean(numbers), statistics.stdev(numbers)
    half = Z_95 * deviation / math.sqrt(len(numbers))
    return Mean(mean, mean - half, mean + half, deviation)
