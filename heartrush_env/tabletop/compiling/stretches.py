"""Machine code for tabletop/memory.py, which treats fields of records as blocks of memory."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from llvmlite import ir
from numba.core import types as numba_types
from numba.extending import intrinsic

types: Any = numba_types
BYTE, LONG, NUMBER = ir.IntType(8), ir.IntType(64), ir.IntType(32)
LINE: Final = 64  # bytes in a cache line
FOR_WRITING: Final = (1, 3, 1)  # arguments of the prefetch: write access, high locality, data cache


def renew_stretch(first: str, last: str) -> Any:
    """Return an intrinsic that copies fields `first` to `last` to another record and returns whether any differed."""

    def renew(typing: Any, record: Any, seen: Any) -> Any:
        (start, size), (other, other_size) = _stretch(record.dtype, first, last), _stretch(seen.dtype, first, last)
        if size != other_size:
            raise TypeError(
                f"fields {first} to {last}: expected one size in both records, got {size} and {other_size} bytes."
            )

        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            differs, done = LONG(0), 0
            while done < size:
                wide = next(step for step in (8, 4, 2, 1) if step <= size - done)
                here = _place(builder, arguments[0], start + done, wide)
                there = _place(builder, arguments[1], other + done, wide)
                new = builder.load(here, align=1)
                different = builder.xor(new, builder.load(there, align=1))
                builder.store(new, there, align=1)
                differs = builder.or_(differs, different if wide == 8 else builder.zext(different, LONG))
                done += wide
            return builder.icmp_unsigned("!=", differs, LONG(0))

        return types.boolean(record, seen), code

    return intrinsic(renew)


def fetch_stretch(size: int) -> Any:
    """Return an intrinsic that prefetches the first `size` bytes of a record for writing."""

    def fetch(typing: Any, record: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            kind = ir.FunctionType(ir.VoidType(), [BYTE.as_pointer(), NUMBER, NUMBER, NUMBER])
            prefetch = builder.module.declare_intrinsic("llvm.prefetch", [BYTE.as_pointer()], kind)
            for offset in range(0, min(size, record.size), LINE):
                builder.call(prefetch, [_place(builder, arguments[0], offset, 1), *map(NUMBER, FOR_WRITING)])
            return context.get_dummy_value()

        return types.void(record), code

    return intrinsic(fetch)


@intrinsic
def copy_stretch(typing: Any, source: Any, first: Any, target: Any, at: Any, count: Any) -> Any:
    """Copy adjacent numbers from one flat array to another of its type."""
    if source.dtype != target.dtype:
        raise TypeError(f"numbers: expected two arrays of one type, got {source.dtype} and {target.dtype}.")

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        places = []
        for array, place in ((0, 1), (2, 3)):
            data = context.make_array(signature.args[array])(context, builder, arguments[array]).data
            places.append(builder.bitcast(builder.gep(data, [arguments[place]]), BYTE.as_pointer()))
        size = builder.mul(arguments[4], LONG(context.get_abi_sizeof(data.type.pointee)))
        kind = ir.FunctionType(ir.VoidType(), [*[BYTE.as_pointer()] * 2, LONG, ir.IntType(1)])
        move = builder.module.declare_intrinsic("llvm.memcpy", [*[BYTE.as_pointer()] * 2, LONG], kind)
        builder.call(move, [*reversed(places), size, ir.IntType(1)(0)])
        return context.get_dummy_value()

    return types.void(source, types.int64, target, types.int64, types.int64), code


def write_one_hots(rows: int, words: int) -> Any:
    """Return an intrinsic that writes a one-hot row of `words` numbers for each of `rows` adjacent bytes, all at once.

    Its arguments are (numbers, shown, out, at); `shown` is the number of rows in use. All later rows are zeros.
    """
    number_of_row = [row for row in range(rows) for _ in range(words)]

    def write(typing: Any, numbers: Any, shown: Any, out: Any, at: Any) -> Any:
        if (numbers.dtype.bitwidth, numbers.layout, numbers.ndim) != (8, "C", 1):
            raise TypeError(f"numbers: expected adjacent bytes, got {numbers}.")

        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            first, target = (context.make_array(signature.args[k])(context, builder, arguments[k]).data for k in (0, 2))
            narrow, wide = ir.VectorType(BYTE, rows), ir.VectorType(BYTE, rows * words)
            given = builder.load(builder.bitcast(first, narrow.as_pointer()), align=1)
            end = builder.insert_element(
                ir.Constant(narrow, ir.Undefined), builder.trunc(arguments[1], BYTE), NUMBER(0)
            )
            end = builder.shuffle_vector(end, ir.Constant(narrow, ir.Undefined), _numbers([0] * rows))
            is_shown = builder.icmp_unsigned("<", ir.Constant(narrow, list(range(rows))), end)
            given = builder.select(is_shown, given, ir.Constant(narrow, [-1] * rows))
            spread = builder.shuffle_vector(given, ir.Constant(narrow, ir.Undefined), _numbers(number_of_row))
            hot = builder.icmp_unsigned("==", spread, ir.Constant(wide, list(range(words)) * rows))
            item = target.type.pointee
            row = ir.VectorType(item, rows * words)
            zeros, ones = (ir.Constant(row, [number] * rows * words) for number in (0, 1))
            place = builder.bitcast(builder.gep(target, [arguments[3]]), row.as_pointer())
            builder.store(builder.select(hot, ones, zeros), place, align=context.get_abi_sizeof(item))
            return context.get_dummy_value()

        return types.void(numbers, types.int64, out, types.int64), code

    return intrinsic(write)


def _numbers(values: list[int]) -> Any:
    """Return a constant vector of 32-bit integers."""
    return ir.Constant(ir.VectorType(NUMBER, len(values)), values)


def _stretch(kind: np.dtype[Any], first: str, last: str) -> tuple[int, int]:
    """Return the offset and the size, both in bytes, of the fields from `first` to `last`."""
    assert kind.fields is not None
    start, (field, offset, *_) = kind.fields[first][1], kind.fields[last]
    return start, offset + field.itemsize - start


def _place(builder: Any, pointer: Any, offset: int, wide: int) -> Any:
    """Return a pointer to an integer of `wide` bytes at this offset in a record."""
    start = builder.bitcast(pointer, BYTE.as_pointer())
    return builder.bitcast(builder.gep(start, [LONG(offset)]), ir.IntType(8 * wide).as_pointer())
