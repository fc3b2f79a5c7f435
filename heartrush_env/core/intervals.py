"""Confidence intervals of shares, using only the standard library."""

from __future__ import annotations

import math

Z_95 = 1.959963984540054  # of the normal distribution


def wilson(won: float, total: float) -> tuple[float, float]:
    """The 95 % Wilson score interval of a share."""
    share, square = won / total, Z_95**2
    middle = (share + square / (2 * total)) / (1 + square / total)
    half = Z_95 / (1 + square / total) * math.sqrt(share * (1 - share) / total + square / (4 * total**2))
    low = 0.0 if won == 0 else middle - half  # exactly, whatever rounding says
    return low, 1.0 if won == total else middle + half
