"""Readers of records that are data: each reads a value from an entry of a log, in Python and in other languages.

The functions below make readers. A reader is called with an entry, the scenario's names and the number of a row. Its
`data` says in JSON what it does: the name of the function and its arguments (portable/events.mjs reads them).

A `Number` is a number itself, a reader of one, or the fields and indices that lead to one, joined by dots, as in
"pool.sides.0". The index "k" is the number of the row, and "k" alone is that number itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from heartrush_env.tabletop.records import plain

Names = Mapping[str, Sequence[Any]]  # what a scenario names by number, such as its fighters
Read = Callable[[Any, Names, int], Any]
LEFT_OUT: Final = object()  # in place of the value of a field that an entry does not have


class Reader(NamedTuple):
    """A way to read a value, or a condition, from an entry."""

    read: Read
    data: Any


Number = int | str | Reader


# -- numbers and conditions --------------------------------------------------------------------------------------------


def number(at: Number) -> Reader:
    """Return a reader of a number."""
    if isinstance(at, Reader):
        return at
    if isinstance(at, int):
        return constant(at)
    if at == "k":
        return Reader(lambda entry, names, k: k, at)
    first, *rest = [int(part) if part.isdecimal() else part for part in at.split(".")]
    if not rest:
        return Reader(lambda entry, names, k: int(entry[first]), at)

    def follow(entry: Any, names: Names, k: int) -> int:
        found = entry[first]
        for part in rest:
            found = found[k if part == "k" else part]
        return int(found)

    return Reader(follow, at)


def _made(name: str, read: Callable[..., Any], *given: Any) -> Reader:
    """Return a reader that calls `read` with the values of the readers among its arguments."""
    readers = [each for each in given if isinstance(each, Reader)]
    data = [name, *(each.data if isinstance(each, Reader) else each for each in given)]
    if len(readers) == 1:
        (only,) = readers
        return Reader(lambda *entry: read(only.read(*entry)), data)
    return Reader(lambda *entry: read(*(reader.read(*entry) for reader in readers)), data)


def magnitude(at: Number) -> Reader:
    """Return a reader of a number without its sign."""
    return _made("magnitude", abs, number(at))


def mirrored(at: Number) -> Reader:
    """Return a reader of a number, or of its complement if it is negative."""
    return _made("mirrored", lambda value: max(value, ~value), number(at))


def extreme(name: str, array: str, count: Number) -> Reader:
    """Return a reader of the "least" or "most" of the first `count` numbers of an array."""
    choose, part = {"least": min, "most": max}[name], _array(array)
    counted = number(count)
    return Reader(lambda *entry: choose(map(int, part(entry[0])[: counted.read(*entry)])), [name, array, counted.data])


def at_least(at: Number, value: int) -> Reader:
    """Return the condition that a number is at least a value."""
    return _made("at_least", lambda found: found >= value, number(at), value)


def among(at: Number, values: Iterable[int]) -> Reader:
    """Return the condition that a number is one of these values."""
    kept = sorted(values)
    return _made("among", lambda found: found in kept, number(at), kept)


# -- values ------------------------------------------------------------------------------------------------------------


def constant(value: Any) -> Reader:
    """Return a reader of one value, whatever the entry."""
    return Reader(lambda *entry: value, value if isinstance(value, int) else ["constant", value])


def flag(at: Number) -> Reader:
    """Return a reader of whether a number is not zero."""
    return _made("flag", bool, number(at))


def word(at: Number, words: Sequence[Any], beyond: Reader | None = None) -> Reader:
    """Return a reader of the word with this number; if there is none, it reads `beyond`, or None."""
    found, other, last = number(at), constant(None) if beyond is None else beyond, len(words)

    def read(entry: Any, names: Names, k: int) -> Any:
        value = found.read(entry, names, k)
        return words[value] if 0 <= value < last else other.read(entry, names, k)

    return Reader(read, ["word", found.data, list(words), *([] if beyond is None else [beyond.data])])


def words(at: Number, bits: Sequence[str]) -> Reader:
    """Return a reader of the words whose bits are set in a number."""
    return _made("words", lambda value: [each for k, each in enumerate(bits) if value >> k & 1], number(at), [*bits])


def name(at: Number, group: str) -> Reader:
    """Return a reader of the name with this number in a group of names; None for a negative number."""
    found = number(at)

    def read(entry: Any, names: Names, k: int) -> Any:
        value = found.read(entry, names, k)
        return names[group][value] if value >= 0 else None

    return Reader(read, ["name", found.data, group])


def name_in(group: str, which: Number, at: Number, first: int, length: int) -> Reader:
    """Return a reader of a name in list number `which` of a group, in which places count from `first` and repeat."""
    one, found = number(which), number(at)
    return Reader(
        lambda *entry: entry[1][group][one.read(*entry)][(found.read(*entry) - first) % length],
        ["name_in", group, one.data, found.data, first, length],
    )


def one_or_none(reader: Reader) -> Reader:
    """Return a reader of a list: of a value, or of nothing if the value is None."""
    return _made("one_or_none", lambda value: [] if value is None else [value], reader)


def listed(*readers: Reader | Number) -> Reader:
    """Return a reader of a list of values."""
    return _made("listed", lambda *values: list(values), *map(number, readers))


def joined(*lists: Reader) -> Reader:
    """Return a reader of the items of several lists in one."""
    return _made("joined", lambda *values: [item for value in values for item in value], *lists)


def rows(count: Number, row: Reader) -> Reader:
    """Return a reader of a list with a value for each row."""
    counted = number(count)
    return Reader(
        lambda entry, names, k: [row.read(entry, names, j) for j in range(counted.read(entry, names, k))],
        ["rows", counted.data, row.data],
    )


def table(count: Number, key: Reader, value: Number) -> Reader:
    """Return a reader of an object with a key and a value for each row, without keys that are None."""
    found = rows(count, listed(key, value))
    return _made("table", lambda pairs: {key: value for key, value in pairs if key is not None}, found)


def one_of(at: Number, readers: Sequence[Reader]) -> Reader:
    """Return a reader of what the reader with this number reads."""
    found = number(at)
    return Reader(
        lambda *entry: readers[found.read(*entry)].read(*entry),
        ["one_of", found.data, [reader.data for reader in readers]],
    )


def with_items(rows: Reader, array: str) -> Reader:
    """Return a reader of lists, to each of which the item of an array with the list's number is added."""
    part = _array(array)
    return Reader(
        lambda *entry: [[*row, int(item)] for row, item in zip(rows.read(*entry), part(entry[0]), strict=False)],
        ["with_items", rows.data, array],
    )


