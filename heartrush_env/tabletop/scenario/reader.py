"""The reader of a game's scenarios: fighters of several teams, settings, and a map; all faults are reported at once."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from os import PathLike
from typing import Any, Final

from heartrush_env.tabletop.errors import ScenarioError
from heartrush_env.tabletop.scenario.library import Library
from heartrush_env.tabletop.scenario.maps import check_map
from heartrush_env.tabletop.scenario.settings import Settings
from heartrush_env.tabletop.text import show
from heartrush_env.tabletop.validate import (
    Faults,
    Field,
    is_whole,
    join_or,
    list_of,
    read_table,
    table,
    text,
    unknown_name,
)  # fmt: skip

WORD: Final = Field(
    lambda value: isinstance(value, str) and bool(re.fullmatch(r"[a-z][a-z_]{0,39}", value)),
    "a word of letters a to z and _",
)
SQUARE: Final = Field(
    lambda value: isinstance(value, list | tuple) and len(value) == 2 and all(map(is_whole, value)),
    "a square as [x, y]",
    taken=tuple,
)
USUAL_ID: Final = "fighter"  # of a fighter whose table has neither `id` nor `from`


@dataclass(frozen=True)
class TableScenario:
    """A scenario as a game reads it."""

    name: str
    table: Mapping[str, Any]  # as it was read, without settings
    fighters: tuple[Mapping[str, Any], ...]  # by index, with all fields of a fighter and with its "agent"
    sides: tuple[str, ...]
    rules: Mapping[str, Any]  # all settings by name
    map: tuple[str, ...] | None  # rows from north to south


@dataclass(frozen=True)
class Ground:
    """The maps of a game: the largest size, what each glyph stands for, and the glyphs on which no fighter begins."""

    width: int
    height: int
    glyphs: Mapping[str, str]
    blocked: str
    fields: Mapping[str, Field] = field(default_factory=dict)  # of the battlefield, besides "map"


@dataclass(frozen=True)
class Reader:
    """A reader of the scenarios of a game."""

    library: Library  # its file fighters.toml holds the sample fighters that `from` names
    settings: Settings
    fields: Mapping[str, Field]  # of a scenario, besides name, fighter, rules and battlefield
    fighter: Mapping[str, Field]  # of a fighter, besides from, id, team and at
    usual: Mapping[str, Any]  # the defaults of fields that a fighter's table leaves out
    most: int  # fighters
    teams: int
    ground: Ground
    complete: Callable[[dict[str, Any], str], dict[str, Any]]  # (fighter, where): returns the completed fighter
    check: Callable[[TableScenario, str, Faults], None]  # adds the faults of what only this game has

    def read(self, given: str | PathLike[str] | Mapping[str, Any], rules: Mapping[str, Any]) -> TableScenario:
        """Return a scenario under the given settings, which override its own.

        Raises:
            ScenarioError: The scenario is invalid; the message lists every fault.
            RulesError: A setting is invalid.
        """
        content, where, _ = self.library.find(given)
        entries = Field(lambda value: isinstance(value, list), "a list of fighters")
        fields = {"name": text(), "fighter": entries, "rules": table(), "battlefield": table(), **self.fields}
        faults = Faults()
        found = read_table(content, fields, where, ScenarioError, faults=faults)
        faults.settle(where)
        settings = {**self.settings.defaults, **{key: found[key] for key in self.settings.by_name if key in found}}
        settings |= self.settings.read(found.get("rules", {}), f"{where}, rules", faults)
        settings |= self.settings.read(rules, "rules", faults)
        rows: tuple[str, ...] | None = None
        with faults.caught():
            rows = self._read_map(found.get("battlefield"), f"{where}, battlefield")
        fighters = self._read_fighters(found.get("fighter", []), where, faults)
        plain = {key: value for key, value in found.items() if key != "rules" and key not in self.settings.by_name}
        sides = tuple(dict.fromkeys(fighter["team"] for fighter in fighters))
        scenario = TableScenario(found.get("name", "custom"), plain, fighters, sides, settings, rows)
        teams = f"{where}: expected fighters of {self.teams} teams, got {join_or(sides, 'and')}."
        faults.unless(len(sides) == self.teams, teams)
        self._check_squares(scenario, where, faults)
        self.check(scenario, where, faults)
        faults.settle(where)
        return scenario

    def _read_map(self, given: Any, where: str) -> tuple[str, ...] | None:
        """Return the rows of a battlefield's map; None without a battlefield."""
        if given is None:
            return None
        rows = list_of(Field(lambda value: isinstance(value, str), "a row"), "a list of rows")
        found, faults = read_table(given, {"map": rows, **self.ground.fields}, where, ScenarioError), Faults()
        check_map(found.get("map", ()), self.ground.glyphs, self.ground.width, self.ground.height, where, faults)
        faults.settle(where)
        return tuple(found["map"])

    def _read_fighters(self, entries: list[Any], where: str, faults: Faults) -> tuple[Mapping[str, Any], ...]:
        """Return the fighters, each with the name of its agent, as in "ghoul_0" and "ghoul_1"."""
        fits = 2 <= len(entries) <= self.most
        faults.unless(fits, f"{where}: expected 2 to {self.most} fighters, got {len(entries)}.")
        faults.settle(where)
        read: list[dict[str, Any]] = []
        for k, entry in enumerate(entries):
            with faults.caught():
                read.append(self._read_fighter(entry, f"{where}, fighter {k + 1}"))
        faults.settle(where)
        ids = [fighter["id"] for fighter in read]
        agents = [f"{id.replace('_', '')}_{ids[:k].count(id)}" for k, id in enumerate(ids)]  # with one underscore
        return tuple({**fighter, "agent": agent} for fighter, agent in zip(read, agents, strict=True))

    def _read_fighter(self, given: Any, where: str) -> dict[str, Any]:
        """Return a fighter, with defaults for the fields that its table leaves out."""
        faults, samples = Faults(), self.library.table("fighters.toml")
        fields = {"from": WORD, "id": WORD, "team": WORD, "at": SQUARE, **self.fighter}
        own = read_table(given, fields, where, ScenarioError, faults=faults)
        base: Any = own.get("from")
        faults.unless(base in (None, *samples), f"{where}: {unknown_name('fighter', base, samples)}.")
        has_team = "team" in own or "team" in samples.get(base, {})
        faults.unless(has_team, f"{where}: expected a team, got a fighter without one.")
        faults.settle(where)
        usual = {"at": None, **self.usual, "id": USUAL_ID if base is None else base}
        return self.complete({**usual, **samples.get(base, {}), **own}, where)

    def _check_squares(self, scenario: TableScenario, where: str, faults: Faults) -> None:
        """Check that fighters are on open squares of the map, one on each."""
        taken: dict[tuple[int, int], str] = {}
        for fighter in scenario.fighters:
            at, rows = fighter["at"], scenario.map
            place = f"{where}: {fighter['agent']}: at: expected"
            with faults.caught():
                if (at is None) != (rows is None):
                    wanted = "a square, because there is a map" if at is None else "no square without a map"
                    raise ScenarioError(f"{place} {wanted}, got {show(at)}.")
                if rows is None:
                    continue
                x, y = at
                if not (0 <= x < len(rows[0]) and 0 <= y < len(rows)) or rows[y][x] in self.ground.blocked:
                    raise ScenarioError(f"{place} an open square of the map, got [{x}, {y}].")
                if at in taken:
                    raise ScenarioError(f"{place} a free square, got that of {taken[at]}.")
                taken[at] = fighter["agent"]


def whole_table(given: Any, fields: Mapping[str, Field], where: str) -> dict[str, Any]:
    """Read a table in which every field is required."""
    found = read_table(given, fields, where, ScenarioError)
    for key in fields:
        if key not in found:
            raise ScenarioError(f"{where}: expected {key}, got a table without it.")
    return found
