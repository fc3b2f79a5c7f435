"""Heart Rush as a Game: a scenario under fixed options, which makes batches of fights."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from functools import cache, cached_property
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartrush_env.games.heart_rush.editions import edition_of
from heartrush_env.games.heart_rush.editions.edition import Edition
from heartrush_env.games.heart_rush.encoding.action_slots import ActionSlots, action_slots
from heartrush_env.games.heart_rush.encoding.actions import action_names
from heartrush_env.games.heart_rush.encoding.entities import Layout, layout_of
from heartrush_env.games.heart_rush.encoding.features import (
    feature_names,
    features,
    shows_memory,
    state_features,
    state_size,
    vector_size,
)
from heartrush_env.games.heart_rush.encoding.observation import OUT_CAUSES
from heartrush_env.games.heart_rush.encoding.shapes import Shape, choose_shape
from heartrush_env.games.heart_rush.engine.event_dicts import TELLING
from heartrush_env.games.heart_rush.engine.offers import CHOICES
from heartrush_env.games.heart_rush.engine.setup import new_fight_record
from heartrush_env.games.heart_rush.entity_fights import EntityFights
from heartrush_env.games.heart_rush.fights import Fights
from heartrush_env.games.heart_rush.kernel import ALL_REVEALS, OPTIONS
from heartrush_env.games.heart_rush.rules.terms import NOBODY
from heartrush_env.games.heart_rush.scenario.load import load_scenario
from heartrush_env.games.heart_rush.scenario.sheets import Scenario
from heartrush_env.games.heart_rush.state.log import LOG
from heartrush_env.games.heart_rush.state.record import REVEALS
from heartrush_env.games.heart_rush.tables import scenario_table
from heartrush_env.tabletop.batch.rewards import REWARDS
from heartrush_env.tabletop.entries import Names, Telling
from heartrush_env.tabletop.errors import HeartRushError, RulesError
from heartrush_env.tabletop.game import Board, Bounds, FloatArray, Game
from heartrush_env.tabletop.render import NEEDED
from heartrush_env.tabletop.tables import Block, Feature
from heartrush_env.tabletop.text import on_one_line, show
from heartrush_env.tabletop.validate import is_whole, join_or
from heartrush_env.tabletop.views import Views
from heartrush_env.tabletop.words import Words

GAME = "heart_rush"
DECISIONS = ("full", "stance")
CONTROLS = ("fighter", "team")
_BATCHES: dict[str, type[Fights]] = {"vector": Fights, "entities": EntityFights}
OBSERVATIONS = tuple(_BATCHES)
MOST_CYCLES = 2**31 - 1


@dataclass(frozen=True)
class HeartRush:
    """One scenario of Heart Rush under fixed options; implements tabletop.game.Game.

    Args:
        scenario: A shipped name, the path of a TOML file, a dict of the same shape, or a loaded Scenario.
        rules: Settings that override the scenario's own.
        decisions: "full", or "stance" to choose stances only, while the default policy decides everything else.
        control: "fighter", or "team" for one agent that decides for its fighters one after another.
        shape: "duel", "team" or "map"; by default the smallest that fits. All scenarios of a shape share their spaces.
        memory: Number of past reveals in an observation, 0 to 8; None for all eight and the counts of each stance.
        reward: "win", "hp_margin" or "hp_change"; each is zero-sum over the teams.
        max_cycles: Steps after which a fight is truncated; None for never.
    """

    scenario: Scenario
    decisions: str = "full"
    control: str = "fighter"
    shape: Shape = field(default_factory=lambda: choose_shape(None, 1, 0))
    memory: int | None = None
    reward: str = "win"
    max_cycles: int | None = None

    def __init__(
        self,
        scenario: str | PathLike[str] | Mapping[str, Any] | Scenario = "duel",
        rules: Mapping[str, Any] | None = None,
        decisions: str = "full",
        control: str = "fighter",
        shape: str | None = None,
        memory: int | None = None,
        reward: str = "win",
        max_cycles: int | None = None,
    ) -> None:
        given = Path(fspath(scenario)) if isinstance(scenario, PathLike) else scenario
        loaded = given if isinstance(given, Scenario) else load_scenario(given, rules or {})
        _check("decisions", decisions, DECISIONS)
        _check("control", control, CONTROLS)
        _check("reward", reward, REWARDS)
        _check("memory", memory, (None, *range(REVEALS + 1)))
        if max_cycles is not None and not (is_whole(max_cycles) and 1 <= max_cycles <= MOST_CYCLES):
            allowed = f"None or a whole number from 1 to {MOST_CYCLES}"
            raise RulesError(f"max_cycles: expected {allowed}, got {on_one_line(max_cycles)}.")
        teams = [sheet.team for sheet in loaded.fighters]
        most_allies = max(teams.count(team) for team in teams) - 1
        most_enemies = len(teams) - min(teams.count(team) for team in teams)
        values = {
            "scenario": loaded,
            "decisions": decisions,
            "control": control,
            "shape": choose_shape(
                shape, most_enemies, most_allies, loaded.battlefield is not None, loaded.has_abilities
            ),
            "memory": memory,
            "reward": reward,
            "max_cycles": max_cycles,
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @property
    def name(self) -> str:
        """The game's name."""
        return GAME

    @property
    def scenario_name(self) -> str:
        """The scenario's name."""
        return self.scenario.name

    @property
    def fighters(self) -> tuple[str, ...]:
        """The fighters by agent name, in agent order."""
        return tuple(sheet.agent for sheet in self.scenario.fighters)

    @property
    def agents(self) -> tuple[str, ...]:
        """The seats: fighters, or teams under team control."""
        if self.control == "team":
            return tuple(f"{team}_0" for team in self.scenario.teams)
        return self.fighters

    @property
    def teams(self) -> tuple[str, ...]:
        """The team of each seat."""
        if self.control == "team":
            return self.scenario.teams
        return tuple(sheet.team for sheet in self.scenario.fighters)

    @property
    def action_names(self) -> tuple[str, ...]:
        """The name of every action, in order."""
        return action_names(self.shape, self.edition.turns)

    @property
    def feature_names(self) -> tuple[str, ...]:
        """The name of every feature of an observation, in order."""
        return feature_names(self.shape, self.edition.turns)

    @property
    def out_causes(self) -> tuple[str, ...]:
        """The possible reasons for a seat to be out of the fight."""
        return OUT_CAUSES

    @property
    def observation_low(self) -> FloatArray:
        """The minimum of each feature."""
        return _bounds(features, self.shape, self.edition.turns)[0]

    @property
    def observation_high(self) -> FloatArray:
        """The maximum of each feature."""
        return _bounds(features, self.shape, self.edition.turns)[1]

    @property
    def entities(self) -> Layout:
        """The parts of an observation as entities, and the features of each."""
        return layout_of(self.shape, len(self.agents), self.edition.turns)

    @property
    def entity_names(self) -> dict[str, tuple[str, ...]]:
        """The features of each array of entities."""
        return {name: part.names for name, part in self.entities.parts.items()}

    @property
    def action_slots(self) -> ActionSlots:
        """The kind, the target and the square of each action, for policies that read entities."""
        return action_slots(self.shape, self.edition.turns)

    @property
    def observation_kinds(self) -> tuple[str, ...]:
        """The kinds of observations."""
        return OBSERVATIONS

    def observed(self, observations: str) -> dict[str, Bounds]:
        """Return the bounds of the arrays of this kind of observation, by name."""
        _check("observations", observations, OBSERVATIONS)
        if observations == "entities":
            return _entity_bounds(self.entities)
        return {"observation": Bounds(self.observation_low, self.observation_high)}

    @property
    def state_low(self) -> FloatArray:
        """The minimum of each element of the state array."""
        return _bounds(state_features, self.shape, self.edition.turns)[0]

    @property
    def state_high(self) -> FloatArray:
        """The maximum of each element of the state array."""
        return _bounds(state_features, self.shape, self.edition.turns)[1]

    @property
    def turns_in_state(self) -> int:
        """The index of the first feature of turns in the state."""
        return state_size(self.shape)

    @property
    def loadouts_in_state(self) -> int:
        """The index of the first feature of abilities in the state."""
        return state_size(self.shape, self.edition.turns)

    @property
    def options(self) -> dict[str, Any]:
        """The options by name, as JSON-able data; the shape is given by its name."""
        return {
            "decisions": self.decisions,
            "control": self.control,
            "shape": self.shape.name,
            "memory": self.memory,
            "reward": self.reward,
            "max_cycles": self.max_cycles,
        }

    @property
    def rules(self) -> dict[str, Any]:
        """The settings of the rules by name."""
        return asdict(self.scenario.settings)

    @property
    def edition(self) -> Edition:
        """The edition of the rules that is played."""
        return edition_of(self.scenario.settings)

    @property
    def scenario_digest(self) -> str:
        """A digest of the scenario with its settings."""
        return self.scenario.digest

    def as_table(self) -> dict[str, Any]:
        """Return the game as a JSON-able table, from which `open_game` makes it again."""
        return {"game": GAME, "scenario": scenario_table(self.scenario), **self.options}

    @property
    def digest(self) -> str:
        """A digest of the scenario and of every option that affects play; snapshots contain this digest."""
        options = (self.decisions, self.control, self.shape.name, self.max_cycles)
        return hashlib.sha256(repr((self.scenario.digest, options)).encode()).hexdigest()[:32]

    def batch(self, num_fights: int = 1, *, record: bool = False, observations: str = "vector") -> Fights:
        """Make a batch of this many fights; `record` keeps the events of each step."""
        _check("observations", observations, OBSERVATIONS)
        if observations == "entities":
            return EntityFights(self, self.entities, num_fights, record)
        return Fights(self, num_fights, record)

    @property
    def memory_columns(self) -> tuple[int, ...]:
        """The indices of the features that depend on how many reveals are shown."""
        return tuple(place for place, name in enumerate(self.feature_names) if shows_memory(name))

    most_reveals = REVEALS
    blunders = frozenset(
        {"stance", "attack", "shrug", "take", "opportunity", *(each.name for each in CHOICES if each.is_maneuver)}
    )

    @property
    def lasting_columns(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The indices of features that never change in a fight, and of features that only a swap of weapons changes."""
        from heartrush_env.games.heart_rush.encoding.fighter import SHIELD, WEAPON
        from heartrush_env.games.heart_rush.encoding.view import lasting

        columns = lasting(self.feature_names)
        hands = tuple(f" {feature.name}" for feature in Block(SHIELD, *WEAPON).features)
        in_hand = np.array([self.feature_names[column].endswith(hands) for column in columns])
        return columns[~in_hand], columns[in_hand]

    @property
    def on_map(self) -> bool:
        """Whether fights are on a map."""
        return self.scenario.battlefield is not None

    @property
    def views(self) -> Views:
        """The reader and writer of observations as named fields."""
        from heartrush_env.games.heart_rush.encoding.view import view_codec

        return view_codec(self)

    @cached_property
    def words(self) -> Words:
        """The words for fights and choices."""
        from heartrush_env.games.heart_rush.words.own import OwnWords

        return OwnWords(self.scenario)

    @property
    def telling(self) -> Telling:
        """How the log of a step is told."""
        return TELLING

    @property
    def event_names(self) -> Names:
        """The names that events use, by number: of fighters, of teams, and of each fighter's abilities."""
        sheets = self.scenario.fighters
        loadouts = [[owned.name for owned in sheet.abilities] for sheet in sheets]
        return {"fighters": self.fighters, "teams": self.scenario.teams, "loadouts": loadouts}

    def text_picture(self, view: Mapping[str, Any]) -> str:
        """Return a fight as lines of text, from the result of a batch's `describe`."""
        from heartrush_env.games.heart_rush.board.ansi import picture

        return picture(view)

    def new_board(self) -> Board:
        """Return a board that draws one fight; raise HeartRushError without the extra `render`."""
        try:
            from heartrush_env.games.heart_rush.board import board
        except ImportError:
            raise HeartRushError(NEEDED) from None
        names = {sheet.agent: sheet.name for sheet in self.scenario.fighters}
        return board.Board(names, self.scenario.settings.advantage_cap)

    def bytes_per_fight(self, observations: str = "vector", record: bool = False) -> int:
        """Return the bytes of memory that one fight of a batch takes, with a step's events if `record`."""
        seats = len(self.agents)
        seen = seats * len(self.action_names)
        for bounds in self.observed(observations).values():
            seen += bounds.low.nbytes * (1 if bounds.of_fight else seats)
        fight = self.new_template(False).dtype
        view = _BATCHES[observations].view_record(fight)
        return int(fight.itemsize + view.itemsize + 2 * seen + 6 * seats + 3 + record * LOG.itemsize)

    def new_template(self, record: bool) -> Any:
        """Return the record from which every fight of a batch starts."""
        template = new_fight_record(
            self.scenario, full_decisions=self.decisions == "full", team_control=self.control == "team"
        )
        template[0].recording = record
        return template

    def new_options(self, num_fights: int) -> Any:
        """Return the options for the compiled kernel."""
        options = np.zeros(1, OPTIONS)
        options["enemies"] = self.shape.enemies
        options["seats"] = len(self.agents)
        options["width"] = len(self.feature_names)
        options["turns_at"] = vector_size(self.shape)
        options["actions"] = len(self.action_names)
        options["memory"] = ALL_REVEALS if self.memory is None else self.memory
        options["reward"] = REWARDS.index(self.reward)
        options["max_cycles"] = self.max_cycles or 0
        options["num_fights"] = num_fights
        return options


def as_heart_rush(game: Game) -> HeartRush:
    """Return the game if it is Heart Rush; raise HeartRushError for any other game."""
    if not isinstance(game, HeartRush):
        raise HeartRushError(f"Expected the game {GAME}, got {show(game.name)}.")
    return game


def _check(option: str, value: Any, allowed: tuple[Any, ...]) -> None:
    if isinstance(value, bool) or value not in allowed:
        raise RulesError(f"{option}: expected {join_or(allowed)}, got {on_one_line(value)}.")


@cache
def _entity_bounds(layout: Layout) -> dict[str, Bounds]:
    """Return the bounds of the arrays of an observation as entities, by name."""
    shape = layout.shape
    last, places = shape.fighters - 1, (shape.fighters, shape.enemies + shape.allies)
    found = {}
    for name, part in layout.parts.items():
        low, high = part.bounds
        of_seat = name in ("secrets", "picking", "way")
        found[name] = Bounds(low[0], high[0]) if of_seat else Bounds(low, high, of_fight=True)
    found["viewer"] = Bounds(np.zeros((), np.int8), np.array(last, np.int8))
    found["asked"] = Bounds(np.zeros((), np.int8), np.ones((), np.int8))
    found["places"] = Bounds(np.full(places, NOBODY, np.int8), np.full(places, last, np.int8), of_fight=True)
    return found


@cache
def _bounds(table: Callable[[Shape, bool], list[Feature]], shape: Shape, turns: bool) -> tuple[FloatArray, FloatArray]:
    """Return the minimum and maximum of each feature of a table; the arrays are shared, so they are read-only."""
    made = table(shape, turns)
    bounds = np.array([[feature.low, feature.high] for feature in made], np.float32).T.copy()
    bounds.flags.writeable = False
    return bounds[0], bounds[1]
