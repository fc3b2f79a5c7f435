"""Loops over arrays that compile quickly: Numba takes a second to compile an assignment to a slice, for its errors."""

from __future__ import annotations

from heartrush_env.core.rule import compiled


@compiled
def fill(array, value):
    """Give every place of a one-dimensional array the same value."""
    for k in range(len(array)):
        array[k] = value


@compiled
def copy(source, target):
    """Copy a one-dimensional array into another of the same length."""
    for k in range(len(source)):
        target[k] = source[k]
