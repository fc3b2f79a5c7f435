"""The protocols of a game: the Game, the Batch of fights that step together, and the Player of a seat.

Environments, agents and trainers are written against these protocols and contain no rules.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any, Literal, NamedTuple, Protocol, TypedDict, cast

import numpy as np
from numpy.typing import NDArray

from heartrush_env.tabletop.errors import PolicyError

FloatArray = NDArray[np.float32]
FlagArray = NDArray[np.bool_]
ByteArray = NDArray[np.int8]
Picture = NDArray[np.uint8]
ActionArray = NDArray[np.int64]
Arrays = Mapping[str, NDArray[Any]]

Event = dict[str, Any]  # {"type": "attack", "attacker": ..., ...}, JSON-able
Snapshot = dict[str, Any]  # JSON-able

MISSING = -1  # marks a seat without a choice in an action array
LARGEST_FIGHT = 2**62  # the largest fight number; users give at most half of it, so that all later fights stay below


class Moment(NamedTuple):
    """One moment of one fight."""

    seed: int
    fight: int
    step: int  # 0 at the fight's start

    def next(self) -> Moment:
        """Return the next moment of this fight."""
        return self._replace(step=self.step + 1)


class Board(Protocol):
    """A board that draws the moments of one fight, one after another, from public facts alone."""

    @property
    def exact(self) -> Sequence[tuple[int, int, int]]:
        """The colors that a film must show exactly."""

    @property
    def blows(self) -> Collection[str]:
        """The types of events whose pictures a film shows longer."""

    def draw(self, view: Mapping[str, Any], events: Sequence[Event], when: Moment) -> Picture:
        """Return the picture of a moment and of the step that led to it, (height, width, 3), from 0 to 255."""

    def glide(self, view: Mapping[str, Any], events: Sequence[Event], when: Moment) -> list[Picture]:
        """Return the pictures between the last drawn moment and this one; call it before drawing this one."""

    def record_step(self, events: Sequence[Event], when: Moment) -> None:
        """Record a step that is not drawn."""


class Bounds(NamedTuple):
    """The least and greatest values of an observation's array, as arrays of its shape and dtype."""

    low: NDArray[Any]
    high: NDArray[Any]
    of_fight: bool = False  # whether all seats of a fight share one array


class Vectors(Protocol):
    """Anything that is indexed like an array (fights, seats, features) of float32."""

    def __getitem__(self, places: Any, /) -> FloatArray:
        """Return the vectors at these indices."""


class Observation(TypedDict):
    """One seat's observation as agents read it: the vector from its point of view, and its legal actions."""

    observation: FloatArray  # (features,)
    action_mask: ByteArray  # (actions,), 1 where legal, never all 0


class Game(Protocol):
    """One scenario under fixed options: immutable, hashable, picklable, and the same in every process.

    A seat decides for one fighter, or for all fighters of a team. Arrays name their axes by
    `seats` = len(agents), `features` = len(feature_names), `actions` = len(action_names).
    """

    def __hash__(self) -> int:
        """Return a hash; equal games have equal hashes."""

    @property
    def name(self) -> str:
        """The name of the game, such as "heart_rush"."""

    @property
    def scenario_name(self) -> str:
        """The name of the scenario, such as "duel"."""

    @property
    def agents(self) -> tuple[str, ...]:
        """The names of the seats, such as "knight_0"; a name's index is the seat's number."""

    @property
    def teams(self) -> tuple[str, ...]:
        """The team of each seat."""

    @property
    def action_names(self) -> tuple[str, ...]:
        """A stable name for each action, the same for all seats."""

    @property
    def feature_names(self) -> tuple[str, ...]:
        """A stable name for each feature of an observation, the same for all seats."""

    @property
    def out_causes(self) -> tuple[str, ...]:
        """The causes that can put a seat out of the fight; the first is "", for a seat that is not out."""

    @property
    def observation_low(self) -> FloatArray:
        """The lowest value of each feature, (features,)."""

    @property
    def observation_high(self) -> FloatArray:
        """The highest value of each feature, (features,)."""

    @property
    def observation_kinds(self) -> tuple[str, ...]:
        """The kinds of observations that a batch can have; "vector", the features as float32, is the first."""

    def observed(self, observations: str) -> Mapping[str, Bounds]:
        """Return the bounds of each array of an observation of this kind, by name, except for the mask."""

    @property
    def state_low(self) -> FloatArray:
        """The minimum of each element of the state array, (state size,)."""

    @property
    def state_high(self) -> FloatArray:
        """The maximum of each element of the state array, (state size,)."""

    @property
    def options(self) -> Mapping[str, Any]:
        """The options that fix how the scenario is played and seen, JSON-able.

        Callers may rely on these keys: "control" ("fighter" or "team"), "shape" (a name), "memory" (how many reveals an
        observation shows, None for all), "decisions", "reward" and "max_cycles".
        """

    @property
    def rules(self) -> Mapping[str, Any]:
        """The settings of the rules by name, JSON-able."""

    def as_table(self) -> dict[str, Any]:
        """Return the game's name, scenario and options as a JSON-able table, from which `open_game` makes the game."""

    @property
    def scenario_digest(self) -> str:
        """A digest of the scenario with its settings; games with equal digests start from the same position."""

    @property
    def digest(self) -> str:
        """A digest of the scenario and every option that changes how it plays; each snapshot of the game holds it."""

    def batch(self, num_fights: int = 1, *, record: bool = False, observations: str = "vector") -> Batch:
        """Allocate room for `num_fights` fights with these observations; `record` keeps the events of each step."""

    def text_picture(self, view: Mapping[str, Any]) -> str:
        """Return a fight as lines of text; `view` is the result of a batch's `describe`."""

    def new_board(self) -> Board:
        """Return a board that draws one fight; raise HeartRushError without the extra `render`."""

    def bytes_per_fight(self, observations: str = "vector", record: bool = False) -> int:
        """Return the memory in bytes of one fight in a batch with this kind of observations, kept events included."""