def when(condition: Reader, reader: Reader | Number, otherwise: Reader | None = None) -> Reader:
    """Return a reader of a field that only some entries have, or that others read in another way."""
    then = number(reader)

    def read(*entry: Any) -> Any:
        if condition.read(*entry):
            return then.read(*entry)
        return LEFT_OUT if otherwise is None else otherwise.read(*entry)

    return Reader(read, ["when", condition.data, then.data, *([] if otherwise is None else [otherwise.data])])


def _array(path: str) -> Callable[[Any], Any]:
    """Return a function that finds an array in an entry."""
    parts = path.split(".")

    def follow(entry: Any) -> Any:
        for part in parts:
            entry = entry[part]
        return entry

    return follow


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
    return Reader(reader.read, ["each", reader.data])


def by(key: Reader, value: Reader) -> Reader:
    """Return a reader whose values are gathered in an object."""
    return Reader(lambda *entry: (key.read(*entry), value.read(*entry)), ["by", key.data, value.data])


def latest(reader: Reader) -> Reader:
    """Return a reader of which the last value counts; it is None without any."""
    return Reader(reader.read, ["latest", reader.data])


class Telling(NamedTuple):
    """How a log is told: the kind of an entry, and what each kind says."""

    kind: Reader
    kinds: Mapping[str, Kind]

    def events(self, entries: Iterable[Any], names: Names) -> list[dict[str, Any]]:
        """Return the events that the entries tell, as JSON-able dicts."""
        told: list[dict[str, Any]] = []
        begun: dict[tuple[Any, ...], dict[str, Any]] = {}  # events that the next entry may continue
        family = ""
        for record in entries:
            entry = plain(record)
            name = self.kind.read(entry, names, 0)
            fields, own, keys = self.kinds[name]
            if own != family or not own:
                begun, family = {}, own
            key = (name, *(int(entry[column]) for column in keys))
            event = begun.get(key)
            first = event is None
            if event is None:
                event = begun[key] = {"type": name}
                told.append(event)
            for field, reader in fields.items():
                value = reader.read(entry, names, 0)
                how = reader.data[0] if own and isinstance(reader.data, list) else ""
                if how == "each":
                    event.setdefault(field, []).extend([] if value is LEFT_OUT else [value])
                elif how == "by":
                    event.setdefault(field, {}).update([value])
                elif how == "latest":
                    event[field] = event.get(field) if value is LEFT_OUT else value
                elif first and value is not LEFT_OUT:
                    event[field] = value
        return told

    @property
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
