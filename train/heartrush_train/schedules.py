"""How coefficients change over a training; `done` is the share of it that is over."""

from __future__ import annotations


def linear(first: float, last: float, done: float) -> float:
    """From the first value to the last, by the same amount in the same time."""
    return first + (last - first) * done


def geometric(first: float, last: float, done: float) -> float:
    """From the first value to the last, by the same factor in the same time."""
    return float(first * (last / first) ** done) if first > 0 else 0.0
