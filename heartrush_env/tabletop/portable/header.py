"""C headers: the memory of a scenario's fights as structures of the language, for hosts in C and what is like it.

A header is written from the description of a module (describing.py) and holds all that a host of one scenario needs, so
that it parses nothing. The engine's records are structures with the names of their fields.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from math import prod
from typing import Any, Final

from heartrush_env.tabletop.kernels import ROOM, WORD
from heartrush_env.tabletop.modules import ALIGNED

TYPES: Final = {
    "i1": "int8_t", "u1": "uint8_t", "b1": "bool", "i2": "int16_t", "u2": "uint16_t", "i4": "int32_t",
    "u4": "uint32_t", "i8": "int64_t", "u8": "uint64_t", "f4": "float", "f8": "double",
}  # fmt: skip
KEYWORDS: Final = (
    "auto", "bool", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum", "extern",
    "float", "for", "goto", "if", "inline", "int", "long", "register", "return", "short", "signed", "sizeof", "static",
    "struct", "switch", "typedef", "union", "unsigned", "void", "volatile", "while",
)  # fmt: skip
WIDTH: Final = 116  # characters of a line


def header_of(description: Mapping[str, Any], name: str, heap: int) -> str:
    """Return the header of a scenario.

    Args:
        description: The description of a module.
        name: The name of the scenario.
        heap: The first free address of the module's memory.
    """
    scenario, prefix = description["scenarios"][name], identifier(name)
    plan = _Plan(description["records"], scenario["arguments"], prefix, -(-heap // ALIGNED) * ALIGNED)
    return "\n".join([
        f"/* The scenario {name} of {scenario['game']}, as `heartrush machine wasm` writes it.",
        f"   One fight is a struct {prefix} at the address {prefix.upper()}_ADDRESS of the module's memory. */",
        "#pragma once",
        "#include <stdbool.h>",
        "#include <stdint.h>",
        "",
        "/* With the first text, the engine.wasm ends for which this header was written. */",
        f'#define {prefix.upper()}_MODULE "{description["module"]}"',
        f'#define {prefix.upper()}_KERNEL "{scenario["kernel"]}"',
        *plan.lines(),
        *_lists(description, scenario, prefix),
        "",
    ])  # fmt: skip


class _Plan:
    """The memory of one fight: the words of a call, arrays with a content, and arrays that are all zero at first."""

    def __init__(
        self, records: Mapping[str, Any], arguments: Sequence[Mapping[str, Any]], prefix: str, at: int
    ) -> None:
        self.records, self.prefix, self.at = records, prefix, at
        self.arguments = arguments
        self.arrays = sorted((each for each in arguments if "shape" in each), key=lambda each: "content" not in each)
        self.count = ROOM + sum(1 + len(each.get("shape", ())) for each in arguments)

    def lines(self) -> Iterator[str]:
        """Yield the structures, the places of numbers among the words, and what the memory holds at first."""
        done: set[str] = set()
        for array in self.arrays:
            yield from self._structure(array["type"], done)
        members, places, image = [f"  int64_t words[{self.count}];"], {}, b""
        end = self.count * WORD
        for array in self.arrays:
            count = array.get("room", prod(array["shape"]))
            place = -(-end // ALIGNED) * ALIGNED
            places[array["name"]], end = self.at + place, place + count * self._size(array["type"])
            if count:
                members.append(f"  _Alignas({ALIGNED}) {self._declared(array['type'], array['name'], [count])};")
            if "content" in array:
                image = image.ljust(place, b"\0") + zlib.decompress(base64.b64decode(array["content"]))
        words, numbers = [0] * ROOM, {"address": self.at}
        for argument in self.arguments:
            name = argument["name"]
            if "shape" not in argument:
                numbers[name] = len(words)
                words.append(argument["value"])
            else:
                if "room" in argument:
                    numbers[f"{name}_given"] = len(words) + 1
                words += [places[name], *argument["shape"]]
        upper = self.prefix.upper()
        yield from (f"struct {self.prefix} {{", *members, "};", "")
        yield "enum { /* the address, and the places of numbers among the words */"
        yield from _wrapped(f"{upper}_{name.upper()} = {value}" for name, value in numbers.items())
        yield from ("};", f"enum {{ {upper}_STEP, {upper}_START, {upper}_SHOW }}; /* what is done */")
        content = b"".join(word.to_bytes(WORD, "little", signed=True) for word in words) + image[self.count * WORD :]
        yield "/* What the memory holds at first, as runs: how often a byte comes, and the byte. The rest is zero. */"
        yield f"static const struct {{ uint32_t count; uint8_t byte; }} {self.prefix}_memory[] = {{"
        yield from _wrapped(f"{{{len(list(run))}, {byte}}}" for byte, run in groupby(content.rstrip(b"\0")))
        yield "};"

    def _structure(self, kind: str, done: set[str]) -> Iterator[str]:
        """Yield the structure of a record type, after those of its fields."""
        if kind in TYPES or kind in done:
            return
        done.add(kind)
        fields, size, lines, end = self.records[kind]["fields"], self.records[kind]["size"], [], 0
        for field, (inner, offset, *shapes) in fields.items():
            yield from self._structure(inner, done)
            shape = shapes[0] if shapes else []
            if offset > end:
                lines.append(f"  uint8_t gap_{end}[{offset - end}];")
            lines.append(f"  {self._declared(inner, field, shape)};")
            end = offset + prod(shape) * self._size(inner)
        if size > end:
            lines.append(f"  uint8_t gap_{end}[{size - end}];")
        name = f"struct {self.prefix}_{identifier(kind)}"
        yield from (f"{name} {{", *lines, "};", f'_Static_assert(sizeof({name}) == {size}, "{kind}");', "")

    def _declared(self, kind: str, name: str, shape: Sequence[int]) -> str:
        """Return the declaration of a field or an array."""
        of = TYPES.get(kind) or f"struct {self.prefix}_{identifier(kind)}"
        return f"{of} {identifier(name)}{''.join(f'[{length}]' for length in shape)}"

    def _size(self, kind: str) -> int:
        """Return the bytes of one item."""
        return int(self.records[kind]["size"]) if kind in self.records else int(kind[1:])


def _lists(description: Mapping[str, Any], scenario: Mapping[str, Any], prefix: str) -> Iterator[str]:
    """Yield the names of agents, actions, features and kinds of events, with their numbers as constants."""
    tables, kinds = description["tables"], _words(description["events"][scenario["game"]]["kind"])
    lists = {"agents": scenario["agents"], "actions": tables[scenario["actions"]], "events": kinds}
    for noun, names in {**lists, "features": tables[scenario["features"]]}.items():
        yield f"enum {{ {prefix.upper()}_{noun.upper()} = {len(names)} }};"
        yield f"static const char *const {prefix}_{noun}[] = {{"
        yield from _wrapped(json.dumps(name) for name in names)
        yield "};"


def _words(kind: Any) -> Sequence[str]:
    """Return the names by which a reader (tabletop/entries.py) chooses the kind of an event by a number."""
    if not isinstance(kind, list):
        return []
    return kind[2] if kind[0] == "word" else next(filter(None, map(_words, kind[1:])), [])


def _wrapped(items: Iterable[str]) -> Iterator[str]:
    """Yield lines of items with commas between them."""
    line = " "
    for item in items:
        if len(line) + len(item) > WIDTH:
            yield line
            line = " "
        line += f" {item},"
    yield line


def identifier(name: str) -> str:
    """Return a name as C writes it."""
    found = re.sub(r"\W", "_", name)
    return f"{found}_" if found in KEYWORDS or found[:1].isdigit() else found
