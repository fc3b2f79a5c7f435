"""Compilation of list fields in records, such as `fight.fighters`, to a bare address: all else is known in advance.

Numba emits the shape, strides and size of such a list at each use, and reads them again for each item. LLVM discards
all of it later, but until then it makes up about 33 % of the rules' code.
"""

from __future__ import annotations

import operator
from typing import Any, Final

from llvmlite import ir
from numba.core import cgutils as numba_cgutils
from numba.core import types as numba_types
from numba.core.datamodel import models
from numba.core.datamodel.registry import register_default
from numba.core.imputils import lower_builtin, lower_getattr_generic
from numba.np import arrayobj as numba_arrayobj

types: Any = numba_types
arrayobj: Any = numba_arrayobj
cgutils: Any = numba_cgutils
ADDRESS: Final = 4  # index of the data pointer in Numba's array struct (ArrayModel)
_get_item, _set_item = arrayobj.getitem_arraynd_intp, arrayobj.setitem_array


@register_default(types.NestedArray)
class ListModel(models.NestedArrayModel):
    """A list in a record. It is not reference-counted: it lives as long as its record."""

    def traverse(self, builder: Any) -> list[Any]:
        return []

    def traverse_types(self) -> list[Any]:
        return [self._fe_type]


@lower_getattr_generic(types.Record)  # type: ignore[no-untyped-call]  # Numba has no types here
def read_field(context: Any, builder: Any, record: Any, value: Any, name: str) -> Any:
    """Emit code that reads a field of a record."""
    kind = record.typeof(name)
    if not isinstance(kind, types.NestedArray):
        return arrayobj.record_getattr(context, builder, record, value, name)
    address = cgutils.get_record_member(builder, value, record.offset(name), context.get_data_type(kind.dtype))
    whole = context.get_value_type(kind)
    word = context.get_value_type(types.intp)
    known = [None, None, word(kind.nitems), word(kind.size), None]
    for lengths in (kind.shape, kind.strides):
        known.append(ir.Constant(ir.ArrayType(word, kind.ndim), [word(length) for length in lengths]))
    parts = [ir.Constant(part, None) if given is None else given for part, given in zip(whole, known, strict=True)]
    return builder.insert_value(ir.Constant(whole, parts), address, ADDRESS)


@lower_builtin(operator.getitem, types.NestedArray, types.Integer)  # type: ignore[no-untyped-call]
def read_item(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Emit code that reads an item of a list."""
    kind = signature.args[0]
    if kind.ndim > 1 or context.enable_boundscheck:
        return _get_item(context, builder, signature, arguments)
    return arrayobj.load_item(context, builder, kind, _address(context, builder, signature, arguments))


@lower_builtin(operator.setitem, types.NestedArray, types.Integer, types.Number)  # type: ignore[no-untyped-call]
@lower_builtin(operator.setitem, types.NestedArray, types.Integer, types.Boolean)  # type: ignore[no-untyped-call]
def write_item(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Emit code that sets an item of a list."""
    kind, _, given = signature.args
    if kind.ndim > 1 or context.enable_boundscheck:
        return _set_item(context, builder, signature, arguments)
    value = context.cast(builder, arguments[2], given, kind.dtype)
    arrayobj.store_item(context, builder, kind, value, _address(context, builder, signature, arguments))
    return context.get_dummy_value()


def _address(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Emit code that computes the address of a list item."""
    word = context.get_value_type(types.intp)
    kind, index_kind = signature.args[:2]
    index = arrayobj.fix_integer_index(context, builder, index_kind, arguments[1], word(kind.shape[0]))
    return builder.gep(builder.extract_value(arguments[0], ADDRESS), [index])
