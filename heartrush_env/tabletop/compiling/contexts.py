"""The contexts in which Numba types and lowers marked functions.

They share all declarations with Numba's own contexts, and differ in what marked functions need:

- A record type never converts to another. Numba would accept a record as any record type that is a prefix of it.
- An index is never negative. Numba's check for an index from the end would take about 10 % of the time.
- A list in a record, such as `fight.fighters`, is a bare address: all else is known in advance. Numba emits the list's
  shape, strides and size at each use, which makes up about 33 % of the rules' code until LLVM discards it.
- A field with a known value is a constant (tabletop/compiling/known.py).
- The answers to repeated queries are cached (tabletop/compiling/shortcuts.py).

Numba's own contexts stay as they are: all other functions in the process are compiled as usual, including those of
Numba's own library that marked functions call.
"""

from __future__ import annotations

import operator
from functools import cache
from typing import Any, Final

from llvmlite import ir
from numba.core import cgutils as numba_cgutils
from numba.core import types as numba_types
from numba.core.base import _wrap_impl
from numba.core.cpu import CPUContext
from numba.core.datamodel import models
from numba.core.datamodel.manager import DataModelManager
from numba.core.datamodel.registry import default_manager
from numba.core.typing.context import Context
from numba.core.typing.templates import signature
from numba.np import arrayobj as numba_arrayobj

from heartrush_env.tabletop.compiling.known import KnownRecord
from heartrush_env.tabletop.compiling.shortcuts import RememberedFunction, remembered

types: Any = numba_types
arrayobj: Any = numba_arrayobj
cgutils: Any = numba_cgutils
ADDRESS: Final = 4  # index of the data pointer in Numba's array struct (ArrayModel)


class ListModel(models.NestedArrayModel):
    """A list in a record. It is not reference-counted: it lives as long as its record."""

    def traverse(self, builder: Any) -> list[Any]:
        return []

    def traverse_types(self) -> list[Any]:
        return [self._fe_type]


_models: Any = DataModelManager().chain(default_manager)  # type: ignore[no-untyped-call]  # Numba has no types here
_models.register(types.NestedArray, ListModel)
_models.register(RememberedFunction, models.OpaqueModel)


class MarkedTyping(Context):
    """The context in which marked functions are typed."""

    plain: Any  # Numba's own context

    def refresh(self) -> None:
        """Load new declarations into Numba's own context, which this one shares."""
        self.plain.refresh()

    def _lookup_global(self, gv: Any) -> Any:
        """Return the type of a global object."""
        found = super()._lookup_global(gv)  # type: ignore[no-untyped-call]  # Numba has no types here
        return remembered(found) if type(found) is types.Function else found

    def can_convert(self, fromty: Any, toty: Any) -> Any:
        """Return how a type converts to another; None if it does not."""
        record = fromty.dtype if isinstance(fromty, types.Array) else fromty
        if isinstance(record, types.Record) and fromty != toty:
            return None
        return super().can_convert(fromty, toty)  # type: ignore[no-untyped-call]


class MarkedTarget(CPUContext):
    """The context in which marked functions are lowered."""

    plain: Any  # Numba's own context

    def refresh(self) -> None:
        """Load new declarations into Numba's own context, which this one shares."""
        self.plain.refresh()

    def _compile_subroutine_no_cache(self, *arguments: Any, **named: Any) -> Any:
        """Compile a function of Numba's own library in Numba's usual way."""
        usual = _copy_of(self, CPUContext)
        usual.typing_context, usual.data_model_manager = self.plain.typing_context, self.plain.data_model_manager
        return usual._compile_subroutine_no_cache(*arguments, **named)  # noqa: SLF001  # the method that it overrides

    # -- indices -------------------------------------------------------------------------------------------------------

    def get_function(self, fn: Any, sig: Any, _firstcall: bool = True) -> Any:
        """Return the function that emits a function's code for these types."""
        if len(sig.args) > 1 and isinstance(sig.args[0], types.Buffer):
            key = fn.get_impl_key(sig.as_function()) if isinstance(fn, types.Callable) else fn
            if key is operator.getitem or key is operator.setitem:
                return self._at_index(key, sig)
        return super().get_function(fn, sig, _firstcall)  # type: ignore[no-untyped-call]

    def _at_index(self, key: Any, sig: Any) -> Any:
        """Return the function that emits code to read or set items, with an index that counts from the start."""
        array, index, *value = sig.args
        if isinstance(array, types.NestedArray) and array.ndim == 1 and isinstance(index, types.Integer):
            plain_value = all(isinstance(kind, types.Number | types.Boolean) for kind in value)
            if plain_value and not self.enable_boundscheck:
                return _wrap_impl(_write_item if value else _read_item, self, sig)  # type: ignore[no-untyped-call]
        from_start = _unsigned(index)
        given = signature(sig.return_type, array, from_start, *value)  # type: ignore[no-untyped-call]
        found = super().get_function(key, given)  # type: ignore[no-untyped-call]

        def emit(builder: Any, arguments: Any, loc: Any = None) -> Any:
            place = _count_from_the_start(self, builder, index, from_start, arguments[1])
            return found(builder, (arguments[0], place, *arguments[2:]), loc)

        return emit

    # -- fields --------------------------------------------------------------------------------------------------------

    def get_getattr(self, typ: Any, attr: Any) -> Any:
        """Return the function that emits code to read an attribute."""
        if isinstance(typ, types.Record):
            return _read_field
        return super().get_getattr(typ, attr)  # type: ignore[no-untyped-call]


