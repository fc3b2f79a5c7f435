"""Batches of fights that step together: arrays as the interface, and the compiled kernel behind them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import getitem
from types import MappingProxyType
from typing import Any, Protocol

import numpy as np

from heartrush_env.games.heart_rush import kernel
from heartrush_env.games.heart_rush.editions.edition import Edition
from heartrush_env.games.heart_rush.encoding.ground import new_land
from heartrush_env.games.heart_rush.engine.description import describe
from heartrush_env.games.heart_rush.engine.faults import find_faults
from heartrush_env.games.heart_rush.engine.older import complete
from heartrush_env.games.heart_rush.rules.hooks import ABILITY_FIELD
from heartrush_env.games.heart_rush.rules.space import UNKNOWN
from heartrush_env.games.heart_rush.rules.terms import NOBODY, WALK
from heartrush_env.games.heart_rush.scenario.settings import Settings
from heartrush_env.games.heart_rush.scenario.sheets import Scenario
from heartrush_env.games.heart_rush.state.log import LOG
from heartrush_env.games.heart_rush.state.record import RULES, has_map
from heartrush_env.tabletop.batch.player import STEP
from heartrush_env.tabletop.batch.rewards import WIN
from heartrush_env.tabletop.batch.slots import Call, Slots
from heartrush_env.tabletop.game import FloatArray, Game
from heartrush_env.tabletop.records import with_known
from heartrush_env.tabletop.rng import NO_DICE, NO_NUMBERS

MANY = 64  # from this many fights on, it pays to compile a kernel of their own
# Fields of a fight that never change, and options that a shape decides.
SETTLED = ("n", "n_teams", "recording", "full_decisions", "team_control")
LAYOUT = ("enemies", "seats", "width", "turns_at", "actions")
# Rules that settings decide, and options with their defaults.
SETTINGS = tuple(name for name in RULES.names or () if name not in ("max_rounds", "first_down", "cap_by_hp"))
DEFAULTS = {"memory": kernel.ALL_REVEALS, "reward": WIN, "max_cycles": 0}


class Plan(Game, Protocol):
    """The properties of Heart Rush that a batch needs, in addition to the properties of every game."""

    @property
    def scenario(self) -> Scenario:
        """The loaded scenario."""

    @property
    def edition(self) -> Edition:
        """The edition of the rules that is played."""

    @property
    def fighters(self) -> tuple[str, ...]:
        """The fighters by agent name, in agent order."""

    @property
    def turns_in_state(self) -> int:
        """The index of the first feature of turns in the state."""

    @property
    def loadouts_in_state(self) -> int:
        """The index of the first feature of abilities in the state."""

    def new_template(self, record: bool) -> Any:
        """Return the record from which every fight of a batch starts."""

    def new_options(self, num_fights: int) -> Any:
        """Return the options for the compiled kernel."""


class Fights(Slots):
    """A batch of fights of one game; implements tabletop.game.Batch."""

    position_format, position_version = "heartrush-position", 3
    calculated = MappingProxyType({"cover": UNKNOWN})
    shared = (*Slots.shared, "lands")
    view_record = staticmethod(kernel.view_record)  # of a fight's record type
    _player_of = staticmethod(kernel.player_of)

    def __init__(self, game: Plan, num_fights: int, record: bool) -> None:
        self.game: Plan = game
        super().__init__(
            game, game.new_template(record), self._new_options(num_fights), game.edition.machine,
            num_fights=num_fights, shape=self._shape_of_observations(), record=record,
            logs=np.zeros(num_fights if record else 1, LOG),
        )  # fmt: skip
        self._edition = game.edition
        self._lands: Any = new_land(self._template[0])
        self._views: Any = np.zeros(num_fights, self.view_record(self._kind))
        self._played = self._fights, self._template, self._options
        self._play_slots = self._player_of(self._edition)
        if self._is_of_many_stances():
            self._played = self._with_constants()

    def lacks_parts(self, slot: int) -> bool:
        """Return whether a fighter in the slot's open window is walking or has an incomplete choice."""
        walks = self.game.scenario.battlefield is not None and (self._fights[slot]["fighters"]["deed"] == WALK).any()
        return super().lacks_parts(slot) or bool(walks)

    def _new_options(self, num_fights: int) -> Any:
        """Return the options for the compiled kernel."""
        return self.game.new_options(num_fights)

    def _is_of_many_stances(self) -> bool:
        """Return whether the batch has many duels of stances, which gain enough from a kernel of their own."""
        fight = self._template[0]
        of_stances = fight.n == 2 and not (fight.full_decisions or fight.team_control or fight.recording)
        plain = not has_map(fight) and ABILITY_FIELD not in fight.dtype.names and self._options[0].enemies == 1
        return of_stances and plain and len(self._fights) >= MANY

    def _with_constants(self) -> tuple[Any, Any, Any]:
        """Return the records of these duels of stances in types whose unchanging values are compiled as constants.

        Settings, and options that a shape does not decide, are constants too if all of them have their defaults.
        """
        settled, layout, settings = list(SETTLED), list(LAYOUT), self.game.scenario.settings
        options = self._options[0]
        usual = all(options[name] == value for name, value in DEFAULTS.items())
        if usual and settings == Settings.parse({"edition": settings.edition}):
            settled += [f"rules.{name}" for name in SETTINGS]
            layout += DEFAULTS
        kind = with_known(self._kind, _values(self._template[0], settled))
        laid_out = with_known(self._options.dtype, _values(options, layout))
        return self._fights.view(kind), self._template.view(kind), self._options.view(laid_out)

    def complete_caches(self) -> None:
        """Store the cover between all squares of the map."""
        if has_map(self._template[0]):
            kernel.complete_cover(self.beginnings(1), self._lands)

    def _shape_of_observations(self) -> tuple[int, ...]:
        """Return the shape of one fight's observations."""
        return len(self.game.agents), len(self.game.feature_names)

    def playing(
        self,
        slots: Any,
        doing: int = STEP,
        *,
        seed: int = 0,
        numbers: Any = NO_NUMBERS,
        dice: Any = NO_DICE,
        autoreset: bool = False,
        beginnings: Any = None,
    ) -> Call:
        """Return the call that steps, starts or shows these slots, as tabletop/batch/player.py names it."""
        fights, template, options = self._played
        if beginnings is not None:
            template = beginnings.view(template.dtype)
        return Call(self._play_slots, (
            fights, self._logs, options, template, slots, doing, seed, numbers, dice, self.actions, autoreset,
            self._views, self._lands, *self._flat, self.out, self.rewards, self.terminated, self.truncated, self.ended,
            self.numbers, self.illegal, *self._flat_finals,
        ))  # fmt: skip

    def state(self, slot: int) -> FloatArray:
        """Return everything revealed so far, from no seat's point of view: the moment, then each fighter's block."""
        state = np.zeros(len(self.game.state_low), np.float32)
        memory, plan = int(self._options[0].memory), self.game
        kernel.write_state(self._fights, slot, memory, state, plan.turns_in_state, plan.loadouts_in_state)
        return state

    def faults_of(self, fight: Any) -> list[str]:
        """Return all inconsistencies of a position, one sentence each."""
        return find_faults(fight, self._template[0], self._edition)

    def _complete(self, data: Mapping[str, Any]) -> Mapping[str, Any]:
        return complete(data, self._template[0])

    def _begin_log(self, log: Any, fight: Any) -> None:
        log.count = 0
        log.attack = NOBODY
        log.seen[: len(fight.fighters)] = fight.fighters["levels"]

    def describe(self, slot: int) -> dict[str, Any]:
        """Return the public facts of the fight, as plain data."""
        return describe(self._fights[slot], self.game.scenario)


def _values(record: Any, names: Sequence[str]) -> dict[str, int]:
    """Return the values of these fields of a record; a name such as "rules.talk" is a nested field."""
    return {name: int(reduce(getitem, name.split("."), record)) for name in names}
