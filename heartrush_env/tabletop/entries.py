"""Readers of records that are data: each reads a value from an entry of a log, in Python and in other languages.

The functions below make readers. A reader's `data` says in JSON what it does: the name of the function and its
arguments. Python runs code that is written from the data (entry_code.py), and portable/events.mjs reads the data.

A `Number` is a number itself, a reader of one, or the fields and indices that lead to one, joined by dots, as in
"pool.sides.0". The index "k" is the number of the row, and "k" alone is that number itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np

from heartrush_env.tabletop import entry_code
from heartrush_env.tabletop.units import Function

Names = Mapping[str, Sequence[Any]]  # what a scenario names by number, such as its fighters
LEFT_OUT: Final = entry_code.LEFT_OUT  # in place of the value of a field that an entry does not have


class Reader:
    """A way to read a value, or a condition, from an entry."""

    def __init__(self, data: Any) -> None:
        """Make the reader that JSON-able data describe."""
        self.data = data

    @cached_property
    def read(self) -> Function:
        """The function of an entry, the names and the number of a row that returns the value."""
        return entry_code.as_record(self.data)


Number = int | str | Reader


def _made(name: str, *given: Any) -> Reader:
    return Reader([name, *(each.data if isinstance(each, Reader) else each for each in given)])


# -- numbers and conditions --------------------------------------------------------------------------------------------


def number(at: Number) -> Reader:
    """Return a reader of a number."""
    return at if isinstance(at, Reader) else Reader(at)


def magnitude(at: Number) -> Reader:
    """Return a reader of a number without its sign."""
    return _made("magnitude", number(at))


def mirrored(at: Number) -> Reader:
    """Return a reader of a number, or of its complement if it is negative."""
    return _made("mirrored", number(at))


def extreme(name: str, array: str, count: Number) -> Reader:
    """Return a reader of the "least" or "most" of the first `count` numbers of an array."""
    return _made(name, array, number(count))


def at_least(at: Number, value: int) -> Reader:
    """Return the condition that a number is at least a value."""
    return _made("at_least", number(at), value)


def among(at: Number, values: Iterable[int]) -> Reader:
    """Return the condition that a number is one of these values."""
    return _made("among", number(at), sorted(values))


# -- values ------------------------------------------------------------------------------------------------------------


def constant(value: Any) -> Reader:
    """Return a reader of one value, whatever the entry."""
    return Reader(value) if isinstance(value, int) else _made("constant", value)


def flag(at: Number) -> Reader:
    """Return a reader of whether a number is not zero."""
    return _made("flag", number(at))


def word(at: Number, words: Sequence[Any], beyond: Reader | None = None) -> Reader:
    """Return a reader of the word with this number; if there is none, it reads `beyond`, or None."""
    return _made("word", number(at), list(words), *([] if beyond is None else [beyond]))


def words(at: Number, bits: Sequence[str]) -> Reader:
    """Return a reader of the words whose bits are set in a number."""
    return _made("words", number(at), [*bits])


def name(at: Number, group: str) -> Reader:
    """Return a reader of the name with this number in a group of names; None for a negative number."""
    return _made("name", number(at), group)


def name_in(group: str, which: Number, at: Number, first: int, length: int) -> Reader:
    """Return a reader of a name in list number `which` of a group, in which places count from `first` and repeat."""
    return _made("name_in", group, number(which), number(at), first, length)


def one_or_none(reader: Reader) -> Reader:
    """Return a reader of a list: of a value, or of nothing if the value is None."""
    return _made("one_or_none", reader)


def listed(*readers: Number) -> Reader:
    """Return a reader of a list of values."""
    return _made("listed", *map(number, readers))


def joined(*lists: Reader) -> Reader:
    """Return a reader of the items of several lists in one."""
    return _made("joined", *lists)


def rows(count: Number, row: Reader) -> Reader:
    """Return a reader of a list with a value for each row."""
    return _made("rows", number(count), row)


def table(count: Number, key: Reader, value: Number) -> Reader:
    """Return a reader of an object with a key and a value for each row, without keys that are None."""
    return _made("table", rows(count, listed(key, value)))


def one_of(at: Number, readers: Sequence[Reader]) -> Reader:
    """Return a reader of what the reader with this number reads."""
    return _made("one_of", number(at), [reader.data for reader in readers])


def with_items(rows: Reader, array: str) -> Reader:
    """Return a reader of lists, to each of which the item of an array with the list's number is added."""
    return _made("with_items", rows, array)


def when(condition: Reader, reader: Number, otherwise: Reader | None = None) -> Reader:
    """Return a reader of a field that only some entries have, or that others read in another way."""
    return _made("when", condition, number(reader), *([] if otherwise is None else [otherwise]))


# -- the entries of a log ----------------------------------------------------------------------------------------------


class Kind(NamedTuple):
    """The fields of the events that entries of one kind tell.

    Entries of a family follow one another. Of these, entries of a kind with equal `keys` are told as one event, and the
    readers of its fields are wrapped in `each`, `by` or `latest` if they read every entry and not the first one alone.
    """

    fields: Mapping[str, Reader]
    family: str = ""
    keys: tuple[str, ...] = ()


def each(reader: Reader) -> Reader:
    """Return a reader whose values are gathered in a list."""
    return _made("each", reader)


def by(key: Reader, value: Reader) -> Reader:
    """Return a reader whose values are gathered in an object."""
    return _made("by", key, value)


def latest(reader: Reader) -> Reader:
    """Return a reader of which the last value counts; it is None without any."""
    return _made("latest", reader)


class Telling:
    """How a log is told: the kind of an entry, and what each kind says."""

    def __init__(self, kind: Reader, kinds: Mapping[str, Kind]) -> None:
        """Tell entries whose kind `kind` reads by name."""
        self.kind, self.kinds = kind, kinds
        self._code: dict[np.dtype[Any], entry_code.Telling] = {}

    def events(self, entries: np.ndarray[Any, Any], names: Names) -> list[dict[str, Any]]:
        """Return the events that the entries tell, as JSON-able dicts."""
        code = self._code.get(entries.dtype)
        if code is None:
            code = self._code[entries.dtype] = entry_code.Telling(self.data, entries.dtype)
        return code.events(entries, names)

    @cached_property
    def data(self) -> dict[str, Any]:
        """The same as JSON-able data."""
        return {
            "kind": self.kind.data,
            "kinds": {
                name: {
                    "fields": {field: reader.data for field, reader in kind.fields.items()},
                    **({"family": kind.family, "keys": list(kind.keys)} if kind.family else {}),
                }
                for name, kind in self.kinds.items()
            },
        }