@cache
def typing_of(plain: Any) -> Any:
    """Return the context in which marked functions are typed, given Numba's own."""
    made = _copy_of(plain, MarkedTyping)
    made.plain = plain
    return made


@cache
def target_of(plain: Any) -> Any:
    """Return the context in which marked functions are lowered, given Numba's own."""
    made = _copy_of(plain, MarkedTarget)
    made.plain, made.data_model_manager = plain, _models
    made.typing_context = typing_of(plain.typing_context)
    return made


def _copy_of(context: Any, kind: Any) -> Any:
    """Return a context of the class `kind` that shares all declarations with `context`."""
    made: Any = kind.__new__(kind)
    vars(made).update(vars(context))
    return made


def _unsigned(index: Any) -> Any:
    """Return the type of an index, or of a tuple of indices, with unsigned integers."""
    if isinstance(index, types.Integer):
        return types.uintp
    if isinstance(index, types.BaseTuple):
        return types.BaseTuple.from_types(tuple(map(_unsigned, index)))
    return index


def _count_from_the_start(context: Any, builder: Any, index: Any, from_start: Any, value: Any) -> Any:
    """Emit code that casts an index to an unsigned machine word, without checking whether it is negative."""
    if isinstance(index, types.Integer):
        return context.cast(builder, value, index, types.intp if index.signed else types.uintp)
    if isinstance(index, types.BaseTuple):
        values = cgutils.unpack_tuple(builder, value, count=len(index))
        parts = [_count_from_the_start(context, builder, *part) for part in zip(index, from_start, values, strict=True)]
        return context.make_tuple(builder, from_start, parts)
    return value


def _read_item(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    """Emit code that reads an item of a list."""
    return arrayobj.load_item(context, builder, sig.args[0], _address_of_item(context, builder, sig, arguments))


def _write_item(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    """Emit code that sets an item of a list."""
    kind, _, given = sig.args
    value = context.cast(builder, arguments[2], given, kind.dtype)
    arrayobj.store_item(context, builder, kind, value, _address_of_item(context, builder, sig, arguments))
    return context.get_dummy_value()


def _address_of_item(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    """Emit code that computes the address of a list item."""
    index = _count_from_the_start(context, builder, sig.args[1], types.uintp, arguments[1])
    return builder.gep(builder.extract_value(arguments[0], ADDRESS), [index])


def _read_field(context: Any, builder: Any, record: Any, value: Any, name: str) -> Any:
    """Emit code that reads a field of a record."""
    kind = record.typeof(name)
    if isinstance(record, KnownRecord) and name in record.known:
        return context.get_constant(kind, record.known[name])
    if not isinstance(kind, types.NestedArray):
        context.sentry_record_alignment(record, name)
        address = cgutils.get_record_member(builder, value, record.offset(name), context.get_data_type(kind))
        return context.unpack_value(builder, kind, address, None if record.aligned else 1)
    address = cgutils.get_record_member(builder, value, record.offset(name), context.get_data_type(kind.dtype))
    whole = context.get_value_type(kind)
    word = context.get_value_type(types.intp)
    known = [None, None, word(kind.nitems), word(kind.size), None]
    for lengths in (kind.shape, kind.strides):
        known.append(ir.Constant(ir.ArrayType(word, kind.ndim), [word(length) for length in lengths]))
    parts = [ir.Constant(part, None) if given is None else given for part, given in zip(whole, known, strict=True)]
    return builder.insert_value(ir.Constant(whole, parts), address, ADDRESS)