class Batch(Protocol):
    """Many fights that step together, one in each slot; slots do not affect one another.

    The arrays are allocated once and written in place, sometimes only where values changed; treat them as read-only.
    Rewards, endings and `illegal` describe the last step. Observations, masks and `out` describe the pending decision;
    after an autoreset, it is a decision of the new fight. A batch starts empty: read or step a slot only after
    `start` or `restore`.

    Action 0 of every game does nothing. The mask of a seat that is not asked to decide allows this action alone. A
    batch may also have an array `asked` (fights, seats), which is True for each seat that is asked; without one,
    `asked_of` finds these seats by their masks.
    """

    observations: NDArray[Any]  # (fights, seats, features), or another kind of observations with a single array
    seen: Arrays  # all arrays of the observations by name, (fights, seats, ...) or (fights, ...)
    vectors: Vectors  # the vectors that agents read, for any kind of observations
    masks: ByteArray  # (fights, seats, actions), at least one 1 for each seat, even at the end of a fight
    rewards: FloatArray  # (fights, seats)
    terminated: FlagArray  # (fights,): the fight ended; never True together with truncated
    truncated: FlagArray  # (fights,): it was cut off after max_cycles steps
    ended: FlagArray  # (fights,): terminated or truncated
    numbers: NDArray[np.int64]  # (fights,): the number of the fight that the slot shows
    illegal: FlagArray  # (fights, seats): the action was masked or missing, and the fallback was played
    out: ByteArray  # (fights, seats): why a seat is out of the fight, an index into Game.out_causes
    final_observations: NDArray[Any]  # like `observations`, for fights that ended in the last autoreset
    final_seen: Arrays  # like `seen`, for fights that ended in the last autoreset
    final_masks: ByteArray  # (fights, seats, actions), for fights that ended in the last autoreset

    def start(self, slots: Sequence[int], seed: int, fights: Sequence[int], dice: Sequence[int] | None = None) -> None:
        """Start fight number fights[k] of the seed in slot slots[k], with no reward, no ending and nothing illegal.

        Args:
            slots: The slots to start, each once.
            seed: From 0 to 2**63 - 1; with the fight's number it determines all dice.
            fights: The number of the fight for each of these slots.
            dice: The results of the first rolls of each of these fights, in the order of the rules.
        """

    def step(self, actions: ActionArray, *, autoreset: bool = False, lo: int = 0, hi: int | None = None) -> None:
        """Play one window in each slot from lo up to but not including hi; release the interpreter lock meanwhile.

        Args:
            actions: (fights, seats), each an action's number or MISSING. Values of seats that are not asked are
                ignored. A masked or missing action of a seat that is asked sets `illegal` and plays the fallback. An
                array from `room_for_actions` is read in place, without a copy.
            autoreset: If True, a slot whose fight ended keeps its last observations in final_observations and
                final_masks. It then starts the fight whose number is greater by the number of slots, under the same
                seed. If False, a slot whose fight has ended must not be stepped.
            lo: The first slot to play.
            hi: The slot to stop before; None to play all slots from lo on.
        """

    def legal(self, slot: int, seat: int) -> list[int]:
        """Return the numbers of the seat's legal actions, in order."""

    def events(self, slot: int) -> list[Event]:
        """Return the public events of the last step or start, in order; needs `record`.

        After an autoreset these are the last events of the fight that ended, then the first events of the next fight.
        """

    def state(self, slot: int) -> FloatArray:
        """Return everything revealed so far, independent of any seat, as a new array of shape (state size,)."""

    def snapshot(self, slot: int) -> Snapshot:
        """Return the whole fight as JSON-able data, including its future dice and its steps so far."""

    def restore(self, slot: int, data: Mapping[str, Any]) -> None:
        """Restore a snapshot; the arrays then show that moment, with no reward and nothing illegal.

        A snapshot that does not match raises SnapshotError and changes nothing.
        """

    def describe(self, slot: int) -> dict[str, Any]:
        """Return the public facts of the fight as JSON-able data; the game's pictures are drawn from them."""

    def moment(self, slot: int) -> Moment:
        """Return the moment of the fight that the slot shows."""


