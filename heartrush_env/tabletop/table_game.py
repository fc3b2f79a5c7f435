"""A game made of a layout, a table of actions and rules: everything that needs nothing else is derived here.

A game's class inherits from TableGame. It has these members: `name`, `rules_of_play`, `seen`, `kind` (the
record type), `fighters`, `sides`, `team_of`, `shape`, `control`, `reward`, `max_cycles`, `scenario_name`, `rules`,
`as_table`, `new_template`, `describe`, `text_of` and `text_picture`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from typing import Any, NamedTuple

import numpy as np

from heartrush_env.tabletop.batch.fights import GAME_REWARDS, MOST_TEAMS, Fights, Kernels, Rules, kernels_of
from heartrush_env.tabletop.choosing import ActionTable, Choice, action_table
from heartrush_env.tabletop.errors import HeartRushError, RulesError
from heartrush_env.tabletop.events import LOG
from heartrush_env.tabletop.game import Board, Bounds, FloatArray
from heartrush_env.tabletop.layout import Layout, Seen
from heartrush_env.tabletop.tables import Feature
from heartrush_env.tabletop.text import show
from heartrush_env.tabletop.validate import is_whole, join_or

SEATS_BY = ("fighter", "team")  # the values of the option `control`
CYCLES = 2**31 - 1  # the largest max_cycles
VECTORS = "vector"  # the one kind of observations


class Places(NamedTuple):
    """A shape: the number of places for enemies and for allies in a view. Games of one shape have equal spaces."""

    name: str
    enemies: int
    allies: int


class TableGame:
    """One scenario of a game under fixed options; implements tabletop.game.Game."""

    # The members that the game's own class defines.
    name: str
    rules_of_play: Rules
    seen: Seen
    choices: Sequence[Choice]
    kind: np.dtype[Any]
    fighters: tuple[str, ...]  # by index
    sides: tuple[str, ...]
    team_of: tuple[int, ...]  # the side of each fighter
    shape: Places
    limits: Mapping[str, tuple[int, int] | None]  # of the fields that change; see tabletop/batch/faults.py
    control: str
    reward: str
    max_cycles: int | None
    out_causes: tuple[str, ...]
    scenario_name: str
    rules: Mapping[str, Any]  # the settings of the rules by name

    def as_table(self) -> dict[str, Any]:
        """Return the game as a JSON-able table."""
        raise NotImplementedError

    def new_template(self, record: bool) -> Any:
        """Return the record from which every fight starts."""
        raise NotImplementedError

    def check_options(self) -> None:
        """Raise RulesError if an option has a value that is not allowed."""
        for option, allowed in (("control", SEATS_BY), ("reward", GAME_REWARDS)):
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
        """The lowest value of each number of the state."""
        return _bounds(self.layout.state)[0]

    @cached_property
    def state_high(self) -> FloatArray:
        """The highest value of each number of the state."""
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

    def begin_template(self, record: bool) -> Any:
        """Return one record with the fields of windows and seats filled in; a game adds its own to it."""
        fights = np.zeros(1, self.kind)
        fight = fights[0]
        fight.n, fight.n_teams = len(self.fighters), len(self.sides)
        assert fight.n_teams <= MOST_TEAMS
        fight.recording, fight.team_control = record, self.control == "team"
        fight.winner = fight.one = -1
        for i, team in enumerate(self.team_of):
            fighter = fight.fighters[i]
            enemies = [j for j, other in enumerate(self.team_of) if other != team]
            allies = [j for j, other in enumerate(self.team_of) if other == team and j != i]
            fighter.team, fighter.enemy_count, fighter.ally_count = team, len(enemies), len(allies)
            fighter.enemies[: len(enemies)], fighter.allies[: len(allies)] = enemies, allies
        self.rules_of_play.machine.begin(fight)
        return fights

    def new_board(self) -> Board:
        """Raise HeartRushError: the game is drawn as text alone."""
        raise HeartRushError(f"{self.name}: expected render_mode 'ansi', because the game is drawn as text alone.")

    def bytes_per_fight(self, observations: str = VECTORS, record: bool = False) -> int:
        """Return the memory of one fight of a batch in bytes, kept events included."""
        _check_kind(observations)
        seats, seen = len(self.agents), len(self.action_names) + 4 * len(self.feature_names)
        events = LOG.itemsize if record else 0
        return int(self.kind.itemsize + events + 2 * seats * seen + 16 * seats + 11)

    # -- words ---------------------------------------------------------------------------------------------------------

    def places(self, fighter: int) -> tuple[list[str], list[str]]:
        """Return the names of a fighter's enemies and allies by place."""
        team = self.team_of[fighter]
        enemies = [name for name, other in zip(self.fighters, self.team_of, strict=True) if other != team]
        allies = [
            name
            for i, (name, other) in enumerate(zip(self.fighters, self.team_of, strict=True))
            if other == team and i != fighter
        ]
        return enemies, allies

    def menu(self, fighter: int, actions: Sequence[int]) -> dict[int, str]:
        """Return the words of these actions as a fighter chooses them."""
        enemies, allies = self.places(fighter)
        return {action: self.table.words(action, enemies, allies) for action in actions}


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
