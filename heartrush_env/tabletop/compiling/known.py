"""Record types with known fields: compiled code uses the values of these fields as constants (tabletop/records.py)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.core import types as numba_types
from numba.core.datamodel import models
from numba.core.datamodel.registry import register_default
from numba.np.numpy_support import from_dtype

from heartrush_env.tabletop.records import known_fields

types: Any = numba_types


class KnownRecord(types.Record):  # type: ignore[misc]  # Numba has no types here
    """A record with known fields."""

    def __init__(self, record: Any, known: dict[str, int]) -> None:
        types.Type.__init__(self, f"{record.name} with {known}")
        self.fields = dict(record.fields)
        for part in sorted({name.partition(".")[0] for name in known if "." in name}):
            inner = {name.removeprefix(f"{part}."): known[name] for name in known if name.startswith(f"{part}.")}
            self.fields[part] = record.fields[part]._replace(type=KnownRecord(record.fields[part].type, inner))
        self.size, self.aligned, self.bitwidth = record.size, record.aligned, record.bitwidth
        self.known = known


register_default(KnownRecord)(models.RecordModel)


def type_of(kind: np.dtype[Any]) -> Any:
    """Return Numba's type for the items of arrays of this dtype."""
    known = known_fields(kind)
    return KnownRecord(from_dtype(kind), known) if known else from_dtype(kind)
