"""Batches of fights that step together: arrays as the interface, and the compiled kernel behind them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from operator import getitem
from typing import Any, NoReturn, Protocol

import numpy as np
from numpy.typing import NDArray

from heartrush_env.games.heart_rush import kernel
from heartrush_env.games.heart_rush.editions.edition import Edition
from heartrush_env.games.heart_rush.encoding.ground import new_land
from heartrush_env.games.heart_rush.engine.events import as_dicts
from heartrush_env.games.heart_rush.engine.faults import find_faults
from heartrush_env.games.heart_rush.engine.notation import as_line, describe
from heartrush_env.games.heart_rush.engine.setup import new_log
from heartrush_env.games.heart_rush.engine.snapshots import as_data, from_data
from heartrush_env.games.heart_rush.engine.state import GOES_ON, LOG, OVER, RULES, STANCE, has_map, room_of
from heartrush_env.games.heart_rush.given_routes import GivenRoutes
from heartrush_env.games.heart_rush.rules.hooks import ABILITY_FIELD
from heartrush_env.games.heart_rush.rules.terms import NOBODY
from heartrush_env.games.heart_rush.scenario.settings import Settings
from heartrush_env.games.heart_rush.scenario.sheets import Scenario
from heartrush_env.tabletop.errors import DiceError, HeartRushError, SnapshotError
from heartrush_env.tabletop.game import (
    ActionArray,
    Arrays,
    ByteArray,
    Event,
    FlagArray,
    FloatArray,
    Game,
    Moment,
    Snapshot,
    Vectors,
)
from heartrush_env.tabletop.records import with_known
from heartrush_env.tabletop.rng import MAX_GIVEN_DICE

FORMAT, FORMAT_VERSION = "heartrush-position", 3
LARGEST_DIE = 20
MANY = 64  # from this many fights on, it pays to compile a kernel of their own
# Fields of a fight that never change, and options that a shape decides.
SETTLED = ("n", "n_teams", "recording", "full_decisions", "team_control")
LAYOUT = ("enemies", "seats", "width", "turns_at", "actions")
# Rules that settings decide, and options with their defaults.
SETTINGS = tuple(name for name in RULES.names or () if name not in ("max_rounds", "first_down", "cap_by_hp"))
DEFAULTS = {"memory": kernel.ALL_REVEALS, "reward": kernel.WIN, "max_cycles": 0}
NO_DICE = np.zeros(0, np.uint8)
NO_NUMBERS = np.zeros(0, np.int64)


class Plan(Game, Protocol):
    """The properties of Heart Rush that a batch needs, in addition to the properties of every game."""

    @property
    def scenario(self) -> Scenario:
        """The scenario, loaded."""

    @property
    def edition(self) -> Edition:
        """The edition of the rules that is played."""

    @property
    def fighters(self) -> tuple[str, ...]:
        """The fighters by agent name, in agent order."""

    @property
    def turns_in_state(self) -> int:
        """The index of the first feature of turns in the state."""

    def new_template(self, record: bool) -> Any:
        """Return the record from which every fight of a batch starts."""

    def new_options(self, num_fights: int) -> Any:
        """Return the options for the compiled kernel."""


class Fights:
    """A batch of fights of one game; implements core.game.Batch."""

    kinds_of_views = kernel.VIEWS  # by the fighter capacity of the fight's record
    _player_of, _show_slots = staticmethod(kernel.player_of), kernel.show_slots

    def __init__(self, game: Plan, num_fights: int, record: bool) -> None:
        seats, actions = len(game.agents), len(game.action_names)
        self.game = game
        self._options: Any = self._new_options(num_fights)
        self.observations: NDArray[Any] = np.zeros((num_fights, *self._shape_of_observations()), np.float32)
        self.masks: ByteArray = np.zeros((num_fights, seats, actions), np.int8)
        self.rewards: FloatArray = np.zeros((num_fights, seats), np.float32)
        self.illegal: FlagArray = np.zeros((num_fights, seats), np.bool_)
        self.out: ByteArray = np.zeros((num_fights, seats), np.int8)
        self.terminated: FlagArray = np.zeros(num_fights, np.bool_)
        self.truncated: FlagArray = np.zeros(num_fights, np.bool_)
        self.ended: FlagArray = np.zeros(num_fights, np.bool_)
        self.numbers: NDArray[np.int64] = np.arange(num_fights, dtype=np.int64)
        self.final_observations: NDArray[Any] = np.zeros_like(self.observations)
        self.final_masks: ByteArray = np.zeros_like(self.masks)
        self.seen: Arrays = {"observation": self.observations}
        self.final_seen: Arrays = {"observation": self.final_observations}
        self.vectors: Vectors = self.observations
        self._flat = [array.reshape(-1) for array in (self.observations, self.masks)]
        self._flat_finals = [array.reshape(-1) for array in (self.final_observations, self.final_masks)]
        self._slots = np.arange(num_fights)
        self._template: Any = game.new_template(record)
        self._lands: Any = new_land(self._template[0])
        self._edition = game.edition
        self._kind = self._template.dtype
        self._views: Any = np.zeros(num_fights, self.kinds_of_views[room_of(self._kind)])
        self._matches: Any = np.zeros(num_fights, self._kind)
        self._record = record
        self._logs: Any = np.zeros(num_fights, LOG) if record else new_log()
        self._played = self._matches, self._template, self._options
        self._play_slots = self._player_of(self._edition)
        if self._is_of_many_stances():
            self._played = self._with_constants()
            self._play_slots = self._player_of(self._edition, stances=True)
        self.actions: ActionArray = np.zeros((num_fights, seats), np.int64)  # what step() plays
        self._steps: dict[tuple[int, int, bool], Callable[[], None]] = {}  # by the slots that they play, and autoreset
        self._dice_given = False
        self._routes = GivenRoutes(self._matches, game.action_names)

    def start(
        self,
        slots: Sequence[int],
        seed: int,
        fights: Sequence[int],
        dice: Sequence[int] | None = None,
        beginnings: Any = None,
    ) -> None:
        """Start fight number fights[k] of the seed in slot slots[k].

        Args:
            slots: The slots to start, each once.
            seed: From 0 to 2**63 - 1.
            fights: The number of the fight for each of these slots.
            dice: The results of the first rolls of each of these fights.
            beginnings: The record from which each of these fights starts. Pass changed copies of the records that
                `beginnings` returns; by default all fights start as the scenario specifies.
        """
        given = NO_DICE if dice is None else _check_dice(dice)
        kept = self._keep(slots) if len(given) else {}
        numbers = np.ascontiguousarray(fights, np.int64)
        places = np.ascontiguousarray(slots, np.int64)
        self._playing(places, seed=int(seed), numbers=numbers, dice=given, beginnings=beginnings)()
        if len(given):
            self._refuse_bad_dice(slots, kept)
            self._dice_given = True

    def step(self, actions: ActionArray, *, autoreset: bool = False, lo: int = 0, hi: int | None = None) -> None:
        """Play one window in each slot from `lo` up to, but not including, `hi`."""
        hi = len(self._matches) if hi is None else hi
        kept = self._keep(slice(lo, hi)) if self._dice_given else {}
        routed = bool(self._routes)
        if routed:
            self._routes.prepare(lo, hi, actions)
        if actions is not self.actions:
            self.actions[lo:hi] = actions[lo:hi]
        play = self._steps.get((lo, hi, autoreset))
        if play is None:
            play = self._steps[lo, hi, autoreset] = self._playing(self._slots[lo:hi], autoreset=autoreset)
        play()
        if kept:
            self._refuse_bad_dice(slice(lo, hi), kept)
        if routed:
            self._routes.tidy(lo, hi)

    def __reduce__(self) -> NoReturn:
        """Refuse copies and pickles, because their prepared calls would still write into this batch's arrays."""
        raise HeartRushError("A batch of fights cannot be copied or pickled: copy its snapshots into a new batch.")

    def _new_options(self, num_fights: int) -> Any:
        """Return the options for the compiled kernel."""
        return self.game.new_options(num_fights)

    def _is_of_many_stances(self) -> bool:
        """Return whether these are many duels of stances; only they gain enough from a kernel of their own."""
        match = self._template[0]
        of_stances = match.n == 2 and not (match.full_decisions or match.team_control or match.recording)
        plain = not has_map(match) and ABILITY_FIELD not in match.dtype.names and self._options[0].enemies == 1
        return of_stances and plain and len(self._matches) >= MANY

    def _with_constants(self) -> tuple[Any, Any, Any]:
        """Return the records for duels of stances, with all values that never change as constants.

        If all settings and options have their defaults, they are constants too. All other duels share a second kernel.
        """
        settled, layout, settings = list(SETTLED), list(LAYOUT), self.game.scenario.settings
        options = self._options[0]
        usual = all(options[name] == value for name, value in DEFAULTS.items())
        if usual and settings == Settings.parse({"edition": settings.edition}):
            settled += [f"rules.{name}" for name in SETTINGS]
            layout += DEFAULTS
        kind = with_known(self._kind, _values(self._template[0], settled))
        laid_out = with_known(self._options.dtype, _values(options, layout))
        return self._matches.view(kind), self._template.view(kind), self._options.view(laid_out)

    def _accept(self, matches: Any) -> None:
        """Switch to the edition's full kernel if a position waits in a window other than the stance window."""
        if not np.isin(matches["window"], (STANCE, OVER)).all():
            self._played = self._matches, self._template, self._options
            self._play_slots = self._player_of(self._edition)
            self._steps.clear()

    def _shape_of_observations(self) -> tuple[int, ...]:
        """Return the shape of one fight's observations."""
        return len(self.game.agents), len(self.game.feature_names)

    def _playing(
        self,
        slots: Any,
        *,
        seed: int = 0,
        numbers: Any = None,
        dice: Any = NO_DICE,
        autoreset: bool = False,
        beginnings: Any = None,
    ) -> Callable[[], None]:
        """Return a call that starts the fights with these numbers in these slots, or plays one window in each."""
        starting = numbers is not None
        matches, template, options = self._played
        if beginnings is not None:
            template = beginnings.view(template.dtype)
        return self._play_slots.prepare(
            matches, self._logs, options, template, slots, starting, seed,
            numbers if starting else NO_NUMBERS, dice, self.actions, autoreset, self._views,
            self._lands, *self._flat, self.rewards, self.terminated, self.truncated, self.ended, self.numbers,
            self.illegal, self.out,
            *self._flat_finals,
        )  # fmt: skip

    def legal(self, slot: int, seat: int) -> list[int]:
        """Return the numbers of the seat's legal actions, in order."""
        return [int(action) for action in np.flatnonzero(self.masks[slot, seat])]

    def events(self, slot: int) -> list[Event]:
        """Return the public events of the last step or start, in order."""
        return as_dicts(self._logs[slot], self.game.fighters, self.game.scenario.teams)

    def state(self, slot: int) -> FloatArray:
        """Return everything revealed so far, from no seat's point of view: the moment, then each fighter's block."""
        state = np.zeros(len(self.game.state_low), np.float32)
        memory, turns_at = int(self._options[0].memory), self.game.turns_in_state
        kernel.write_state(self._matches, slot, memory, state, turns_at)
        return state

    def snapshot(self, slot: int) -> Snapshot:
        """Return the whole fight with its future dice, as JSON-able data."""
        return {
            "format": FORMAT,
            "version": FORMAT_VERSION,
            "digest": self.game.digest,
            "position": as_data(self._matches[slot], self._edition.machine),
        }

    def restore(self, slot: int, data: Mapping[str, Any]) -> None:
        """Restore a snapshot; the arrays then show that moment."""
        match = self._read(data)
        match.recording = self._record
        self._accept(match)
        self._matches[slot] = match
        if self._record:
            self._logs[slot].count = 0
            self._logs[slot].attack = NOBODY
            self._logs[slot].seen[: len(match.fighters)] = match.fighters["levels"]
        self._dice_given = self._dice_given or bool(match.given_used < match.given_count)
        self._routes.look(slot)
        self.show(np.array([slot]))
        cycles = int(self._options[0].max_cycles)
        self.terminated[slot] = match.ending != GOES_ON
        self.truncated[slot] = match.ending == GOES_ON and 0 < cycles <= int(match.step_count)
        self.ended[slot] = self.terminated[slot] or self.truncated[slot]
        self.numbers[slot] = match.fight_number
        self.rewards[slot] = 0.0
        self.illegal[slot] = False

    def show(self, slots: NDArray[np.int64]) -> None:
        """Write the complete observations of these slots, after their fights were put into other positions."""
        self._show_slots(self._matches, self._options, slots, self._views, self._lands, *self._flat, self.out)

    @property
    def records(self) -> Any:
        """The engine's record of each fight, for referees; treat them as read-only."""
        return self._matches

    @property
    def logs(self) -> Any:
        """The events of each fight's last step as the engine writes them; treat them as read-only."""
        return self._logs

    def beginnings(self, number: int) -> Any:
        """Return copies of the record from which a fight of this batch starts, to change and pass to `start`."""
        return np.repeat(self._template, number)

    def copy_of(self, slot: int) -> Any:
        """Return a copy of the engine's record of the fight, as an array of one."""
        return self._matches[slot : slot + 1].copy()

    def put(self, matches: Any) -> None:
        """Put each slot into a position, given as an engine record, and update the arrays."""
        self._accept(matches)
        whole = np.dtype((np.void, self._kind.itemsize))  # copying field by field is many times slower
        self._matches.view(whole)[:] = matches.view(whole)
        self.show(self._slots)

    def give_details(self, slot: int, seat: int, details: Mapping[str, Any]) -> int:
        """Set the route of a seat's dash, {"route": squares without its own}; return the dash that takes it.

        The route applies to the seat's next choice: the returned dash follows it, a dash to another square is refused,
        and any other choice drops it. A route that is not allowed raises IllegalAction and cancels any earlier one.
        """
        return self._routes.give(slot, seat, details)

    def check_details(self, slot: int, seat: int, action: int) -> None:
        """Raise IllegalAction for a dash that ends elsewhere than the seat's route."""
        self._routes.check(slot, seat, action)

    def drop_details(self, slot: int, seat: int) -> None:
        """Forget the route of the seat's dash."""
        self._routes.drop(slot, seat)

    def text(self, slot: int) -> str:
        """Return the fight in one line of notation."""
        return as_line(self._matches[slot], self._template[0], self.game.scenario)

    def describe(self, slot: int) -> dict[str, Any]:
        """Return the public facts of the fight, as plain data."""
        return describe(self._matches[slot], self.game.scenario)

    def faults(self, slot: int) -> list[str]:
        """Return all inconsistencies of the fight's state, one sentence each; empty if the state is valid."""
        return find_faults(self._matches[slot], self._template[0], self._edition)

    def moment(self, slot: int) -> Moment:
        """Return the moment of the fight that the slot shows."""
        match = self._matches[slot]
        return Moment(int(match.seed), int(match.fight_number), int(match.step_count))

    def _read(self, data: Mapping[str, Any]) -> Any:
        if not isinstance(data, Mapping) or data.get("format") != FORMAT:
            raise SnapshotError(f"snapshot: found no format {FORMAT!r}, allowed: a snapshot of this game.")
        if data.get("version") != FORMAT_VERSION:
            raise SnapshotError(f"snapshot: found version {data.get('version')!r}, allowed: {FORMAT_VERSION}.")
        if data.get("digest") != self.game.digest:
            raise SnapshotError(
                "snapshot: it has another scenario or other options, allowed: those of this environment."
            )
        match = from_data(data.get("position", {}), self._edition.machine, self._kind, self._template[0])[0]
        faults = find_faults(match, self._template[0], self._edition)
        if faults:
            raise SnapshotError(f"snapshot: it is not a valid position of this game ({faults[0]}).")
        return match

    def _keep(self, slots: Any) -> dict[str, Any]:
        """Return a copy of all that a step may write in these slots, to restore it if a given die is too large."""
        names = _WRITTEN if self._record else _WRITTEN[1:]
        return {name: getattr(self, name)[slots].copy() for name in names}

    def _refuse_bad_dice(self, slots: Any, kept: dict[str, Any]) -> None:
        for match in self._matches[slots]:
            if match.bad_die:
                found, sides, place = int(match.bad_die), int(match.bad_sides), int(match.bad_place)
                for name, before in kept.items():
                    getattr(self, name)[slots] = before
                places = np.arange(len(self._matches))[slots]
                self.show(places)
                raise DiceError(f"given dice, number {place}: found a {found} for a d{sides}, allowed: 1 to {sides}.")


_WRITTEN = (
    "_logs", "_matches", "rewards", "illegal", "terminated", "truncated", "ended", "numbers",
    "final_observations", "final_masks",
)  # fmt: skip


def _values(record: Any, names: Sequence[str]) -> dict[str, int]:
    """Return the values of these fields of a record; a name such as "rules.talk" is a nested field."""
    return {name: int(reduce(getitem, name.split("."), record)) for name in names}


def _check_dice(dice: Sequence[int]) -> Any:
    if len(dice) > MAX_GIVEN_DICE:
        raise DiceError(f"given dice: found {len(dice)}, allowed: at most {MAX_GIVEN_DICE}.")
    for die in dice:
        if isinstance(die, bool) or not isinstance(die, int | np.integer) or not 1 <= die <= LARGEST_DIE:
            raise DiceError(f"given dice: found {die!r}, allowed: whole numbers from 1 to {LARGEST_DIE}.")
    return np.array(dice, np.uint8)
