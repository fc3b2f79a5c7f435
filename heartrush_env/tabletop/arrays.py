"""Arrays in compiled functions: loops that compile quickly, and arrays on the stack.

Numba takes a second to compile a slice assignment, because of its error handling. Whenever an array is passed to a
function, Numba updates its reference count with an instruction that makes all threads wait. There is no counting for
arrays on the stack of a function, or for arrays that a kernel has received (tabletop/kernels.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from heartrush_env.tabletop.rule import Making, compiled, mark


@compiled
def fill(array, value):
    """Set every item of a one-dimensional array to a value."""
    for k in range(len(array)):
        array[k] = value


@compiled
def copy(source, target):
    """Copy a one-dimensional array into another of the same length."""
    for k in range(len(source)):
        target[k] = source[k]


def workspace(shape: tuple[int, ...], kind: Any) -> Callable[[], Any]:
    """Return a function that gives its compiled caller an array of zeros, valid until the caller returns."""
    dtype = np.dtype(kind)

    def zeros() -> Any:
        return np.zeros(shape, dtype)

    def code() -> Any:
        from heartrush_env.tabletop.compiling.arguments import on_stack

        return on_stack(shape, dtype)

    return mark(zeros, Making(zeros, code=code))
