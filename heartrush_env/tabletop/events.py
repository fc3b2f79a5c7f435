"""Events as units: a name, typed columns and a sentence.

An event is declared once. The compiled function that writes it, its form as a dict, its schema and its sentence are all
made from the declaration:

    tell_damage = EVENTS.event("damage", "{fighter} loses {amount}.", fighter=FIGHTER, amount=NUMBER)
    tell_damage(fight, log, i, amount)              # in compiled code
    EVENTS.telling.events(log.events[: log.count], {"fighters": fighters, "teams": teams})
                                                    # [{"type": "damage", "fighter": "knight_0", "amount": 3}]
    EVENTS.sentence({"type": "damage", ...})        # "knight_0 loses 3."
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

import numpy as np

from heartrush_env.tabletop.entries import Kind, Reader, Telling, flag, name, number, one_or_none, word, words
from heartrush_env.tabletop.records import record
from heartrush_env.tabletop.rule import inlined
from heartrush_env.tabletop.text import spaced
from heartrush_env.tabletop.units import Function, written

COLUMNS: Final = 8  # the most columns of an event
LOG_ROOM: Final = 512  # the most events of one step that a log keeps
ENTRY = record([("kind", "i1"), ("numbers", "i2", (COLUMNS,))])
LOG = record([("count", "i2"), ("events", ENTRY, (LOG_ROOM,))])


@dataclass(frozen=True)
class Column:
    """The kind of value that a column holds."""

    kind: str  # number, flag, fighter, team, teams, word, words
    words: tuple[str, ...] = ()
    said: Mapping[str, str] = field(default_factory=dict)  # what sentences say for some of the words, and for "none"

    def reader(self, at: str) -> Reader:
        """Return the reader of the value that a number in the log stands for."""
        if self.kind in ("number", "flag"):
            return flag(at) if self.kind == "flag" else number(at)
        if self.kind == "teams":  # one team, or none
            return one_or_none(name(at, "teams"))
        if self.kind == "words":
            return words(at, self.words)
        return name(at, f"{self.kind}s") if self.kind in ("fighter", "team") else word(at, self.words)

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema of the column's values."""
        plain = {"number": {"type": "integer"}, "flag": {"type": "boolean"}}
        if self.kind in plain:
            return plain[self.kind]
        one = {"enum": list(self.words)} if self.words else {"type": "string"}
        if self.kind in ("teams", "words"):
            return {"type": "array", "items": one}
        return {"anyOf": [one, {"type": "null"}]}


NUMBER, FLAG, FIGHTER, TEAM, TEAMS = map(Column, ("number", "flag", "fighter", "team", "teams"))


def word_of(words: Sequence[str], said: Mapping[str, str] | None = None) -> Column:
    """Return a column that holds one of these words as its index; -1 means none of them.

    Templates say what `said` has for a word, in which other columns may stand, or for "none"; else the word itself.
    """
    return Column("word", tuple(words), said or {})


def words_of(words: Sequence[str]) -> Column:
    """Return a column that holds a set of these words, with one bit for each word."""
    return Column("words", tuple(words))


@dataclass(frozen=True)
class EventUnit:
    """A declared event."""

    name: str
    columns: Mapping[str, Column]
    sentence: str | Callable[[Mapping[str, Any]], str]  # a template with the names of columns, or a function

    @cached_property
    def told(self) -> Kind:
        """The fields of the event that an entry of the log tells."""
        return Kind({name: column.reader(f"numbers.{k}") for k, (name, column) in enumerate(self.columns.items())})

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema of the event's dicts."""
        columns = {name: column.schema() for name, column in self.columns.items()}
        return {
            "type": "object",
            "properties": {"type": {"const": self.name}, **columns},
            "required": ["type", *columns],
            "additionalProperties": False,
        }


class Events:
    """The events of a game, in the order of their declarations."""

    def __init__(self) -> None:
        self.units: dict[str, EventUnit] = {}

    def event(self, name: str, sentence: str | Callable[[Mapping[str, Any]], str], /, **columns: Column) -> Function:
        """Define an event; return the compiled function `tell(fight, log, *columns)` that writes it.

        Raises:
            ImportError: There are two events of this name, or too many columns.
        """
        if name in self.units or len(columns) > COLUMNS:
            raise ImportError(f"event {name!r}: expected a new name and at most {COLUMNS} columns, got {len(columns)}.")
        code = len(self.units)
        self.units[name] = EventUnit(name, columns, sentence)
        self.__dict__.pop("telling", None)  # it lacks the new event
        body = [
            "if fight.recording and log.count < LOG_ROOM:",
            "    entry = log.events[log.count]",
            f"    entry.kind = {code}",
            *(f"    entry.numbers[{k}] = {column}" for k, column in enumerate(columns)),
            "    log.count += 1",
        ]
        names = {"LOG_ROOM": LOG_ROOM}
        parameters = ", ".join(("fight", "log", *columns))
        return written(f"tell_{name}", parameters, body, names, f"Note the event {name}.", inlined)

    @cached_property
    def telling(self) -> Telling:
        """How a log is told."""
        return Telling(word("kind", tuple(self.units)), {name: unit.told for name, unit in self.units.items()})

    def sentence(self, event: Mapping[str, Any]) -> str:
        """Return the sentence that describes an event."""
        unit = self.units[event["type"]]
        if not isinstance(unit.sentence, str):
            return unit.sentence(event)
        said: dict[str, _Said] = {}
        said |= {name: _Said(event[name], column.said, said) for name, column in unit.columns.items()}
        return unit.sentence.format(**said)

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema of an event."""
        return {"oneOf": [unit.schema() for unit in self.units.values()]}


class _Said:
    """A value in a template: `{hit:hits|misses}` says "hits" if `hit` is 1, true or not empty, else "misses"."""

    def __init__(self, value: Any, said: Mapping[str, str], event: Mapping[str, _Said]) -> None:
        self.value, self.event = value, event
        self.phrase = said.get("none" if value is None else str(value))

    def __format__(self, spec: str) -> str:
        if "|" not in spec:
            return in_words(self.value) if self.phrase is None else self.phrase.format(**self.event)
        is_number = isinstance(self.value, int)
        return spec.split("|")[0 if (self.value == 1 if is_number else self.value) else 1]


def in_words(value: Any) -> str:
    """Return a value of an event as part of a sentence."""
    if isinstance(value, list):
        return " and ".join(map(in_words, value)) or "none"
    return "none" if value is None else spaced(str(value))


def new_log(number: int = 1) -> Any:
    """Return an array of `number` empty logs."""
    return np.zeros(number, LOG)
