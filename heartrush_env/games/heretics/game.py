"""Heretics as a Game: a scenario under fixed options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from typing import Any

import numpy as np

from heartrush_env.games.heretics import SOURCES
from heartrush_env.games.heretics.board import Board
from heartrush_env.games.heretics.choices.unit import SHELF
from heartrush_env.games.heretics.events import EVENTS
from heartrush_env.games.heretics.features import SEEN
from heartrush_env.games.heretics.limits import LIMITS
from heartrush_env.games.heretics.round import DECIDING, MACHINE
from heartrush_env.games.heretics.rules.ending import out_cause, share_left
from heartrush_env.games.heretics.rules.the_round import prepare
from heartrush_env.games.heretics.scenario.load import load_scenario
from heartrush_env.games.heretics.scenario.sheets import Scenario
from heartrush_env.games.heretics.scenario.template import fill
from heartrush_env.games.heretics.settings import DEFAULTS
from heartrush_env.games.heretics.state import BARE_FIGHT, MAP_FIGHT
from heartrush_env.games.heretics.terms import MAX_FIGHTERS, OUT_CAUSES
from heartrush_env.games.heretics.view import describe, in_one_line, picture
from heartrush_env.tabletop.batch.fights import Rules
from heartrush_env.tabletop.errors import HeartRushError, RulesError
from heartrush_env.tabletop.layout import writers_of
from heartrush_env.tabletop.table_game import Places, TableGame
from heartrush_env.tabletop.text import show
from heartrush_env.tabletop.validate import Field, read_table, table

GAME = "heretics"
RULES = Rules(GAME, SOURCES, MACHINE, DECIDING, writers_of(SEEN), EVENTS, prepare, out_cause, share_left)
SHAPES = (Places("duel", 1, 0), Places("band", MAX_FIGHTERS - 1, MAX_FIGHTERS - 2))  # the smallest that fits is used


@dataclass(frozen=True)
class Heretics(TableGame):
    """One scenario of Heretics; implements tabletop.game.Game.

    Args:
        scenario: A shipped name, the path of a TOML file, or a dict of the same shape.
        settings: Settings of the rules that override the scenario's own.
        control: "fighter", or "team" for one agent that decides for its fighters one after another.
        shape: "duel" or "band"; by default the smallest that fits. On a map, "_map" is added to its name.
        reward: "win", "hp_margin" or "hp_change".
        max_cycles: Steps after which a fight is truncated; None for never.
    """

    name = GAME
    rules_of_play = RULES
    seen = SEEN
    choices = SHELF.units()
    limits = LIMITS
    out_causes = OUT_CAUSES
    new_board = Board
    text_picture = staticmethod(picture)

    scenario: Scenario
    control: str
    reward: str
    max_cycles: int | None
    shape: Places

    def __init__(
        self,
        scenario: str | PathLike[str] | Mapping[str, Any] = "duel",
        settings: Mapping[str, Any] | None = None,
        control: str = "fighter",
        shape: str | None = None,
        reward: str = "win",
        max_cycles: int | None = None,
    ) -> None:
        loaded = load_scenario(scenario, settings or {})
        vars(self).update(
            scenario=loaded,
            scenario_name=loaded.name,
            rules=loaded.rules,
            control=control,
            reward=reward,
            max_cycles=max_cycles,
            fighters=tuple(sheet.agent for sheet in loaded.fighters),
            sides=loaded.sides,
            team_of=tuple(loaded.sides.index(sheet.team) for sheet in loaded.fighters),
        )
        self.check_options()
        vars(self).update(shape=_choose_shape(loaded, shape))

    def __hash__(self) -> int:
        """Return a hash; equal games have equal ones."""
        return hash(self.digest)

    @property
    def kind(self) -> np.dtype[Any]:  # type: ignore[override]
        """The record type of a fight."""
        kind: np.dtype[Any] = BARE_FIGHT if self.scenario.battlefield is None else MAP_FIGHT
        return kind

    def as_table(self) -> dict[str, Any]:
        """Return the game as a JSON-able table, from which `open_game` makes it again."""
        chosen = {key: value for key, value in self.rules.items() if value != DEFAULTS[key]}
        return {
            "game": GAME,
            "scenario": _plain({**self.scenario.table, "name": self.scenario.name}),
            "rules": chosen,
            **{key: self.options[key] for key in ("control", "reward", "max_cycles")},
            "shape": self.shape.name.removesuffix("_map"),
        }

    def new_template(self, record: bool) -> Any:
        """Return the record from which every fight starts."""
        fights = self.begin_template(record)
        fill(fights[0], self.scenario)
        return fights

    def describe(self, fight: Any) -> dict[str, Any]:
        """Return the public facts of a fight."""
        return describe(fight, self.fighters, self.sides, self.scenario.battlefield)

    def text_of(self, fight: Any) -> str:
        """Return a fight in one line."""
        return in_one_line(fight, self.fighters)


def _choose_shape(scenario: Scenario, name: str | None) -> Places:
    """Return the smallest shape that fits the scenario, or the named one."""
    largest = max(sum(sheet.team == side for sheet in scenario.fighters) for side in scenario.sides)
    fitting = [shape for shape in SHAPES if shape.enemies >= largest and shape.allies >= largest - 1]
    chosen = fitting[0] if name is None else next((shape for shape in fitting if shape.name == name), None)
    if chosen is None:
        allowed = " or ".join(shape.name for shape in fitting)
        raise RulesError(f"shape: expected {allowed}, got {show(name)}.")
    return chosen if scenario.battlefield is None else chosen._replace(name=f"{chosen.name}_map")


def _plain(value: Any) -> Any:
    """Return a table with lists in place of tuples."""
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value


_WORD = Field(lambda value: value is None or isinstance(value, str), "a word")
_FIELDS = {
    "game": _WORD,
    "scenario": Field(lambda value: isinstance(value, str | Mapping), "a scenario's name or table"),
    "rules": table(),
    "control": _WORD,
    "shape": _WORD,
    "reward": _WORD,
    "max_cycles": Field(lambda value: value is None or isinstance(value, int), "a whole number or null"),
}


def open_table(given: Mapping[str, Any], where: str) -> Heretics:
    """Return the game of a table; error messages start with `where`."""
    found = read_table(given, _FIELDS, where, HeartRushError)
    if "scenario" not in found:
        raise HeartRushError(f"{where}: expected a scenario, got a table without one.")
    options = {key: value for key, value in found.items() if key not in ("game", "rules")}
    try:
        return Heretics(settings=found.get("rules", {}), **options)
    except HeartRushError as fault:
        raise HeartRushError(f"{where}: {fault}") from None
