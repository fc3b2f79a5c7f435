"""The code of readers (entries.py): functions in Python that read an entry of a log, written from the readers' data.

An entry is read either as a record, or, many times faster, from the bytes of a log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np

from heartrush_env.tabletop.units import Function, written

LEFT_OUT: Final = object()  # in place of the value of a field that an entry does not have
CAST: Final = {"|i1": "b", "|u1": "B", "|b1": "B", "<i2": "h", "<u2": "H", "<i4": "i", "<u4": "I", "<i8": "q"}
GATHERING: Final = ("each", "by", "latest")
Place = Callable[[list[str]], str]  # returns an expression for the number to which a path of fields and indices leads


def as_record(data: Any) -> Function:
    """Return the function of an entry, names and the number of a row that reads the value from a record."""
    code = _Code("entry, names, k", lambda path: f"int(entry{''.join(map(_item, path))})")
    return code.function("read", [f"return {code.of(data)}"])


def _item(part: str) -> str:
    return f"[{part if part == 'k' or part.isdecimal() else repr(part)}]"


class Telling:
    """Functions that tell the entries of a log of one record type: of what kind an entry is, and what it says."""

    def __init__(self, data: Mapping[str, Any], kind: np.dtype[Any]) -> None:
        """Write the functions; `data` is that of entries.Telling."""
        self._size, self._casts = kind.itemsize, sorted({CAST[leaf.str] for leaf in _leaves(kind)})
        self._code = _Code(f"at, names, {''.join(f'as_{cast}, ' for cast in self._casts)}k", _in_bytes(kind))
        self._kind = self._code.function("kind_of", [f"return {self._code.of(data['kind'])}"])
        self._kinds = {name: self._teller(name, **kind) for name, kind in data["kinds"].items()}

    def events(self, entries: np.ndarray[Any, Any], names: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Return the events that the entries tell."""
        told: list[dict[str, Any]] = []
        begun: dict[tuple[Any, ...], dict[str, Any]] = {}  # events that the next entry may continue
        before = ""
        content = memoryview(entries.tobytes())
        numbers = [names, *(content.cast(cast) for cast in self._casts), 0]  # type: ignore[call-overload]
        for at in range(0, len(content), self._size):
            name = self._kind(at, *numbers)
            tell, family, key_of = self._kinds[name]
            if not family:
                told.append(tell(None, at, *numbers))
            else:
                begun = begun if family == before else {}
                key = name, *key_of(at, *numbers)
                event = tell(begun.get(key), at, *numbers)
                if key not in begun:
                    begun[key] = event
                    told.append(event)
            before = family
        return told

    def _teller(
        self, name: str, fields: Mapping[str, Any], family: str = "", keys: Sequence[str] = ()
    ) -> tuple[Function, str, Function]:
        """Return the function that begins or continues an event of a kind, its family, and the reader of its keys."""
        begin = f"event = {{'type': {name!r}}}"
        lines = ["begins = event is None", "if begins:", f"    {begin}"] if family else [begin]
        for field, data in fields.items():
            how = data[0] if family and isinstance(data, list) and data[0] in GATHERING else ""
            at = f"event[{field!r}]"
            if how == "each":
                lines += [f"event.setdefault({field!r}, [])", *self._if_there(data[1], f"{at}.append(", ")")]
            elif how == "by":
                lines += [f"event.setdefault({field!r}, {{}})[{self._code.of(data[1])}] = {self._code.of(data[2])}"]
            elif how == "latest":
                lines += [f"event.setdefault({field!r})", *self._if_there(data[1], f"{at} = ")]
            else:
                own = self._if_there(data, f"{at} = ")
                lines += ["if begins:", *_indented(own)] if family else own
        found = "".join(f"{self._code.of(key)}, " for key in keys)
        tell = self._code.function(f"tell_{name}", [*lines, "return event"], "event, ")
        return tell, family, self._code.function(f"keys_of_{name}", [f"return ({found})"])

    def _if_there(self, data: Any, before: str, after: str = "") -> list[str]:
        """Return the lines of a statement about a value, which does nothing if the entry does not have the value."""
        if isinstance(data, list) and data[0] == "when":
            lines = [f"if {self._code.of(data[1])}:", *_indented(self._if_there(data[2], before, after))]
            return lines if len(data) == 3 else [*lines, "else:", *_indented(self._if_there(data[3], before, after))]
        return [f"{before}{self._code.of(data)}{after}"]


def _indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def _leaves(kind: np.dtype[Any]) -> Iterator[np.dtype[Any]]:
    """Yield the types of all numbers in a record type."""
    if kind.base.names is None:
        yield kind.base
    for name in kind.base.names or ():
        yield from _leaves(kind.base[name])


