"""Compact observations: the features of a table as bytes.

A row has one byte per feature, in table order. The byte holds the feature's value in whole units, minus an offset that
the byte represents as 0. Fractions are rounded to 1/127; all other values are exact. Features with more than 256
values are wide: a second byte at the end of the row counts how many times 256 must be added to such a feature. Rows of
zeros represent vectors of zeros, except where the offset is not 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.game import FloatArray
from heartrush_env.tabletop.rule import Making, mark, only_with, version
from heartrush_env.tabletop.tables import BYTES, LARGEST_BYTE, LEAST_BYTE, Feature, high_byte, with_twin

F = TypeVar("F", bound=Callable[..., Any])


class Compact:
    """The mapping between rows of bytes and the features of a table.

    Attributes:
        names: The name of each byte of a row, (bytes,).
        features: The number of features; their bytes are the first of a row.
        scale: The size of one unit of each feature, (features,), float64.
        offset: The value of each feature whose byte is 0, (features,), float64.
        wide: The indices of the wide features, in the order of the second bytes, (wide,).
        low: The least value of each byte, (bytes,), int8.
        high: The greatest value of each byte, (bytes,), int8.
    """

    def __init__(self, table: Sequence[Feature]) -> None:
        """Define the row layout for these features."""
        wide = [place for place, feature in enumerate(table) if feature.wide]
        ends = np.array([feature.ends for feature in table])
        middle, units = (np.array([getattr(feature, name) for feature in table]) for name in ("middle", "units"))
        bounds = ends - middle[:, None]
        bounds[wide] = LEAST_BYTE, LARGEST_BYTE
        low, high = np.concatenate([bounds, high_byte(ends[wide])]).astype(np.int8).T
        self.names = tuple(feature.name for feature in table) + tuple(f"{table[place].name} / 256" for place in wide)
        self.features = len(table)
        self.scale, self.offset = 1 / units, middle / units
        self.wide = np.array(wide, np.intp)
        self.low, self.high = np.ascontiguousarray(low), np.ascontiguousarray(high)
        for array in (self.scale, self.offset, self.wide, self.low, self.high):
            array.flags.writeable = False

    def vector(self, rows: Any) -> FloatArray:
        """Return rows (..., bytes) as vectors (..., features), float32.

        Raises:
            HeartRushError: The rows have another length.
        """
        given = np.asarray(rows)
        if given.shape[-1:] != (len(self.names),):
            raise HeartRushError(f"compact: found rows of shape {given.shape}, allowed: (..., {len(self.names)}).")
        units = given[..., : self.features].astype(np.float64)
        units[..., self.wide] += BYTES * given[..., self.features :].astype(np.float64)
        vectors: FloatArray = (units * self.scale + self.offset).astype(np.float32)
        return vectors


class Expanded:
    """The vectors of an array of rows, computed when the array is indexed."""

    def __init__(self, rows: NDArray[np.int8], compact: Compact) -> None:
        self.rows, self.compact = rows, compact

    def __getitem__(self, places: Any) -> FloatArray:
        return self.compact.vector(self.rows[places])


# -------------------------------------------------------------------------------------------- functions that write rows


def in_bytes(function: F) -> F:
    """Return the version of a function whose callees write bytes; the function itself if nothing changes."""
    return cast("F", _version(function, {}))


def twin(**names: Any) -> Callable[[F], F]:
    """Decorate a function with a twin that writes bytes: a copy in which `names` are bound to other objects."""
    return lambda function: with_twin(function, _made(function, names))  # type: ignore[return-value]


def _version(function: Any, seen: dict[Any, Any]) -> Any:
    """Return the version of a function that writes bytes; `seen` caches the versions of visited functions."""
    if function not in seen:
        seen[function] = getattr(function, "in_bytes", function)
        if seen[function] is function and isinstance(plain := _plain(function), FunctionType):
            called = {name: plain.__globals__.get(name) for name in plain.__code__.co_names}
            names = {
                name: other
                for name, found in called.items()
                if hasattr(found, "making") and (other := _version(found, seen)) is not found
            }
            if names:
                seen[function] = _made(function, names)
    return seen[function]


def _plain(function: Any) -> Any:
    return function.making.function if hasattr(function, "making") else function


def _made(function: Any, names: dict[str, Any]) -> Any:
    """Return a copy of a function in which `names` are bound to other objects, compiled in the original's way."""
    made = version(_plain(function), "in_bytes", **names)
    making = getattr(function, "making", None)
    if making is None:
        return made
    made = mark(made, Making(made, inline=making.inline))
    return made if making.field is None else only_with(making.field, making.otherwise)(made)
