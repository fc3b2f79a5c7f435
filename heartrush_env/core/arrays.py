"""Arrays in compiled functions: loops that compile quickly, and arrays on the stack.

Numba takes a second to compile an assignment to a slice, for its errors. It counts the references to an array at every
call that it is handed to, with an instruction that all threads have to wait for; nothing is counted of an array that
lies on the stack of a function, or that a kernel has taken (core/kernels.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from heartrush_env.core.rule import Making, compiled, mark


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


def workspace(shape: tuple[int, ...], kind: Any) -> Callable[[], Any]:
    """A function that gives a compiled function an array of zeros, valid until that function returns."""
    dtype = np.dtype(kind)

    def zeros() -> Any:
        return np.zeros(shape, dtype)

    def code() -> Any:
        from heartrush_env.core.compiling.arguments import on_stack

        return on_stack(shape, dtype)

    return mark(zeros, Making(zeros, code=code))
