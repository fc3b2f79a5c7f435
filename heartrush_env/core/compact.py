"""Compact observations: the features of a table as bytes.

A row has a byte for each feature, in the order of the table: the feature's value in whole units, less what the byte
shows as 0. Fractions are rounded to 1/127; all other values are exact. Features of more than 256 values are wide: at
the end of the row a second byte for each of them counts how many times 256 is to be added. Rows of zeros stand for
vectors of zeros, except where the offset is not 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from heartrush_env.core.errors import HeartRushError
from heartrush_env.core.game import FloatArray
from heartrush_env.core.rule import Making, mark, only_with, version
from heartrush_env.core.tables import BYTES, LARGEST_BYTE, LEAST_BYTE, Feature, high_byte, with_twin

F = TypeVar("F", bound=Callable[..., Any])


class Compact:
    """How rows of bytes show the features of a table.

    Attributes:
        names: The name of each byte of a row, (bytes,).
        features: The number of features; their bytes are the first of a row.
        scale: What one unit of a feature is worth, (features,), float64.
        offset: What a feature shows whose byte is 0, (features,), float64.
        wide: The places of the wide features, in the order of the second bytes, (wide,).
        low: The least value of each byte, (bytes,), int8.
        high: The greatest value of each byte, likewise.
    """

    def __init__(self, table: Sequence[Feature]) -> None:
        """Lay out a row for these features."""
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
        """The vectors of rows (..., bytes) as (..., features), float32; HeartRushError for rows of another length."""
        given = np.asarray(rows)
        if given.shape[-1:] != (len(self.names),):
            raise HeartRushError(f"compact: found rows of shape {given.shape}, allowed: (..., {len(self.names)}).")
        units = given[..., : self.features].astype(np.float64)
        units[..., self.wide] += BYTES * given[..., self.features :].astype(np.float64)
        vectors: FloatArray = (units * self.scale + self.offset).astype(np.float32)
        return vectors


class Expanded:
    """The vectors of an array of rows, made where the array is indexed."""

    def __init__(self, rows: NDArray[np.int8], compact: Compact) -> None:
        self.rows, self.compact = rows, compact

    def __getitem__(self, places: Any) -> FloatArray:
        return self.compact.vector(self.rows[places])


# -------------------------------------------------------------------------------------------- functions that write them


def in_bytes(function: F) -> F:
    """The version of a function in which all that it calls writes bytes; the function itself if that is the same."""
    return cast("F", _version(function, {}))


def twin(**names: Any) -> Callable[[F], F]:
    """Give a function a twin that writes bytes: the same function, in which these names mean something else."""
    return lambda function: with_twin(function, _made(function, names))  # type: ignore[return-value]


def _version(function: Any, seen: dict[Any, Any]) -> Any:
    """The same; `seen` holds the versions of functions that were looked at already."""
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
    """A function in which some names mean something else, compiled in the same way."""
    made = version(_plain(function), "in_bytes", **names)
    making = getattr(function, "making", None)
    if making is None:
        return made
    made = mark(made, Making(made, inline=making.inline))
    return made if making.field is None else only_with(making.field, making.otherwise)(made)
