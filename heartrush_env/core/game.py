"""The protocols of a game: the Game, the Batch of fights that step together, and the Player of a seat.

Environments, agents and trainers are written against these protocols and know no rules.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, Protocol, TypedDict

import numpy as np
from numpy.typing import NDArray

from heartrush_env.core.errors import PolicyError

FloatArray = NDArray[np.float32]
FlagArray = NDArray[np.bool_]
ByteArray = NDArray[np.int8]
Picture = NDArray[np.uint8]
ActionArray = NDArray[np.int64]
Arrays = Mapping[str, NDArray[Any]]

Event = dict[str, Any]  # {"type": "attack", "attacker": ..., ...}, JSON-able
Snapshot = dict[str, Any]  # JSON-able

MISSING = -1  # stands in an action array for a seat that chose nothing
LARGEST_FIGHT = 2**62  # the largest number of a fight; those that follow a named one, of half that at most, stay below


class Moment(NamedTuple):
    """One moment of one fight."""

    seed: int
    fight: int
    step: int  # 0 at the fight's start

    def next(self) -> Moment:
        """The next moment of the same fight."""
        return self._replace(step=self.step + 1)


class Board(Protocol):
    """Draws the moments of one fight, one after another, from public facts alone."""

    def draw(self, view: Mapping[str, Any], events: Sequence[Event], when: Moment) -> Picture:
        """The picture of a moment and of the step that led to it, (height, width, 3), from 0 to 255."""

    def glide(self, view: Mapping[str, Any], events: Sequence[Event], when: Moment) -> list[Picture]:
        """The pictures between the moment drawn last and this one; ask for them before drawing this one."""

    def hear(self, events: Sequence[Event], when: Moment) -> None:
        """Record a step that is not drawn."""


class Bounds(NamedTuple):
    """The least and the greatest values of an array of an observation; they have its shape and its kind of numbers."""

    low: NDArray[Any]
    high: NDArray[Any]
    of_fight: bool = False  # one array for all seats of a fight, in place of one for each seat


class Vectors(Protocol):
    """Anything that is indexed like an array (fights, seats, features) of float32."""

    def __getitem__(self, places: Any, /) -> FloatArray:
        """The vectors at these places."""


class Observation(TypedDict):
    """One seat's observation as agents read it: the vector from its point of view, and its legal actions."""

    observation: FloatArray  # (features,)
    action_mask: ByteArray  # (actions,), 1 where legal, never all 0


class Game(Protocol):
    """One scenario under fixed options: immutable, picklable, and the same in every process.

    A seat decides for a fighter, or for a team that commands its fighters. Arrays name their axes by
    `seats` = len(agents), `features` = len(feature_names), `actions` = len(action_names).
    """

    @property
    def name(self) -> str:
        """The game, as in "heart_rush"."""

    @property
    def scenario_name(self) -> str:
        """The scenario, as in "duel"."""

    @property
    def agents(self) -> tuple[str, ...]:
        """The seats by name, as in "knight_0"; a name's index is the seat's number."""

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
        """The causes for which a seat can be out of the fight; the first is "", for a seat that is not out."""

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
        """The arrays of an observation of this kind by name, all except the mask."""

    @property
    def state_low(self) -> FloatArray:
        """The lowest value of each number of the state, (state size,)."""

    @property
    def state_high(self) -> FloatArray:
        """The highest value of each number of the state, (state size,)."""

    @property
    def options(self) -> Mapping[str, Any]:
        """The options that fix how the scenario is played and seen, JSON-able.

        The keys that callers may rely on: "control" ("fighter" or "team"), "shape" (a name), "memory" (how many
        reveals an observation shows, None for all), "decisions", "reward" and "max_cycles".
        """

    @property
    def rules(self) -> Mapping[str, Any]:
        """The settings of the rules by name, JSON-able."""

    @property
    def scenario_digest(self) -> str:
        """A digest of the scenario with its settings; two games with the same one start from the same position."""

    @property
    def digest(self) -> str:
        """A digest of the scenario and every option that changes how it plays; a snapshot holds the same one."""

    def batch(self, num_fights: int = 1, *, record: bool = False, observations: str = "vector") -> Batch:
        """Allocate room for `num_fights` fights with this kind of observations; `record` keeps the events of a step."""

    def text_picture(self, view: Mapping[str, Any]) -> str:
        """A fight as lines of text, from what `describe` of a batch returns."""

    def new_board(self) -> Board:
        """A board that draws one fight; HeartRushError without the extra `render`."""

    def bytes_per_fight(self, observations: str = "vector") -> int:
        """The memory that one fight of a batch with this kind of observations takes, in bytes."""


