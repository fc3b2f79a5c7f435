"""Schedules of coefficients over a training run; `done` is the completed fraction of it, 0 to 1."""

from __future__ import annotations


def linear(first: float, last: float, done: float) -> float:
    """Return the value at `done` on a straight line from `first` to `last`."""
    return first + (last - first) * done


def geometric(first: float, last: float, done: float) -> float:
    """Return the value at `done` on a geometric progression from `first` to `last`."""
    return float(first * (last / first) ** done) if first > 0 else 0.0
