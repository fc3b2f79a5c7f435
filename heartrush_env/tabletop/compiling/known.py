"""Record types with known fields: compiled code uses the values of these fields as constants (tabletop/records.py)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.core import types as numba_types
from numba.core.datamodel import models
from numba.core.datamodel.registry import register_default
from numba.extending import lower_getattr_generic
from numba.np.numpy_support import from_dtype

from heartrush_env.tabletop.compiling.fields import read_field
from heartrush_env.tabletop.records import known_fields

types: Any = numba_types


class KnownRecord(types.Record):  # type: ignore[misc]  # Numba has no types here
    """A record with known fields. Numba never converts it to or from another record type."""

    def __init__(self, record: Any, known: dict[str, int]) -> None:
        types.Type.__init__(self, f"{record.name} with {known}")
        one_more = next(iter(record.fields.values()))  # no record type converts to one with more fields
        self.fields = {**record.fields, "known": one_more}
        for part in sorted({name.partition(".")[0] for name in known if "." in name}):
            inner = {name.removeprefix(f"{part}."): known[name] for name in known if name.startswith(f"{part}.")}
            self.fields[part] = record.fields[part]._replace(type=KnownRecord(record.fields[part].type, inner))
        self.size, self.aligned, self.bitwidth = record.size, record.aligned, record.bitwidth
        self.known = known

    def can_convert_to(self, typing: Any, other: Any) -> None:
        """Refuse every conversion: Numba would accept a record as any record type that is a prefix of it."""


register_default(KnownRecord)(models.RecordModel)


@lower_getattr_generic(KnownRecord)  # type: ignore[no-untyped-call]  # Numba has no types here
def _read_field(context: Any, builder: Any, record: Any, value: Any, name: str) -> Any:
    if name in record.known:
        return context.get_constant(record.typeof(name), record.known[name])
    return read_field(context, builder, record, value, name)


def type_of(kind: np.dtype[Any]) -> Any:
    """Return Numba's type for the items of arrays of this dtype."""
    known = known_fields(kind)
    return KnownRecord(from_dtype(kind), known) if known else from_dtype(kind)
