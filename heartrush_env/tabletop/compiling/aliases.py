"""Alias information for LLVM: which stores leave which values unchanged, so that LLVM need not reload them.

Numba reads and writes record fields and array items through bare pointers, so LLVM has to assume that each store may
have changed every value read before. But a field is never an array item, and two fields at different offsets of their
records, or of different types, never share memory. This module attaches the place to each such load and store, for
LLVM's type-based alias analysis. Copies of whole records carry no note, and may change anything.
"""

from __future__ import annotations

from typing import Any, Final

from llvmlite import ir
from numba.core import base, cgutils
from numba.np import arrayobj

from heartrush_env.tabletop.compiling.linking import OURS

ROOT: Final = "heartrush_env"
ITEM: Final = "item"
NUMBERS: Final = (ir.IntType, ir.FloatType, ir.DoubleType)

_address_of_field = cgutils.get_record_member
_load, _store = base.BaseContext.unpack_value, base.BaseContext.pack_value
_load_item, _store_item = arrayobj.load_item, arrayobj.store_item


def _address(builder: Any, record: Any, offset: int, kind: Any) -> Any:
    """Return the address of a field, with the field's place attached."""
    address = _address_of_field(builder, record, offset, kind)
    address.place = f"field at {offset}"
    return address


def _read(context: Any, builder: Any, kind: Any, address: Any, align: Any = None) -> Any:
    """Load a value, and note its place on the load instructions."""
    first = len(builder.block.instructions)
    value = _load(context, builder, kind, address, align)
    _note(builder, first, address)
    return value


def _write(context: Any, builder: Any, kind: Any, value: Any, address: Any, align: Any = None) -> None:
    """Store a value, and note its place on the store instructions."""
    first = len(builder.block.instructions)
    _store(context, builder, kind, value, address, align)
    _note(builder, first, address)


def _read_item(context: Any, builder: Any, array: Any, address: Any) -> Any:
    """Load an item of an array."""
    address.place = ITEM
    return _load_item(context, builder, array, address)


def _write_item(context: Any, builder: Any, array: Any, value: Any, address: Any) -> Any:
    """Store an item of an array."""
    address.place = ITEM
    return _store_item(context, builder, array, value, address)


def _note(builder: Any, first: int, address: Any) -> None:
    """Note an address's place on the numeric loads and stores in the current block, from index `first` on."""
    place = getattr(address, "place", None)
    if place is None or not builder.function.name.startswith(OURS):
        return
    for made in builder.block.instructions[first:]:
        if isinstance(made, ir.instructions.LoadInstr | ir.instructions.StoreInstr):
            kind = made.type if isinstance(made, ir.instructions.LoadInstr) else made.operands[0].type
            if isinstance(kind, NUMBERS):
                made.set_metadata("tbaa", _tag(builder.module, f"{place}, {kind}"))


def _tag(module: Any, name: str) -> Any:
    """Return the alias metadata of a place, in the form of a C type."""
    zero = ir.IntType(64)(0)
    kind = module.add_metadata([name, module.add_metadata([ROOT]), zero])
    return module.add_metadata([kind, kind, zero])


cgutils.get_record_member = _address
base.BaseContext.unpack_value, base.BaseContext.pack_value = _read, _write  # type: ignore[method-assign]
arrayobj.load_item, arrayobj.store_item = _read_item, _write_item