def room_for_actions(batch: Batch) -> ActionArray:
    """Return an array for writing a batch's actions before each step.

    A batch may have its own array `actions`, which step() reads in place; any other array is copied first.
    """
    own: ActionArray | None = getattr(batch, "actions", None)
    return np.full(batch.illegal.shape, MISSING, np.int64) if own is None else own


def asked_of(batch: Batch) -> FlagArray:
    """Return which seats are asked to decide, (fights, seats)."""
    own: FlagArray | None = getattr(batch, "asked", None)
    if own is None:
        own = np.any(batch.masks[..., 1:], axis=-1)
    return own


def asked_reader(batch: Batch, slot: int, seat: int) -> Callable[[], bool]:
    """Return a function that returns whether one seat is asked to decide; it is twenty times as fast as `asked_of`."""
    own: FlagArray | None = getattr(batch, "asked", None)
    if own is not None:
        return cast("Callable[[], bool]", partial(own[slot].item, seat))
    mask = batch.masks[slot, seat]
    as_bytes, nothing = mask.tobytes, bytes([1, *[0] * (len(mask) - 1)])
    return lambda: as_bytes() != nothing


class Player(Protocol):
    """A player, which decides for a seat. Most players define `policy` and use defaults for the other methods."""

    @property
    def memory(self) -> int | Literal["match"]:
        """The player's memory: 0, a number of reveals, or "match" for everything since new_match()."""

    def new_match(self) -> None:
        """Forget everything: the opponents may change."""

    def new_fight(self) -> None:
        """Prepare for the next fight, against the same opponents."""

    def observe(self, events: Sequence[Event]) -> None:
        """Receive the public events since the last call."""

    def policy(self, observation: Observation) -> NDArray[np.floating[Any]]:
        """Return the probability of each action, 0 where masked, (actions,)."""

    def act(self, observation: Observation, rng: np.random.Generator) -> int:
        """Draw one action from the policy."""


def is_on_map(game: Game) -> bool:
    """Return whether a game's fights are on a map: its attribute `on_map`, False by default."""
    return bool(getattr(game, "on_map", False))


def memory_columns(game: Game) -> Sequence[int]:
    """Return the indices of the features that depend on how many reveals are shown: the game's `memory_columns`."""
    found: Sequence[int] = getattr(game, "memory_columns", ())
    return found


def most_reveals(game: Game) -> int:
    """Return how many reveals an observation can show: the game's `most_reveals`, 0 by default."""
    return int(getattr(game, "most_reveals", 0))


def blunders(game: Game) -> frozenset[str] | None:
    """Return the first words of the actions that a player may choose by mistake: the game's `blunders`.

    None means that any action may be a mistake.
    """
    found: frozenset[str] | None = getattr(game, "blunders", None)
    return found


def lasting_columns(game: Game) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the indices of the features that keep their values through a fight, and of those that seldom change.

    Both are in the game's attribute `lasting_columns`; by default, every feature may change.
    """
    every = np.arange(len(game.feature_names))
    found: tuple[NDArray[np.intp], NDArray[np.intp]] = getattr(game, "lasting_columns", (every[:0], every))
    return found


def tables_digest(game: Game) -> str:
    """Return a digest of all actions, features and bounds, which weights and datasets depend on; 32 hex digits."""
    names = json.dumps([game.action_names, game.feature_names]).encode()
    bounds = np.stack([game.observation_low, game.observation_high]).astype("<f4").tobytes()
    return hashlib.sha256(names + bounds).hexdigest()[:32]


def policy_of(player: Any, observation: Observation) -> NDArray[Any]:
    """Return a player's policy for an observation, (actions,); raise PolicyError if its length is wrong."""
    return _checked(player, player.policy(observation), observation["action_mask"].shape)


def policies_of(player: Any, features: FloatArray, masks: ByteArray) -> NDArray[Any]:
    """Return a player's policies for many observations, (n, actions); raise PolicyError if their shape is wrong."""
    return _checked(player, player.policies(features, masks), masks.shape)


def _checked(player: Any, given: Any, shape: tuple[int, ...]) -> NDArray[Any]:
    """Return the policy as a numeric array of this shape; raise PolicyError if it is not one."""
    try:
        found = np.asarray(given)
    except ValueError:  # rows of different lengths
        found = np.empty((), dtype=object)
    if found.shape == shape and found.dtype.kind in "fiub":
        return found
    if found.dtype.kind not in "fiub":
        what = f"a policy that is not an array of numbers ({type(given).__name__})"
    elif len(shape) == 1 and found.ndim == 1:
        what = f"a policy of length {len(found)}"
    else:
        what = f"a policy of shape {found.shape}"
    wanted = f"length {shape[0]}" if len(shape) == 1 else f"shape {shape}"
    raise PolicyError(
        f"{type(player).__name__}: expected a policy of {wanted}, with a probability for each action, got {what}."
    )
