"""The Python side of every batch: arrays, slots, given dice, positions and snapshots."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from heartrush_env.tabletop.batch.player import GOES_ON, SHOW, START, STEP
from heartrush_env.tabletop.batch.snapshots import as_data, from_data
from heartrush_env.tabletop.entries import Names, Telling
from heartrush_env.tabletop.errors import DiceError, HeartRushError, SnapshotError
from heartrush_env.tabletop.flow import Machine
from heartrush_env.tabletop.game import (
    ActionArray,
    Arrays,
    ByteArray,
    Event,
    FlagArray,
    FloatArray,
    Moment,
    Snapshot,
    Vectors,
)
from heartrush_env.tabletop.kernels import Kernel
from heartrush_env.tabletop.rng import MAX_GIVEN_DICE, NO_DICE, NO_NUMBERS

_WRITTEN = (
    "_logs", "_fights", "rewards", "illegal", "terminated", "truncated", "ended", "numbers",
    "final_observations", "final_masks",
)  # fmt: skip


class Call(NamedTuple):
    """A call of a kernel that is yet to be made."""

    kernel: Kernel
    arguments: tuple[Any, ...]


class Slots:
    """Fights of one game, one in each slot; the base of the batches that implement tabletop.game.Batch.

    A game's batch defines `playing`, `faults_of`, and the methods that describe a fight. Its game has `telling`, which
    says how the log of a step is told, and `event_names`, the names that events use. The records have the fields that
    tabletop/batch/player.py names and the fields of random numbers.
    """

    position_format, position_version = "position", 1  # of snapshots
    calculated: Mapping[str, int] = MappingProxyType({})  # fields left out of snapshots, with their "not yet" values
    largest_die = 20
    # Parameters of the kernel whose arrays all slots share; stepping does not change these arrays.
    shared: ClassVar[tuple[str, ...]] = ("logs", "options", "template", "slots", "numbers", "dice")

    def __init__(
        self, game: Any, template: Any, options: Any, machine: Machine, *,
        num_fights: int, shape: tuple[int, ...], record: bool, logs: Any,
    ) -> None:  # fmt: skip
        """Allocate the arrays.

        Args:
            game: The game.
            template: The record from which every fight starts, as an array of one.
            options: The options of the kernel, as an array of one record; it has `max_cycles`.
            machine: The machine that plays the fights.
            num_fights: The number of slots.
            shape: The shape of one fight's observations.
            record: Whether events are kept.
            logs: The event logs: one for each slot if events are kept, otherwise a single one.
        """
        seats, actions = len(game.agents), len(game.action_names)
        self.game, self._machine, self._options, self._template = game, machine, options, template
        self.observations: NDArray[Any] = np.zeros((num_fights, *shape), np.float32)
        self.masks: ByteArray = np.zeros((num_fights, seats, actions), np.int8)
        self.rewards: FloatArray = np.zeros((num_fights, seats), np.float32)
        self.illegal: FlagArray = np.zeros((num_fights, seats), np.bool_)
        self.out: ByteArray = np.zeros((num_fights, seats), np.int8)
        self.terminated: FlagArray = np.zeros(num_fights, np.bool_)
        self.truncated: FlagArray = np.zeros(num_fights, np.bool_)
        self.ended: FlagArray = np.zeros(num_fights, np.bool_)
        self.numbers: NDArray[np.int64] = np.arange(num_fights, dtype=np.int64)
        # zeros_like would write to its memory, which takes no room before that.
        self.final_observations: NDArray[Any] = np.zeros(self.observations.shape, np.float32)
        self.final_masks: ByteArray = np.zeros(self.masks.shape, np.int8)
        self.seen: Arrays = {"observation": self.observations}
        self.final_seen: Arrays = {"observation": self.final_observations}
        self.vectors: Vectors = self.observations
        self._flat = [array.reshape(-1) for array in (self.observations, self.masks)]
        self._flat_finals = [array.reshape(-1) for array in (self.final_observations, self.final_masks)]
        self.actions: ActionArray = np.zeros((num_fights, seats), np.int64)  # what step() plays
        self._kind = template.dtype
        self._fights: Any = np.zeros(num_fights, self._kind)
        self._record = record
        self._logs = logs
        self._slots = np.arange(num_fights)
        self._steps: dict[tuple[int, int, bool], Callable[[], None]] = {}  # by the slots that they play, and autoreset
        self._dice_given = False

    # -- the parts of a game's own batch -------------------------------------------------------------------------------

    def playing(
        self, slots: Any, doing: int = STEP, *, seed: int = 0, numbers: Any = NO_NUMBERS, dice: Any = NO_DICE,
        autoreset: bool = False, beginnings: Any = None,
    ) -> Call:  # fmt: skip
        """Return the call that steps, starts or shows these slots, as tabletop/batch/player.py names it."""
        raise NotImplementedError

    def faults_of(self, fight: Any) -> list[str]:
        """Return all inconsistencies of a position, one sentence each."""
        raise NotImplementedError

    def _complete(self, data: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the data of a position, completed with fields that older snapshots lack; by default, add nothing."""
        return data

    def _begin_log(self, log: Any, fight: Any) -> None:
        """Clear the log of a slot into which a position was restored."""
        log.count = 0

    def complete_caches(self) -> None:
        """Fill the caches that all fights share, which fights would otherwise fill as they go."""

    # -- starting and stepping -----------------------------------------------------------------------------------------

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
        given = NO_DICE if dice is None else self._check_dice(dice)
        kept = self._keep(slots) if len(given) else {}
        numbers = np.ascontiguousarray(fights, np.int64)
        places = np.ascontiguousarray(slots, np.int64)
        call = self.playing(places, START, seed=int(seed), numbers=numbers, dice=given, beginnings=beginnings)
        call.kernel(*call.arguments)
        if len(given):
            self._refuse_bad_dice(slots, kept)
            self._dice_given = True

    def step(self, actions: ActionArray, *, autoreset: bool = False, lo: int = 0, hi: int | None = None) -> None:
        """Play one window in each slot from `lo` up to, but not including, `hi`."""
        hi = len(self._fights) if hi is None else hi
        kept = self._keep(slice(lo, hi)) if self._dice_given else {}
        if actions is not self.actions:
            self.actions[lo:hi] = actions[lo:hi]
        play = self._steps.get((lo, hi, autoreset))
        if play is None:
            call = self.playing(self._slots[lo:hi], autoreset=autoreset)
            play = self._steps[lo, hi, autoreset] = call.kernel.prepare(*call.arguments)
        play()
        if kept:
            self._refuse_bad_dice(slice(lo, hi), kept)

    def __reduce__(self) -> NoReturn:
        """Refuse copies and pickles, because their prepared calls would still write into this batch's arrays."""
        raise HeartRushError("A batch of fights cannot be copied or pickled: copy its snapshots into a new batch.")

    def events(self, slot: int) -> list[Event]:
        """Return the public events of the last step or start, in order."""
        log = self._logs[slot if self._record else 0]
        telling: Telling = self.game.telling
        return telling.events(log.events[: int(log.count)], self._event_names)

    @cached_property
    def _event_names(self) -> Names:
        found: Names = self.game.event_names
        return found

    def legal(self, slot: int, seat: int) -> list[int]:
        """Return the numbers of the seat's legal actions, in order."""
        found: list[int] = self.masks[slot, seat].nonzero()[0].tolist()
        return found

    def lacks_parts(self, slot: int) -> bool:
        """Return whether a choice in the slot's open window is incomplete: its fighter must still pick a part."""
        if not self._has_picks:
            return False
        fighters = self._fights[slot]["fighters"]
        return bool(((fighters["picking"] != 0) & (fighters["deed"] != 0)).any())  # without a choice it is a request

    @cached_property
    def _has_picks(self) -> bool:
        """Whether choices may have parts that fighters pick."""
        fields = self._kind.fields or {}
        return "fighters" in fields and "picking" in (fields["fighters"][0].base.names or ())

    def moment(self, slot: int) -> Moment:
        """Return the moment of the fight that the slot shows."""
        fight = self._fights[slot]
        return Moment(int(fight.seed), int(fight.fight_number), int(fight.step_count))

    # -- positions -----------------------------------------------------------------------------------------------------

    def snapshot(self, slot: int) -> Snapshot:
        """Return the whole fight with its future dice, as JSON-able data."""
        return {
            "format": self.position_format,
            "version": self.position_version,
            "digest": self.game.digest,
            "position": as_data(self._fights[slot], self._machine, self.calculated),
        }

    def restore(self, slot: int, data: Mapping[str, Any]) -> None:
        """Restore a snapshot; the arrays then show that moment."""
        fight = self._read(data)
        fight.recording = self._record
        self._fights[slot] = fight
        if self._record:
            self._begin_log(self._logs[slot], fight)
        self._dice_given = self._dice_given or bool(fight.given_used < fight.given_count)
        self.show(np.array([slot]))
        cycles = int(self._options[0].max_cycles)
        self.terminated[slot] = fight.ending != GOES_ON
        self.truncated[slot] = fight.ending == GOES_ON and 0 < cycles <= int(fight.step_count)
        self.ended[slot] = self.terminated[slot] or self.truncated[slot]
        self.numbers[slot] = fight.fight_number
        self.rewards[slot] = 0.0
        self.illegal[slot] = False

    def _read(self, data: Mapping[str, Any]) -> Any:
        if not isinstance(data, Mapping) or data.get("format") != self.position_format:
            raise SnapshotError(f"snapshot: expected format {self.position_format!r}, got another one.")
        if data.get("version") != self.position_version:
            raise SnapshotError(f"snapshot: version: expected {self.position_version}, got {data.get('version')!r}.")
        if data.get("digest") != self.game.digest:
            raise SnapshotError("snapshot: expected the scenario and options of this environment, got others.")
        position = data.get("position", {})
        fight = from_data(position, self._machine, self._kind, self._complete, self.calculated)[0]
        faults = self.faults_of(fight)
        if faults:
            raise SnapshotError(f"snapshot: it is not a valid position of this game ({faults[0]}).")
        return fight

    @property
    def records(self) -> Any:
        """The engine's record of each fight, for referees; treat them as read-only."""
        return self._fights

    @property
    def logs(self) -> Any:
        """The events of each fight's last step as the engine writes them; treat them as read-only."""
        return self._logs

    def beginnings(self, number: int) -> Any:
        """Return `number` copies of the record from which fights start, to be changed and passed to `start`."""
        return np.repeat(self._template, number)

    def copy_of(self, slot: int) -> Any:
        """Return a copy of the engine's record of the fight, as an array of one."""
        return self._fights[slot : slot + 1].copy()

    def put(self, fights: Any) -> None:
        """Put one position, given as an engine record, into each slot, and update the arrays."""
        whole = np.dtype((np.void, self._kind.itemsize))  # copying field by field is many times slower
        self._fights.view(whole)[:] = fights.view(whole)
        self.show(self._slots)

    def show(self, slots: NDArray[np.int64]) -> None:
        """Write the complete observations of these slots, after their fights were put into other positions."""
        call = self.playing(slots, SHOW)
        call.kernel(*call.arguments)

    def faults(self, slot: int) -> list[str]:
        """Return all inconsistencies of the fight's state, one sentence each; empty if the state is valid."""
        return self.faults_of(self._fights[slot])

    # -- given dice ----------------------------------------------------------------------------------------------------

    def _keep(self, slots: Any) -> dict[str, Any]:
        """Return a copy of all that a step may write in these slots, to restore it if a given die is too large."""
        names = _WRITTEN if self._record else _WRITTEN[1:]
        return {name: getattr(self, name)[slots].copy() for name in names}

    def _refuse_bad_dice(self, slots: Any, kept: dict[str, Any]) -> None:
        for fight in self._fights[slots]:
            if fight.bad_die:
                found, sides, place = int(fight.bad_die), int(fight.bad_sides), int(fight.bad_place)
                for name, before in kept.items():
                    getattr(self, name)[slots] = before
                places = np.arange(len(self._fights))[slots]
                self.show(places)
                raise DiceError(f"given dice, number {place}: expected 1 to {sides} for a d{sides}, got {found}.")

    def _check_dice(self, dice: Sequence[int]) -> Any:
        if len(dice) > MAX_GIVEN_DICE:
            raise DiceError(f"given dice: expected at most {MAX_GIVEN_DICE}, got {len(dice)}.")
        for die in dice:
            if isinstance(die, bool) or not isinstance(die, int | np.integer) or not 1 <= die <= self.largest_die:
                raise DiceError(f"given dice: expected whole numbers from 1 to {self.largest_die}, got {die!r}.")
        return np.array(dice, np.uint8)
