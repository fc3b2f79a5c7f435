"""Arrays without reference counts: arrays that a caller keeps alive, and arrays on the stack of a function.

Numba counts the references to an array at every call that it is handed to, with an instruction that all threads have to
wait for. An entry point whose caller holds the arrays anyway borrows them, and nothing is counted. An array that a
function needs for itself, of a size that is known before, lies on the stack.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np
from llvmlite.ir import Constant, IntType
from numba import types
from numba.core import cgutils, config
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array
from numba.np.numpy_support import from_dtype


def _borrow(typing: Any, array: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        borrowed = context.make_array(array)(context, builder, arguments[0])
        borrowed.meminfo = Constant(borrowed.meminfo.type, None)
        borrowed.parent = Constant(borrowed.parent.type, None)
        return borrowed._getvalue()  # noqa: SLF001  # Numba's own door

    return array(array), code


def _the_same(array: Any) -> Any:
    return array


# The same array without the count of its references, for as long as the caller holds it.
borrow: Any = _the_same if config.DISABLE_JIT else intrinsic(_borrow)  # type: ignore[attr-defined]


def workspace(shape: tuple[int, ...], kind: Any) -> Callable[[], Any]:
    """A function that gives a compiled function an array of zeros, valid until that function returns."""
    dtype = np.dtype(kind)
    strides = [dtype.itemsize * prod(shape[axis + 1 :]) for axis in range(len(shape))]

    def new(typing: Any) -> Any:
        array = types.Array(from_dtype(dtype), len(shape), "C")

        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            number = context.get_value_type(types.intp)
            size = number(prod(shape))
            data = cgutils.alloca_once(builder, context.get_data_type(array.dtype), size)  # type: ignore[no-untyped-call]
            cgutils.memset(builder, data, number(prod(shape) * dtype.itemsize), IntType(8)(0))  # type: ignore[no-untyped-call]
            made = context.make_array(array)(context, builder)
            sizes = {"shape": [number(n) for n in shape], "strides": [number(n) for n in strides]}
            populate_array(made, data=data, itemsize=number(dtype.itemsize), meminfo=None, **sizes)  # type: ignore[no-untyped-call]
            return made._getvalue()  # noqa: SLF001  # as above

        return array(), code

    zeros: Any = (lambda: np.zeros(shape, dtype)) if config.DISABLE_JIT else intrinsic(new)  # type: ignore[attr-defined]
    return zeros  # type: ignore[no-any-return]
