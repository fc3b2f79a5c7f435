"""The settings of a game's rules, by which a group of players chooses among readings of the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from heartrush_env.tabletop import records
from heartrush_env.tabletop.errors import RulesError
from heartrush_env.tabletop.validate import Faults, Field, number, one_of, read_table, whole

PARTS: Final = 10_000  # of 1, in which records hold numbers that need not be whole


@dataclass(frozen=True)
class Setting:
    """A setting of the rules: its meaning and its values, which are words, the default first, or numbers."""

    meaning: str
    words: Sequence[str] = ()
    number: Sequence[int] = (0, 0, 0)  # the default, the least and the most, if it has no words
    whole: bool = True  # whether a number must be whole

    @property
    def usual(self) -> Any:
        """The default value."""
        return self.words[0] if self.words else self.number[0]

    @property
    def field(self) -> Field:
        """The description of the setting's allowed values in a table."""
        if self.words:
            return one_of(self.words)
        _, least, most = self.number
        return whole(least, most) if self.whole else number(least, most)

    def stored(self, value: Any) -> int:
        """Return the number that stands for a value in records."""
        if self.words:
            return self.words.index(value)
        return int(value) if self.whole else round(PARTS * value)


class Settings:
    """The settings of a game by name, as a table of a data file gives them: their meaning and their words or number."""

    def __init__(self, table: Mapping[str, Mapping[str, Any]]) -> None:
        self.by_name = {name: Setting(**columns) for name, columns in table.items()}
        self.defaults = {name: setting.usual for name, setting in self.by_name.items()}
        self._fields = {name: setting.field for name, setting in self.by_name.items()}

    @property
    def record(self) -> Any:
        """The record type of the settings for compiled rules; a word is stored as its index in the setting's words."""
        return records.record([(name, "i2") for name in self.by_name])

    def fill(self, place: Any, rules: Mapping[str, Any]) -> None:
        """Write settings into a record."""
        for name, setting in self.by_name.items():
            place[name] = setting.stored(rules[name])

    def read(self, given: Mapping[str, Any], where: str, faults: Faults) -> dict[str, Any]:
        """Return the valid settings of a table; add errors to `faults`."""
        return read_table(given, self._fields, where, RulesError, "setting", faults)
