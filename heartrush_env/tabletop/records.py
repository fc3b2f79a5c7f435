"""Record types: named fields that compiled and plain Python code access in the same way.

A field is its name, its type, the shape of an array, and the limits of its values (tabletop/limits.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

import numpy as np

from heartrush_env.tabletop.limits import FREE, LIMITS, Limits, limits_of

Shape = tuple[int, ...]
Field = tuple[str, Any] | tuple[str, Any, Shape] | tuple[str, Any, Limits] | tuple[str, Any, Shape, Limits]
KNOWN: Final = "known fields"  # the key in a record type's metadata


class Record(np.void):  # type: ignore[misc]  # final in the type information alone
    """A record whose fields are attributes, which plain Python reads ten times as fast as those of NumPy's record."""

    def __getattr__(self, name: str) -> Any:
        try:
            return np.void.__getitem__(self, name)
        except ValueError:
            raise AttributeError(f"expected a field of the record, got {name!r}.") from None

    def __setattr__(self, name: str, value: Any) -> None:
        np.void.__setitem__(self, name, value)


def record(fields: list[Field]) -> np.dtype[Any]:
    """Return an aligned record type whose fields, nested records included, are attributes.

    NumPy aligns plain fields but not fields that are records, so the offsets are computed here.
    """
    taken = [field[0] for field in fields if hasattr(np.void, field[0])]
    if taken:
        raise ValueError(f"record fields {taken}: expected other names, since these are NumPy's own attributes")
    names, formats, offsets, end = [], [], [], 0
    limits = {}
    for name, kind, *more in fields:
        field = np.dtype(kind)
        shape = [part for part in more if isinstance(part, tuple)]
        own = next((part for part in more if isinstance(part, Limits)), FREE)
        if own != FREE or limits_of(field):
            limits[name] = own
        end += -end % alignment(field)
        names.append(name)
        formats.append((field, *shape) if shape else field)
        offsets.append(end)
        end += field.itemsize * (int(np.prod(shape[0])) if shape else 1)
    end += -end % max(alignment(np.dtype(kind)) for _, kind, *_ in fields)
    layout = {"names": names, "formats": formats, "offsets": offsets, "itemsize": end}
    kind = np.dtype((Record, np.dtype(layout, align=True)))  # type: ignore[call-overload]
    return np.dtype(kind, metadata={LIMITS: limits}) if limits else kind


def with_known(kind: np.dtype[Any], fields: Mapping[str, int]) -> np.dtype[Any]:
    """Return a copy of the record type for records in which these fields always have these values.

    The records still contain the fields. Compiled code does not read them, and drops the code that their values rule
    out. A name such as "rules.talk" means a field of a nested record.
    """
    return _with_known(kind, tuple(fields.items()))


@cache
def _with_known(kind: np.dtype[Any], fields: tuple[tuple[str, int], ...]) -> np.dtype[Any]:
    """Return one record type for all equal arguments, because kernels distinguish record types by identity."""
    return np.dtype(kind, metadata={KNOWN: dict(fields)})


def known_fields(kind: np.dtype[Any]) -> dict[str, int]:
    """Return the fields that have one value in all records of a type, with these values."""
    metadata: Mapping[str, dict[str, int]] = kind.metadata or {}
    return metadata.get(KNOWN, {})


def alignment(field: np.dtype[Any]) -> int:
    """Return the largest alignment of anything in the field, in bytes."""
    if field.subdtype is not None:
        return alignment(field.subdtype[0])
    if field.names is None:
        return field.alignment
    return max(alignment(field[name]) for name in field.names)


def layout(kind: np.dtype[Any]) -> str:
    """Describe the offsets and types of a record type's fields, in the same words for every version of NumPy."""
    if kind.subdtype is not None:
        return f"{layout(kind.subdtype[0])}{list(kind.subdtype[1])}"
    if kind.names is None:
        return kind.str
    fields = (f"{name}@{offset}:{layout(field)}" for name, (field, offset, *_) in (kind.fields or {}).items())
    known = "".join(f", {name} = {value}" for name, value in known_fields(kind).items())
    return f"{{{', '.join(fields)}}} of {kind.itemsize}{known}"


class Plain:
    """The values of a record as attributes and items; reading them is much faster than reading the record itself."""

    def __init__(self, kind: np.dtype[Any], values: tuple[Any, ...]) -> None:
        self.__dict__.update(zip(_keys(kind), values, strict=True), dtype=kind)

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)

    def __getattr__(self, name: str) -> Any:
        """Convert a nested record, or an array of them, at its first use; Python calls this method last."""
        if f"{RAW}{name}" not in self.__dict__:
            raise AttributeError(f"expected a field of the record, got {name!r}.")
        field, value = self.dtype[name], self.__dict__.pop(f"{RAW}{name}")
        made = [Plain(field.base, part) for part in value.tolist()] if field.subdtype else Plain(field, value)
        self.__dict__[name] = made
        return made

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Plain) and all(
            getattr(self, name) == getattr(other, name) for name in ("dtype", *(self.dtype.names or ()))
        )


RAW: Final = "raw "  # before the name of a nested record that has not been converted


@cache
def _keys(kind: np.dtype[Any]) -> tuple[str, ...]:
    """Return the names of a record type's fields, with RAW before those of nested records."""
    return tuple(f"{RAW}{name}" if kind[name].base.names is not None else name for name in kind.names or ())


def plain(record: Any) -> Any:
    """Copy a record scalar for reading; arrays of records become lists, and other arrays stay arrays."""
    kind = record.dtype  # `item` leaves arrays as views, so the bytes are copied first, which `copy` does slowly
    return Plain(kind, np.frombuffer(record.tobytes(), kind).item())
