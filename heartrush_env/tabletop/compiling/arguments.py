"""Arrays without reference counts, built with the compiler's own primitives: kernel arguments and stack arrays."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
from llvmlite.ir import IntType
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array
from numba.np.numpy_support import from_dtype

from heartrush_env.tabletop.compiling.known import type_of

Kind = tuple[np.dtype[Any], int] | None  # as in tabletop/kernels.py


def reader(place: int, kind: Kind) -> Any:
    """Return a compiled function that reads a kernel's argument, given the address of all arguments' words.

    The argument begins at word index `place`. A number is one word. An array is its address followed by its shape; the
    kernel's caller keeps the array alive.
    """

    def read(typing: Any, words: Any) -> Any:
        result: Any = types.int64 if kind is None else types.Array(type_of(kind[0]), kind[1], "C")

        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            first = builder.inttoptr(arguments[0], IntType(64).as_pointer())

            def word(number: int) -> Any:
                return builder.load(builder.gep(first, [IntType(64)(place + number)]))

            if kind is None:
                return word(0)
            data = builder.inttoptr(word(0), context.get_data_type(result.dtype).as_pointer())
            shape = [word(1 + axis) for axis in range(kind[1])]
            return _array(context, builder, result, data, shape)

        return result(words), code

    return intrinsic(read)


def on_stack(shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
    """Return a compiled function that gives its caller an array of zeros on the stack."""

    def new(typing: Any) -> Any:
        array = types.Array(from_dtype(dtype), len(shape), "C")

        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            number = context.get_value_type(types.intp)
            data = cgutils.alloca_once(builder, context.get_data_type(array.dtype), number(prod(shape)))  # type: ignore[no-untyped-call]
            cgutils.memset(builder, data, number(prod(shape) * dtype.itemsize), IntType(8)(0))  # type: ignore[no-untyped-call]
            return _array(context, builder, array, data, [number(length) for length in shape])

        return array(), code

    return intrinsic(new)


def _array(context: Any, builder: Any, array: Any, data: Any, shape: Sequence[Any]) -> Any:
    """Return the value of a C-contiguous array that is not reference-counted."""
    number = context.get_value_type(types.intp)
    size = number(context.get_abi_sizeof(context.get_data_type(array.dtype)))
    strides = [size]
    for length in reversed(shape[1:]):
        strides.insert(0, builder.mul(strides[0], length))
    made = context.make_array(array)(context, builder)
    populate_array(made, data=data, shape=shape, strides=strides, itemsize=size, meminfo=None)  # type: ignore[no-untyped-call]
    return made._getvalue()  # noqa: SLF001  # the accessor that Numba itself uses
