"""Schedules of coefficients over a training run; `done` is the share of it that is over, 0 to 1."""

from __future__ import annotations


def linear(first: float, last: float, done: float) -> float:
    """The value on a straight line from the first value to the last."""
    return first + (last - first) * done


def geometric(first: float, last: float, done: float) -> float:
    """The value on a geometric progression from the first value to the last."""
    return float(first * (last / first) ** done) if first > 0 else 0.0
