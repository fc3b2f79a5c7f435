"""Records as stretches of memory: adjacent fields compared and copied several bytes at a time, and fetched early."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from heartrush_env.core.rule import Making, mark


def renewer(first: str, last: str) -> Callable[[Any, Any], Any]:
    """A function that copies the fields from `first` to `last` of one record into another.

    It returns whether any was different. In both records these fields are adjacent and in the same order.
    """

    def renew(record: Any, seen: Any) -> bool:
        names = record.dtype.names
        changed = False
        for name in names[names.index(first) : names.index(last) + 1]:
            changed = changed or not np.array_equal(record[name], seen[name])
            seen[name] = record[name]
        return changed

    def code() -> Any:
        from heartrush_env.core.compiling.stretches import renew_stretch

        return renew_stretch(first, last)

    return mark(renew, Making(renew, code=code))


@cache
def copier(count: int) -> Callable[[Any, Any, Any, Any], None]:
    """A function that copies `count` adjacent numbers of a flat array into another of the same kind, all at once.

    It takes the array and the place of the first, and the other array and the place there.
    """

    def copy(source: Any, first: Any, target: Any, at: Any) -> None:
        target[at : at + count] = source[first : first + count]

    def code() -> Any:
        from heartrush_env.core.compiling.stretches import copy_stretch

        return copy_stretch(count)

    return mark(copy, Making(copy, code=code))


@cache
def one_hots(rows: int, words: int) -> Callable[[Any, Any, Any, Any], None]:
    """A function that writes a row of 0 and 1 for each of `rows` bytes: 1 at the place of its number, of `words`.

    It takes the bytes, how many of them are shown (the rows of others are zeros), and the flat array and the place
    there.
    """

    def write(numbers: Any, shown: Any, out: Any, at: Any) -> None:
        for row in range(rows):
            for word in range(words):
                out[at + row * words + word] = row < shown and numbers[row] == word

    def code() -> Any:
        from heartrush_env.core.compiling.stretches import write_one_hots

        return write_one_hots(rows, words)

    return mark(write, Making(write, code=code))


def fetcher(size: int) -> Callable[[Any], None]:
    """A function that asks the processor for the first bytes of a record, so that nobody waits for them later."""

    def fetch(record: Any) -> None:
        """Plain Python has nothing to fetch."""

    def code() -> Any:
        from heartrush_env.core.compiling.stretches import fetch_stretch

        return fetch_stretch(size)

    return mark(fetch, Making(fetch, code=code))