class Batch(Protocol):
    """Many fights that step together, one in each slot; slots do not affect one another.

    The arrays are allocated once and written in place, sometimes only where values changed; treat them as read-only.
    Rewards, endings and `illegal` describe the last step. Observations, masks and `out` describe the pending decision,
    after an autoreset that of the new fight. A batch starts empty: read or step a slot only after `start` or `restore`.
    """

    observations: NDArray[Any]  # (fights, seats, features), or of any kind that is one array
    seen: Arrays  # all arrays of the observations by name, (fights, seats, ...) or (fights, ...)
    vectors: Vectors  # the vectors, which agents read, of observations of any kind
    masks: ByteArray  # (fights, seats, actions), at least one 1 for each seat, at the end of a fight too
    rewards: FloatArray  # (fights, seats)
    terminated: FlagArray  # (fights,): the fight ended; never True together with truncated
    truncated: FlagArray  # (fights,): it was cut off after max_cycles steps
    ended: FlagArray  # (fights,): one of the two
    numbers: NDArray[np.int64]  # (fights,): the number of the fight that the slot shows
    illegal: FlagArray  # (fights, seats): the action was masked or missing, and the fallback was played
    out: ByteArray  # (fights, seats): why a seat is out of the fight, an index into Game.out_causes
    final_observations: NDArray[Any]  # as `observations`: of the fight that ended in the last autoreset
    final_seen: Arrays  # as `seen`, likewise
    final_masks: ByteArray  # (fights, seats, actions), likewise

    def start(self, slots: Sequence[int], seed: int, fights: Sequence[int], dice: Sequence[int] | None = None) -> None:
        """Start fight number fights[k] of the seed in slot slots[k], with no reward, no ending and nothing illegal.

        Args:
            slots: The slots to start, each once.
            seed: From 0 to 2**63 - 1; with the fight's number it determines all dice.
            fights: The number of the fight for each of these slots.
            dice: The results of the first rolls of each of these fights, in the order of the rules.
        """

    def step(self, actions: ActionArray, *, autoreset: bool = False, lo: int = 0, hi: int | None = None) -> None:
        """Play one window in each slot from lo up to hi (without it); releases the interpreter lock.

        Args:
            actions: (fights, seats), each an action's number or MISSING. Values of seats that are out are ignored. A
                masked or missing action of any other seat sets `illegal` and plays the fallback. The array that
                `room_for_actions` gives need not be copied.
            autoreset: A slot whose fight ended keeps its last observations in final_observations and final_masks and
                starts the fight whose number is greater by the number of slots, under the same seed. Without it, a
                slot whose fight has ended must not be stepped.
            lo: The first slot to play.
            hi: The slot to stop before; None for all the rest.
        """

    def give_details(self, slot: int, seat: int, details: Mapping[str, Any]) -> int:
        """Set what an action's number cannot say of a seat's next choice; returns the action that takes it.

        The game says which keys it takes; values are JSON-able. The details hold for the seat's next choice only. An
        unknown key, or a value that is not allowed, raises IllegalAction.
        """

    def check_details(self, slot: int, seat: int, action: int) -> None:
        """Raise IllegalAction for an action that contradicts the seat's details; step() does the same."""

    def drop_details(self, slot: int, seat: int) -> None:
        """Forget the seat's details, for a choice that is refused or only checked."""

    def legal(self, slot: int, seat: int) -> list[int]:
        """The numbers of the seat's legal actions, in order."""

    def events(self, slot: int) -> list[Event]:
        """The public events of the last step or start, in order; needs `record`.

        After an autoreset these are the last events of the fight that ended, then the first of the next one.
        """

    def state(self, slot: int) -> FloatArray:
        """Everything revealed so far, from no seat's point of view, (state size,), a new array."""

    def snapshot(self, slot: int) -> Snapshot:
        """The whole fight as JSON-able data, including its future dice and its steps so far."""

    def restore(self, slot: int, data: Mapping[str, Any]) -> None:
        """Restore a snapshot; the arrays then show that moment, with no reward and nothing illegal.

        A snapshot that does not match raises SnapshotError and changes nothing.
        """

    def text(self, slot: int) -> str:
        """The fight in one line of notation."""

    def describe(self, slot: int) -> dict[str, Any]:
        """The public facts of the fight, JSON-able; the game's pictures are drawn from them."""

    def moment(self, slot: int) -> Moment:
        """The moment of the fight that the slot shows."""


def room_for_actions(batch: Batch) -> ActionArray:
    """An array to write a batch's actions into before each step.

    A batch may have an array `actions` of its own, which step() then reads where it is; any other is copied first.
    """
    own: ActionArray | None = getattr(batch, "actions", None)
    return np.full(batch.illegal.shape, MISSING, np.int64) if own is None else own


class Player(Protocol):
    """Decides for a seat. `policy` gives the probabilities; the rest has sensible defaults in most players."""

    @property
    def memory(self) -> int | Literal["match"]:
        """The player's memory: 0, a number of reveals, or "match" for everything since new_match()."""

    def new_match(self) -> None:
        """Forget everything: the opponents may change."""

    def new_fight(self) -> None:
        """A fight starts, against the same opponents."""

    def observe(self, events: Sequence[Event]) -> None:
        """Receive the public events."""

    def policy(self, observation: Observation) -> NDArray[np.floating[Any]]:
        """The probability of each action, 0 where masked, (actions,)."""

    def act(self, observation: Observation, rng: np.random.Generator) -> int:
        """Draw one action from the policy."""


def tables_digest(game: Game) -> str:
    """A digest of all actions, features and bounds, on which weights and datasets depend; 32 hexadecimal digits."""
    names = json.dumps([game.action_names, game.feature_names]).encode()
    bounds = np.stack([game.observation_low, game.observation_high]).astype("<f4").tobytes()
    return hashlib.sha256(names + bounds).hexdigest()[:32]


def policy_of(player: Any, observation: Observation) -> NDArray[Any]:
    """A player's policy for an observation, (actions,); PolicyError if its length differs."""
    return _checked(player, player.policy(observation), observation["action_mask"].shape)


def policies_of(player: Any, features: FloatArray, masks: ByteArray) -> NDArray[Any]:
    """A player's policies for many observations, (n, actions); PolicyError if the shape differs."""
    return _checked(player, player.policies(features, masks), masks.shape)


def _checked(player: Any, given: Any, shape: tuple[int, ...]) -> NDArray[Any]:
    """Return the policy as a numeric array of this shape."""
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
    raise PolicyError(f"{type(player).__name__} gives {what}, allowed: {wanted}, a probability for each action.")
