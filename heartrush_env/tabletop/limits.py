"""Limits: the values that the fields of a record may have, written beside the fields and checked in one place.

    FIGHTER = record([("heart", "u1", Limits(among=DIE_LADDER, most="heart_max")), ("heart_max", "u1", LASTING)])

A limit is a number, or the name of the field that holds the number. The field belongs to the same record or to the
fight as a whole, as in "rules.max_rounds". A field without limits may have every value of its type.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import ge, getitem, le, lt
from typing import Any, Final

import numpy as np

from heartrush_env.tabletop.validate import join_or

LIMITS: Final = "limits"  # the key in a record type's metadata
Limit = float | str | tuple[int, ...]  # a number, the name of a field, or a number for each item of an array


@dataclass(frozen=True)
class Limits:
    """The allowed values of one field; without limits, every value is allowed."""

    least: Limit | None = None
    most: Limit | None = None
    below: Limit | None = None  # the first number that is too large
    among: tuple[int, ...] = ()
    lasting: bool = False  # the value never changes during a fight
    turns: bool = False  # with `lasting`: the value may change to its complement, ~value
    added: bool = False  # snapshots of earlier versions lack the field, which then counts as zero
    count: str = ""  # of an array: the field with the number of items in use; the other items are not checked

    @cached_property
    def comparisons(self) -> tuple[tuple[Limit, Callable[[Any, Any], bool], str], ...]:
        """The limits that are set, each with its comparison and the words that name it in messages."""
        known = ((self.least, ge, "at least"), (self.most, le, "at most"), (self.below, lt, "less than"))
        return tuple((limit, fits, words) for limit, fits, words in known if limit is not None)


LASTING: Final = Limits(lasting=True)
ADDED: Final = Limits(added=True)
FREE: Final = Limits()


def limits_of(kind: np.dtype[Any]) -> Mapping[str, Limits]:
    """Return a record type's limits by field, for fields that have limits and for records that contain such fields."""
    metadata: Mapping[str, Mapping[str, Limits]] = kind.metadata or {}
    return metadata.get(LIMITS, {})


def outside_limits(fight: Any, start: Any, path: str) -> list[str]:
    """Return one sentence for each value of a fight that is outside its limits.

    Each sentence begins with the path of the value, which begins with `path`. `start` is the record from which the
    fight began. Both are plain copies (records.py) of records of one type.
    """
    return list(_search(fight, start, fight, path))


def _search(now: Any, then: Any, fight: Any, path: str) -> Iterator[str]:
    for name, limits in limits_of(now.dtype).items():
        value, before = now[name], then[name]
        in_array = isinstance(value, list | np.ndarray)
        count = 1 if not in_array else now[limits.count] if limits.count else len(value)
        if in_array and not 0 <= count <= len(value):
            yield f"{path}.{limits.count}: expected 0 to {len(value)}, got {count}"
            continue
        values, befores = _as_list(value), _as_list(before)
        for k in range(count):
            place = f"{path}.{name}[{k}]" if in_array else f"{path}.{name}"
            if hasattr(values[k], "dtype"):
                yield from _search_record(limits, values[k], befores[k], fight, place)
            elif expected := _expected(limits, values[k], befores[k], now, fight, k):
                yield f"{place}: expected {expected}, got {values[k]}"


def _as_list(value: Any) -> list[Any]:
    """Return the items of an array, or the value itself in a list."""
    return value if isinstance(value, list) else value.tolist() if isinstance(value, np.ndarray) else [value]


def _search_record(limits: Limits, now: Any, then: Any, fight: Any, path: str) -> Iterator[str]:
    if limits.lasting and now != then:
        name = next(name for name in now.dtype.names if now[name] != then[name])
        yield f"{path}.{name}: expected {then[name]}, as at the start, got {now[name]}"
    yield from _search(now, then, fight, path)


def _expected(limits: Limits, value: Any, before: Any, now: Any, fight: Any, k: int) -> str:
    """Return the expected value in words if this value, item k of a field, is outside its limits, else ""."""
    if limits.lasting and value != before and not (limits.turns and value == ~before):
        return f"{before}, as at the start"
    if limits.among and value not in limits.among:
        return join_or(limits.among)
    for limit, fits, words in limits.comparisons:
        number = _number(limit, now, fight, k)
        if not fits(value, number):
            return f"{words} {number} ({limit})" if isinstance(limit, str) else f"{words} {number}"
    return ""


def _number(limit: Limit, now: Any, fight: Any, k: int) -> Any:
    """Return the number that a limit sets for item k of a field."""
    if isinstance(limit, tuple):
        return limit[k]
    if not isinstance(limit, str):
        return limit
    return now[limit] if limit in now.dtype.names else reduce(getitem, limit.split("."), fight)
