"""The settings of a game's rules, by which a group of players chooses among readings of the rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from heartrush_env.tabletop import records
from heartrush_env.tabletop.errors import RulesError
from heartrush_env.tabletop.validate import Faults, Field, any_of, number, one_of, read_table, whole

PARTS: Final = 10_000  # of 1, in which records hold numbers that need not be whole


@dataclass(frozen=True)
class Setting:
    """A setting of the rules: its meaning and its values, which are words, the default first, or numbers."""

    meaning: str
    words: tuple[str, ...] = ()
    number: tuple[int, int, int] = (0, 0, 0)  # the default, the least and the most, if it has no words
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
        return whole(*self.number[1:]) if self.whole else number(*self.number[1:])

    def stored(self, value: Any) -> int:
        """Return the number that stands for a value in records."""
        if self.words:
            return self.words.index(value)
        return int(value) if self.whole else round(PARTS * value)


def words(meaning: str, *values: str) -> Setting:
    """Return a setting with these words as its values, the default first."""
    return Setting(meaning, values)


class Settings:
    """The settings of a game by name, and the only accepted value of each setting that is not implemented yet."""

    def __init__(self, by_name: Mapping[str, Setting], not_played: Mapping[str, str]) -> None:
        self.by_name = by_name
        self.defaults = {name: setting.usual for name, setting in by_name.items()}
        self._fields = {name: setting.field for name, setting in by_name.items()}
        self._fields |= {name: any_of(one_of((word,))) for name, word in not_played.items()}

    @property
    def record(self) -> Any:
        """The record type of the settings for compiled rules; a word is stored as its index in the setting's words."""
        return records.record([(name, "i2") for name in self.by_name])

    def fill(self, place: Any, rules: Mapping[str, Any]) -> None:
        """Write settings into a record."""
        for name, setting in self.by_name.items():
            place[name] = setting.stored(rules[name])

    def read(self, given: Mapping[str, Any], where: str, faults: Faults) -> dict[str, Any]:
        """Return the valid settings of a table, except those that are not implemented yet; add errors to `faults`."""
        found = read_table(given, self._fields, where, RulesError, "setting", faults)
        return {name: value for name, value in found.items() if name in self.by_name}
