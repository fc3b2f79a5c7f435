"""Records as blocks of memory: adjacent fields are compared and copied several bytes at a time, and prefetched."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from heartrush_env.tabletop.rule import Making, compiled, mark


def renewer(first: str, last: str) -> Callable[[Any, Any], Any]:
    """Return a function that copies the fields from `first` to `last` of one record into another.

    The function returns whether any field differed. In both records these fields are adjacent and in the same order.
    """

    def renew(record: Any, seen: Any) -> bool:
        names = record.dtype.names
        changed = False
        for name in names[names.index(first) : names.index(last) + 1]:
            changed = changed or not np.array_equal(record[name], seen[name])
            seen[name] = record[name]
        return changed

    def code() -> Any:
        from heartrush_env.tabletop.compiling.stretches import renew_stretch

        return renew_stretch(first, last)

    return mark(renew, Making(renew, code=code))


def copy_numbers(source: Any, first: Any, target: Any, at: Any, count: Any) -> None:
    """Copy `count` adjacent numbers from a flat array, from `first` on, to index `at` of another of its dtype."""
    target[at : at + count] = source[first : first + count]


def _code_of_copies() -> Any:
    """Return the machine code of `copy_numbers`; importing it loads the compiler."""
    from heartrush_env.tabletop.compiling.stretches import copy_stretch

    return copy_stretch


mark(copy_numbers, Making(copy_numbers, code=_code_of_copies))


@compiled
def copy_slot(source, target, slot, size):
    """Copy one slot's part of a flat array, `size` numbers, to another array."""
    copy_numbers(source, slot * size, target, slot * size, size)


@cache
def one_hots(rows: int, words: int) -> Callable[[Any, Any, Any, Any], None]:
    """Return a function that writes a one-hot row of `words` numbers for each of `rows` bytes.

    Its arguments are the bytes, the number of rows shown (all later rows are zeros), the flat output array, and the
    first index in the output.
    """

    def write(numbers: Any, shown: Any, out: Any, at: Any) -> None:
        for row in range(rows):
            for word in range(words):
                out[at + row * words + word] = row < shown and numbers[row] == word

    def code() -> Any:
        from heartrush_env.tabletop.compiling.stretches import write_one_hots

        return write_one_hots(rows, words)

    return mark(write, Making(write, code=code))


def fetcher(size: int) -> Callable[[Any], None]:
    """Return a function that prefetches the first `size` bytes of a record, so that later accesses need not wait."""

    def fetch(record: Any) -> None:
        """Do nothing: plain Python cannot prefetch."""

    def code() -> Any:
        from heartrush_env.tabletop.compiling.stretches import fetch_stretch

        return fetch_stretch(size)

    return mark(fetch, Making(fetch, code=code))