def _in_bytes(kind: np.dtype[Any]) -> Place:
    """Return the place of numbers in a log's bytes, in which the current entry begins at the byte `at`."""

    def place(path: list[str]) -> str:
        inside, offset, rows = kind, 0, ""
        for part in path:
            if inside.subdtype is not None:
                step = inside.base.itemsize
                if part == "k":
                    rows = f" + {step // _leaf(inside).itemsize} * k"
                else:
                    offset += step * int(part)
                inside = inside.base
            else:
                assert inside.fields is not None
                inside, more = inside.fields[part][:2]
                offset += more
        cast, size = CAST[inside.str], inside.itemsize
        return f"as_{cast}[at // {size} + {offset // size}{rows}]"

    return place


def _leaf(kind: np.dtype[Any]) -> np.dtype[Any]:
    return next(_leaves(kind))


class _Code:
    """A writer of expressions for what readers read; `k` is the number of the row in them."""

    def __init__(self, parameters: str, place: Place) -> None:
        """Write code for functions with these parameters."""
        self._parameters, self._place = parameters, place
        self._names: dict[str, Any] = {"LEFT_OUT": LEFT_OUT}

    def function(self, name: str, body: list[str], first: str = "") -> Function:
        """Return a function with further parameters before the others."""
        parameters = f"{first}{self._parameters}"
        return written(name, parameters, body, self._names, f"Read {name}.", lambda made: made, __name__)

    def of(self, data: Any) -> str:
        """Return the expression for what a reader reads."""
        if isinstance(data, str):
            return data if data == "k" else self._place(data.split("."))
        if not isinstance(data, list):
            return repr(data)
        expression: str = getattr(self, f"_{data[0]}")(*data[1:])
        return expression

    def _known(self, value: Any) -> str:
        """Return the name of a constant."""
        name = f"constant_{len(self._names)}"
        self._names[name] = value
        return name

    # -- by the names of readers ---------------------------------------------------------------------------------------

    def _constant(self, value: Any) -> str:
        return self._known(value)

    def _magnitude(self, number: Any) -> str:
        return f"abs({self.of(number)})"

    def _mirrored(self, number: Any) -> str:
        return f"max({self.of(number)}, ~{self.of(number)})"

    def _least(self, array: str, count: Any) -> str:
        return f"min({self._rows(count, f'{array}.k')})"

    def _most(self, array: str, count: Any) -> str:
        return f"max({self._rows(count, f'{array}.k')})"

    def _at_least(self, number: Any, value: int) -> str:
        return f"({self.of(number)} >= {value})"

    def _among(self, number: Any, values: list[int]) -> str:
        return f"({self.of(number)} in {self._known(frozenset(values))})"

    def _flag(self, number: Any) -> str:
        return f"({self.of(number)} != 0)"

    def _word(self, number: Any, words: list[Any], beyond: Any = None) -> str:
        found, known = self.of(number), self._known(dict(enumerate(words)))
        return (
            f"{known}.get({found})"
            if beyond is None
            else f"({known}[{found}] if {found} in {known} else {self.of(beyond)})"
        )

    def _words(self, number: Any, bits: list[str]) -> str:
        return f"[word for bit, word in enumerate({self._known(bits)}) if {self.of(number)} >> bit & 1]"

    def _name(self, number: Any, group: str) -> str:
        found = self.of(number)
        return f"(names[{group!r}][{found}] if {found} >= 0 else None)"

    def _name_in(self, group: str, which: Any, number: Any, first: int, length: int) -> str:
        return f"names[{group!r}][{self.of(which)}][({self.of(number)} - {first}) % {length}]"

    def _one_or_none(self, reader: Any) -> str:
        return f"[one for one in ({self.of(reader)},) if one is not None]"

    def _listed(self, *readers: Any) -> str:
        return f"[{', '.join(map(self.of, readers))}]"

    def _joined(self, *lists: Any) -> str:
        return f"[{', '.join(f'*{self.of(each)}' for each in lists)}]"

    def _rows(self, count: Any, row: Any) -> str:
        return f"[{self.of(row)} for k in range({self.of(count)})]"

    def _table(self, rows: Any) -> str:
        count, (key, value) = rows[1], rows[2][1:]
        return f"{{key: {self.of(value)} for k in range({self.of(count)}) if (key := {self.of(key)}) is not None}}"

    def _one_of(self, number: Any, readers: list[Any]) -> str:
        made = [self.function(f"one_of_{number}_{k}", [f"return {self.of(data)}"]) for k, data in enumerate(readers)]
        return f"{self._known(made)}[{self.of(number)}]({self._parameters})"

    def _with_items(self, rows: Any, array: str) -> str:
        return f"[[*row, {self.of(f'{array}.k')}] for k, row in enumerate({self.of(rows)})]"

    def _when(self, condition: Any, then: Any, *otherwise: Any) -> str:
        return f"({self.of(then)} if {self.of(condition)} else {self.of(otherwise[0]) if otherwise else 'LEFT_OUT'})"
