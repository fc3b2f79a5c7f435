"""A game made of a layout, a table of actions and rules, from which everything else is derived here.

A game's class inherits from TableGame and defines the members that are listed at the top of TableGame. Its module opens
tables by the class method `open_table`. Its words and its views are derived.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from os import PathLike
from typing import Any, NamedTuple, Self

import numpy as np

from heartrush_env.tabletop.batch.faults import Limits, limits_of_fights
from heartrush_env.tabletop.batch.fights import MOST_TEAMS, Fights, Kernels, Rules, kernels_of
from heartrush_env.tabletop.batch.rewards import REWARDS
from heartrush_env.tabletop.choosing import ActionTable, Choice, Window, action_table
from heartrush_env.tabletop.entries import Names, Telling
from heartrush_env.tabletop.errors import HeartRushError, RulesError
from heartrush_env.tabletop.events import LOG
from heartrush_env.tabletop.game import Board, Bounds, FloatArray
from heartrush_env.tabletop.layout import Layout, Seen
from heartrush_env.tabletop.scenario.reader import TableScenario
from heartrush_env.tabletop.scenario.settings import Settings
from heartrush_env.tabletop.table_faces import TableViews, TableWords
from heartrush_env.tabletop.tables import Feature
from heartrush_env.tabletop.text import show, spaced
from heartrush_env.tabletop.validate import Field, is_whole, join_or, read_table, table
from heartrush_env.tabletop.views import Views
from heartrush_env.tabletop.words import Words

SEATS_BY = ("fighter", "team")  # the values of the option `control`
CYCLES = 2**31 - 1  # the largest max_cycles
VECTORS = "vector"  # the one kind of observations


class Places(NamedTuple):
    """A shape: the number of places for enemies and for allies in a view. Games of one shape have equal spaces."""

    name: str
    enemies: int
    allies: int


class TableGame:
    """One scenario of a game under fixed options; implements tabletop.game.Game.

    Args:
        scenario: The name of a shipped scenario, the path of a TOML file, or a dict with the keys of such a file.
        settings: Settings of the rules that override the scenario's own.
        control: "fighter", or "team" for one agent per side, which decides for the side's fighters one after another.
        shape: The name of a shape; by default the smallest that fits. On a map, "_map" is added to its name.
        reward: "win", "hp_margin" or "hp_change".
        max_cycles: Steps after which a fight is truncated; None for never.
    """

    # The members that the game's own class defines.
    rules_of_play: Rules
    seen: Seen
    windows: Sequence[Window]
    choices: Sequence[Choice]
    kinds: tuple[np.dtype[Any], np.dtype[Any]]  # the record types of fights without and with a map
    shapes: Sequence[Places]  # the smallest first
    settings: Settings
    statuses: tuple[str, ...]  # of a fighter; the first is "able"

    @staticmethod
    def load(given: str | PathLike[str] | Mapping[str, Any], settings: Mapping[str, Any], /) -> TableScenario:
        """Read a scenario under the given settings, which override its own."""
        raise NotImplementedError

    @staticmethod
    def fill(fight: Any, scenario: TableScenario, /) -> None:
        """Write a scenario into the record from which every fight starts."""
        raise NotImplementedError

    def facts(self, fight: Any) -> dict[str, Any]:
        """Return those public facts of a fight that other games do not have; all values are JSON-able."""
        return {}

    def facts_of(self, fighter: Any) -> dict[str, Any]:
        """Return those public facts of a fighter that other games do not have; all values are JSON-able."""
        return {}

    def detail(self, choice: str, detail: str, view: Mapping[str, Any]) -> str:
        """Return the words for a choice's detail in a menu of the seat whose view this is."""
        return detail

    @property
    def name(self) -> str:
        """The name of the game."""
        return self.rules_of_play.name

    def text_picture(self, view: Mapping[str, Any]) -> str:
        """Return a fight as lines of text, from its public facts."""
        raise NotImplementedError

    # -- the scenario and the options ----------------------------------------------------------------------------------

    def __init__(
        self,
        scenario: str | PathLike[str] | Mapping[str, Any] = "duel",
        settings: Mapping[str, Any] | None = None,
        control: str = "fighter",
        shape: str | None = None,
        reward: str = "win",
        max_cycles: int | None = None,
    ) -> None:
        self.control, self.reward, self.max_cycles = control, reward, max_cycles
        self.scenario = self.load(scenario, settings or {})
        self.scenario_name, self.rules = self.scenario.name, self.scenario.rules
        self.fighters = tuple(fighter["agent"] for fighter in self.scenario.fighters)  # by index
        self.sides = self.scenario.sides
        self.team_of = tuple(self.sides.index(fighter["team"]) for fighter in self.scenario.fighters)
        self.check_options()
        self.shape = self._choose_shape(shape)

    @classmethod
    def open_table(cls, given: Mapping[str, Any], where: str) -> Self:
        """Return the game of a table; error messages start with `where`, unless it is empty."""
        found = read_table(given, _TABLE, where or "game", HeartRushError)
        if "scenario" not in found:
            raise HeartRushError(
                f"{where or 'game'}: scenario is missing; expected the name, file or table of a scenario."
            )
        options = {key: value for key, value in found.items() if key not in ("game", "rules")}
        try:
            return cls(settings=found.get("rules", {}), **options)
        except HeartRushError as fault:
            if not where:
                raise
            raise HeartRushError(f"{where}: {fault}") from None

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the game as its table: its choices and kernels are made of functions that cannot be pickled."""
        return self.open_table, (self.as_table(), "")

    def as_table(self) -> dict[str, Any]:
        """Return the game as a JSON-able table, from which `open_game` makes it again."""
        return {
            "game": self.name,
            "scenario": _plain({**self.scenario.table, "name": self.scenario_name}),
            "rules": {key: value for key, value in self.rules.items() if value != self.settings.defaults[key]},
            "control": self.control,
            "reward": self.reward,
            "max_cycles": self.max_cycles,
            "shape": self.shape.name.removesuffix("_map"),
        }

    def __eq__(self, other: object) -> bool:
        """Return whether another game has the same scenario and options."""
        return type(other) is type(self) and other.as_table() == self.as_table()

    def __hash__(self) -> int:
        """Return a hash; equal games have equal hashes."""
        return hash(self.digest)

    def _choose_shape(self, name: str | None) -> Places:
        """Return the smallest shape that fits the scenario, or the named one."""
        largest = max(self.team_of.count(side) for side in range(len(self.sides)))
        others = len(self.fighters) - min(self.team_of.count(side) for side in range(len(self.sides)))
        fitting = [shape for shape in self.shapes if shape.enemies >= others and shape.allies >= largest - 1]
        chosen = fitting[0] if name is None else next((shape for shape in fitting if shape.name == name), None)
        if chosen is None:
            raise RulesError(f"shape: expected {join_or(shape.name for shape in fitting)}, got {show(name)}.")
        return chosen if self.scenario.map is None else chosen._replace(name=f"{chosen.name}_map")

    def check_options(self) -> None:
        """Raise RulesError if an option has a value that is not allowed."""
        for option, allowed in (("control", SEATS_BY), ("reward", REWARDS)):
            if getattr(self, option) not in allowed:
                raise RulesError(f"{option}: expected {join_or(allowed)}, got {show(getattr(self, option))}.")
        cycles = self.max_cycles
        if cycles is not None and not (is_whole(cycles) and 1 <= cycles <= CYCLES):
            raise RulesError(f"max_cycles: expected None or a whole number from 1 to {CYCLES}, got {show(cycles)}.")

    # -- seats and names -----------------------------------------------------------------------------------------------

    @property
    def agents(self) -> tuple[str, ...]:
        """The seats: fighters, or sides under control by team."""
        return tuple(f"{side}_0" for side in self.sides) if self.control == "team" else self.fighters

    @property
    def teams(self) -> tuple[str, ...]:
        """The side of each seat."""
        return self.sides if self.control == "team" else tuple(self.sides[side] for side in self.team_of)

    @cached_property
    def table(self) -> ActionTable:
        """The table of actions."""
        assert self.kind.names is not None
        return action_table(self.choices, self.shape.enemies, self.shape.allies, self.kind.names)

    @property
    def action_names(self) -> tuple[str, ...]:
        """A stable name for each action."""
        return self.table.names

    @cached_property
    def layout(self) -> Layout:
        """The layout of the observations."""
        return Layout(self.seen, self.shape.enemies, self.shape.allies)

    @cached_property
    def feature_names(self) -> tuple[str, ...]:
        """A stable name for each feature."""
        return tuple(feature.name for feature in self.layout.features)

    @property
    def kind(self) -> np.dtype[Any]:
        """The record type of a fight."""
        return self.kinds[self.scenario.map is not None]

    @cached_property
    def limits(self) -> Limits:
        """The limits of the fields of a fight that change."""
        endings = self.rules_of_play.events.units["end"].columns["cause"].words
        return limits_of_fights(self.kind, len(self.windows), len(endings), self.choices)

    # -- spaces --------------------------------------------------------------------------------------------------------

    @property
    def observation_kinds(self) -> tuple[str, ...]:
        """The kinds of observations."""
        return (VECTORS,)

    @cached_property
    def observation_low(self) -> FloatArray:
        """The lowest value of each feature."""
        return _bounds(self.layout.features)[0]

    @cached_property
    def observation_high(self) -> FloatArray:
        """The highest value of each feature."""
        return _bounds(self.layout.features)[1]

    def observed(self, observations: str) -> Mapping[str, Bounds]:
        """Return the bounds of the arrays of an observation."""
        _check_kind(observations)
        return {"observation": Bounds(self.observation_low, self.observation_high)}

    @cached_property
    def state_low(self) -> FloatArray:
        """The minimum of each element of the state array."""
        return _bounds(self.layout.state)[0]

    @cached_property
    def state_high(self) -> FloatArray:
        """The maximum of each element of the state array."""
        return _bounds(self.layout.state)[1]

    # -- identity ------------------------------------------------------------------------------------------------------

    @property
    def options(self) -> dict[str, Any]:
        """The options that fix how the scenario is played and seen."""
        return {
            "decisions": "full",
            "control": self.control,
            "shape": self.shape.name,
            "memory": None,
            "reward": self.reward,
            "max_cycles": self.max_cycles,
        }

    @cached_property
    def scenario_digest(self) -> str:
        """A digest of the scenario with its settings, but without its name."""
        table = self.as_table()
        return _digest([{**table["scenario"], "name": ""}, dict(self.rules)])

    @cached_property
    def digest(self) -> str:
        """A digest of the scenario and of every option that changes how it plays."""
        return _digest([self.name, self.scenario_digest, self.control, self.shape.name, self.max_cycles])

    # -- batches and pictures ------------------------------------------------------------------------------------------

    @property
    def kernels(self) -> Kernels:
        """The kernels, which all games with these rules share."""
        return _kernels(self.rules_of_play)

    def batch(self, num_fights: int = 1, *, record: bool = False, observations: str = VECTORS) -> Fights:
        """Allocate room for a number of fights."""
        _check_kind(observations)
        return Fights(self, num_fights, record)

    def new_template(self, record: bool) -> Any:
        """Return the record from which every fight starts, as an array of one."""
        fights = np.zeros(1, self.kind)
        fight = fights[0]
        fight.n, fight.n_teams = len(self.fighters), len(self.sides)
        assert fight.n_teams <= MOST_TEAMS
        fight.recording, fight.team_control = record, self.control == "team"
        fight.winner = fight.one = -1
        for i, team in enumerate(self.team_of):
            fighter = fight.fighters[i]
            enemies, allies = self._places(i)
            fighter.team, fighter.enemy_count, fighter.ally_count = team, len(enemies), len(allies)
            fighter.enemies[: len(enemies)], fighter.allies[: len(allies)] = enemies, allies
        self.rules_of_play.machine.begin(fight)
        self.fill(fight, self.scenario)
        return fights

    @property
    def out_causes(self) -> tuple[str, ...]:
        """The reasons why a fighter is out; the first, "", is for a fighter that is not out."""
        return ("", *self.statuses[1:])

    def describe(self, fight: Any) -> dict[str, Any]:
        """Return the public facts of a fight as JSON-able data."""
        rows = self.scenario.map
        shown = [
            {
                "fighter": name,
                "side": self.sides[fighter.team],
                "hp": int(fighter.hp),
                "hp_max": int(fighter.hp_max),
                "status": self.statuses[fighter.status],
                **self.facts_of(fighter),
                **({"at": [int(fighter.x), int(fighter.y)]} if rows else {}),
            }
            for name, fighter in zip(self.fighters, fight.fighters, strict=False)
        ]
        return {
            "round": int(fight.round_number),
            "window": self.windows[fight.window].name,
            "side": self.sides[fight.side],
            "fighters": shown,
            **self.facts(fight),
            **({"map": list(rows)} if rows else {}),
        }

    def new_board(self) -> Board:
        """Raise HeartRushError: the game is drawn as text alone."""
        raise HeartRushError(f"{self.name}: expected render_mode 'ansi', because the game is drawn as text alone.")

    def bytes_per_fight(self, observations: str = VECTORS, record: bool = False) -> int:
        """Return the memory of one fight of a batch in bytes, kept events included."""
        _check_kind(observations)
        seats, seen = len(self.agents), len(self.action_names) + 4 * len(self.feature_names)
        events = LOG.itemsize if record else 0
        return int(self.kind.itemsize + events + 2 * seats * seen + 16 * seats + 11)

    # -- faces ---------------------------------------------------------------------------------------------------------

    @property
    def telling(self) -> Telling:
        """How the log of a step is told."""
        return self.rules_of_play.events.telling

    @property
    def event_names(self) -> Names:
        """The names that events use, by number."""
        return {"fighters": self.fighters, "teams": self.sides}

    @property
    def words(self) -> Words:
        """The words for the game's events and choices."""
        return TableWords(self, self.rules_of_play.events, self.table, self.places, self.fighter_names, self.detail)

    @cached_property
    def fighter_names(self) -> Mapping[str, str]:
        """The display name of each fighter, such as "Hedge Mage", or "Brigand 2" for the second of several."""
        alike = Counter(fighter["id"] for fighter in self.scenario.fighters)
        number: Counter[str] = Counter()
        names: dict[str, str] = {}
        for fighter in self.scenario.fighters:
            id = fighter["id"]
            number[id] += 1
            names[fighter["agent"]] = spaced(id).title() + (f" {number[id]}" if alike[id] > 1 else "")
        return names

    @property
    def views(self) -> Views:
        """The views of the game's layout."""
        return TableViews(self, self.layout)

    def places(self, seat: str) -> tuple[list[str], list[str]]:
        """Return the names of a seat's enemies and of its allies, in the order in which actions number them.

        The fighters of a team have the same enemies, but not the same allies, so a team's seat has no names of allies.
        """
        number, by_team = self.agents.index(seat), self.control == "team"
        enemies, allies = self._places(self.team_of.index(number) if by_team else number)
        return [self.fighters[i] for i in enemies], [] if by_team else [self.fighters[i] for i in allies]

    def _places(self, fighter: int) -> tuple[list[int], list[int]]:
        """Return the indices of a fighter's enemies and of its allies, in the order in which actions number them."""
        team = self.team_of[fighter]
        enemies = [i for i, other in enumerate(self.team_of) if other != team]
        return enemies, [i for i, other in enumerate(self.team_of) if other == team and i != fighter]


_WORD = Field(lambda value: value is None or isinstance(value, str), "a word")
_TABLE = {
    "game": _WORD,
    "scenario": Field(lambda value: isinstance(value, str | Mapping), "a scenario's name or table"),
    "rules": table(),
    "control": _WORD,
    "shape": _WORD,
    "reward": _WORD,
    "max_cycles": Field(lambda value: value is None or isinstance(value, int), "a whole number or null"),
}


def _plain(value: Any) -> Any:
    """Return a table with lists in place of tuples."""
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value


@cache
def _kernels(rules: Rules) -> Kernels:
    return kernels_of(rules)


def _check_kind(observations: str) -> None:
    if observations != VECTORS:
        raise RulesError(f"observations: expected {VECTORS!r}, got {show(observations)}.")


def _bounds(features: Sequence[Feature]) -> tuple[FloatArray, FloatArray]:
    """Return the lowest and the highest value of each feature."""
    low = np.array([feature.low for feature in features], np.float32)
    return low, np.array([feature.high for feature in features], np.float32)


def _digest(facts: Any) -> str:
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:32]
