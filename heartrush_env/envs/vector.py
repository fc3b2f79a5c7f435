"""Many fights of any Game at once, in arrays (fights, agents, ...) that are written in place.

The arrays belong to the batch, and values that did not change since the last step may not be rewritten: copy a step's
observations before you keep or modify them.

A slot whose fight ends starts its next fight in the same step. One thread is the default, because its speed does not
suffer on a busy machine.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, partial
from itertools import pairwise
from time import thread_time
from types import MappingProxyType
from typing import Any, Final

import gymnasium.vector
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from heartrush_env.envs.base import GameEnv
from heartrush_env.envs.rewards import RewardFunction, of_the_fight_that_ended, payments
from heartrush_env.envs.snapshots import pack_snapshot, unpack_snapshot
from heartrush_env.envs.spaces import action_space, observation_space
from heartrush_env.tabletop.arguments import (
    Illegal,
    at_least_one,
    check_choice,
    random_seed,
    read_seed,
    refusal,
    whole_number,
)
from heartrush_env.tabletop.device.device import CPU
from heartrush_env.tabletop.errors import HeartRushError, IllegalAction, SnapshotError
from heartrush_env.tabletop.game import (
    MISSING,
    ActionArray,
    FlagArray,
    FloatArray,
    Game,
    Snapshot,
    Vectors,
    asked_of,
    room_for_actions,
)

Arrays = dict[str, NDArray[Any]]
# Gymnasium has names for its autoreset modes since version 1.1.
SAME_STEP: Final = (
    gymnasium.vector.AutoresetMode.SAME_STEP if hasattr(gymnasium.vector, "AutoresetMode") else "SameStep"
)
WAKING: Final = 40e-6  # seconds to wake another thread, and to notice that it is done
LATEST: Final = 1 / 8  # the weight of the latest step in the average pace
GRAIN: Final = 32  # shares change in steps of 1 / GRAIN of the slots, because a call is prepared for each share


class BatchEnv(GameEnv):
    """An environment that plays many fights of one game at once, one in each slot.

    reset() and step() return the same arrays every time, with new content: copy what you keep.
    """

    def __init__(
        self,
        game: Game,
        num_envs: int,
        *,
        seed: int | None = None,
        num_threads: int = 1,
        illegal: Illegal = "fallback",
        name: str | None = None,
        reward: RewardFunction | None = None,
        observations: str = "vector",
        device: str = CPU,
        opponents: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        """Allocate `num_envs` slots.

        Args:
            game: The game to play.
            num_envs: The number of slots. Slot s plays the fights s, s + num_envs, s + 2 num_envs, ... of the seed.
            seed: The seed of the first reset; random by default.
            num_threads: The number of threads that share the slots; a few quick fights use only one.
            illegal: How a masked or missing action is handled: "fallback" plays the game's fallback, "raise" raises.
            name: The environment's name; by default the game's name with its version.
            reward: A function that replaces the game's rewards, called with the events of each slot's step;
                it is Python code called once per slot, far slower than the game's own rewards.
            observations: The kind of observations: "vector", or another of the game's `observation_kinds`.
            device: "cpu", or a GPU such as "cuda" or "cuda:1": make_vec then returns a DeviceBatchEnv, whose arrays
                stay in the GPU's memory.
            opponents: On a GPU, agents that take seats in every fight, by the seats' names: agents, their ids, or
                classes of players that are networks or tables of fixed weights.
        """
        self.game = game
        self._reward, self._device_name, self._opponents = reward, device, dict(opponents)
        self.num_envs = at_least_one("num_envs", num_envs)
        self.observation_kind = check_choice("observations", observations, game.observation_kinds)
        if device == CPU:
            check_memory(game, self.num_envs, observations)
            if opponents:
                raise HeartRushError(
                    "opponents: expected none on the processor, where vector_env seats them, got "
                    f"{', '.join(map(str, opponents))}."
                )
        elif type(self) is BatchEnv:
            raise HeartRushError(f'device: expected "cpu" for a BatchEnv, got {device!r}; make_vec takes GPUs.')
        self.num_threads = min(at_least_one("num_threads", num_threads), self.num_envs)
        self.illegal = check_choice("illegal", illegal, ("fallback", "raise"))
        self.metadata: dict[str, Any] = {
            "name": name or f"{game.name}_v0",
            "render_modes": [],
            "autoreset_mode": SAME_STEP,
        }
        self.autoreset_mode = SAME_STEP
        self.agents = list(game.agents)
        self.single_observation_space = observation_space(game, observations)
        self.single_action_space = action_space(game)
        self._seeds = [-1] * self.num_envs
        self._first_seed = read_seed(seed)
        self._started = False
        self._pool: ThreadPoolExecutor | None = None
        self._pace = 0.0  # the seconds that a slot takes, 0 before the first step
        self._make_arrays()

    def _make_arrays(self) -> None:
        """Make the batch, and collect its arrays under the names that the results use."""
        batch = self.game.batch(self.num_envs, record=self._reward is not None, observations=self.observation_kind)
        shape = (self.num_envs, len(self.agents))
        self._batch = batch
        self._choices = room_for_actions(batch)
        self._unsigned = self._choices.reshape(-1).view(np.uint64)  # here, numbers below 0 are the largest
        self._fights, self._ended = batch.numbers, batch.ended
        self._last_action = batch.masks.shape[-1] - 1
        self.observations: Arrays = {**batch.seen, "action_mask": batch.masks}
        self.vectors: Vectors = batch.vectors  # read by players
        self.rewards: FloatArray = batch.rewards if self._reward is None else np.zeros(shape, np.float32)
        self.terminations: FlagArray = np.broadcast_to(batch.terminated[:, None], shape)
        self.truncations: FlagArray = np.broadcast_to(batch.truncated[:, None], shape)
        self.infos: Arrays = {
            "ended": self._ended,
            **{f"final_{name}": array for name, array in batch.final_seen.items()},
            "final_action_mask": batch.final_masks,
            "illegal": batch.illegal,
            "out": batch.out,
            "fight": self._fights,
        }

    # -- spaces and names ----------------------------------------------------------------------------------------------

    @property
    def num_agents(self) -> int:
        """The number of agents in a fight."""
        return len(self.agents)

    @cached_property
    def observation_space(self) -> spaces.Dict:
        """The batched observation space; it is large, so it is built on first use."""
        return observation_space(self.game, self.observation_kind, self.num_envs, self.num_agents)

    @cached_property
    def action_space(self) -> spaces.MultiDiscrete:
        """The batched action space."""
        return spaces.MultiDiscrete(np.full((self.num_envs, self.num_agents), len(self.game.action_names)))

    # -- playing -------------------------------------------------------------------------------------------------------

    @property
    def asked(self) -> FlagArray:
        """The flags of the agents that decide in the next step, (fights, agents)."""
        return asked_of(self._batch)

    def reset(self, seed: int | None = None) -> tuple[Arrays, Arrays]:
        """Start fight s in each slot s; without a seed, resets after the first start each slot's next fight.

        Returns:
            observations: "observation" (fights, agents, features) and "action_mask" (fights, agents, actions); kinds of
                observations with several arrays have these in place of "observation".
            infos: As step() returns them.
        """
        key = read_seed(seed)
        if key is None and not self._started:
            key = random_seed() if self._first_seed is None else self._first_seed
        if key is None:
            self._fights += self.num_envs
        else:
            self._fights[:] = np.arange(self.num_envs)
            self._seeds = [key] * self.num_envs
        for seed_of_slots in sorted(set(self._seeds)):
            slots = [slot for slot in range(self.num_envs) if self._seeds[slot] == seed_of_slots]
            self._batch.start(slots, seed_of_slots, self._fights[slots].tolist())
        self._started = True
        return self.observations, self.infos

    def step(self, actions: Any) -> tuple[Arrays, FloatArray, FlagArray, FlagArray, Arrays]:
        """Play one window in each slot; where a fight ended, start the slot's next fight.

        Args:
            actions: Integers (fights, agents); -1 for no choice, which counts as illegal. Entries of agents that are
                not `asked` are ignored.

        Returns:
            observations: As reset() returns them; where a fight ended, those of the new fight.
            rewards: (fights, agents), for the step just played.
            terminations: (fights, agents), the same for all agents of a fight.
            truncations: (fights, agents), the same for all agents of a fight.
            infos: "ended" (fights,); where it is set, "final_observation" and "final_action_mask" of the fight that
                ended; "illegal" (fights, agents); "out" (fights, agents), indices into the game's `out_causes`; and
                "fight" (fights,), the number of the fight that the observations show.
        """
        self._read(actions)
        if self.num_threads == 1:
            self._batch.step(self._choices, autoreset=True)
        else:
            self._step_in_threads()
        if self._reward is not None:
            for slot in range(self.num_envs):
                events = self._batch.events(slot)
                happened = of_the_fight_that_ended(events) if self._ended[slot] else events
                self.rewards[slot] = payments(self._reward, happened, self.agents)
        return self.observations, self.rewards, self.terminations, self.truncations, self.infos

    def _step_in_threads(self) -> None:
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.num_threads - 1, thread_name_prefix="fights")
        step = partial(self._batch.step, self._choices, autoreset=True)
        (lo, hi), *others = shares(self.num_envs, self.num_threads, self._pace)
        tasks = [self._pool.submit(step, lo=first, hi=end) for first, end in others]
        began = thread_time()  # does not advance while this thread waits
        step(lo=lo, hi=hi)
        pace = (thread_time() - began) / (hi - lo)
        self._pace += (pace - self._pace) * LATEST if self._pace else pace
        for task in tasks:
            task.result()

    def _read(self, actions: Any) -> None:
        """Check and store the actions; actions of agents that are not asked are ignored."""
        if not self._started:
            raise HeartRushError("step() was called before reset().")
        self._choices[:] = numbers(actions, self._choices.shape)
        given = self._unsigned
        if given.item(given.argmax()) > self._last_action:  # the quickest way to see that there is nothing to refuse
            self._refuse_outside(actions)
        if self.illegal == "raise":
            self._refuse_illegal()

    def _refuse_outside(self, actions: Any) -> None:
        """Raise IllegalAction for the first action outside the space; drop actions of agents that are not asked."""
        last = self._last_action
        if np.minimum.reduce(self._choices, None) >= MISSING and np.maximum.reduce(self._choices, None) <= last:
            return  # choices are missing but none is wrong; the code below takes several times as long
        outside = (self._choices < MISSING) | (self._choices > last)
        wrong = np.argwhere(outside & self.asked)
        if len(wrong):
            slot, seat = wrong[0]
            raise IllegalAction(
                f"{self.agents[seat]} of slot {slot}: expected an action from 0 to {last}, or -1 for no choice, "
                f"got {np.asarray(actions)[slot, seat]}."
            )
        self._choices[outside] = MISSING

    def _refuse_illegal(self) -> None:
        """Raise IllegalAction for the first action that is masked or missing where the agent is asked."""
        picks = np.maximum(self._choices, 0)
        legal = np.take_along_axis(self._batch.masks, picks[..., None], axis=2)[..., 0] != 0
        wrong = np.argwhere(((self._choices == MISSING) | ~legal) & self.asked)
        if len(wrong):
            slot, seat = wrong[0]
            pick, mask = int(self._choices[slot, seat]), self._batch.masks[slot, seat]
            raise IllegalAction(f"In slot {slot}, {refusal(self.game, self.agents[seat], pick, mask)}")

    def close(self) -> None:
        """Stop the threads."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    # -- state, snapshots and pickles ----------------------------------------------------------------------------------

    def state(self, slot: int) -> FloatArray:
        """Return everything revealed in a slot so far, from no agent's point of view, for a central critic."""
        return np.array(self._batch.state(self._begun(slot)), dtype=np.float32)

    def snapshot(self, slot: int) -> Snapshot:
        """Return a slot's whole fight as JSON-able data, including its future dice: for referees, never for agents."""
        slot = self._begun(slot)
        return pack_snapshot(self.game, self._batch, slot, self._seeds[slot], int(self._fights[slot]))

    def restore(self, slot: int, snapshot: Mapping[str, Any]) -> None:
        """Restore a snapshot of the same scenario into a slot, which continues from that fight's number and seed."""
        slot = self._begun(slot)
        before = self._batch.snapshot(slot)
        key = unpack_snapshot(self.game, self._batch, slot, snapshot)
        if self._batch.terminated[slot] or self._batch.truncated[slot]:
            self._batch.restore(slot, before)
            raise SnapshotError("The fight of this snapshot has ended, so no slot can continue it.")
        self._seeds[slot], self._fights[slot] = key
        self._ended[slot] = False

    def __getstate__(self) -> dict[str, Any]:
        """Pickle everything except the batch and the threads; the fights are kept as snapshots."""
        state = {key: value for key, value in self.__dict__.items() if key not in OF_THE_BATCH}
        if self._started:
            state["fights_in_play"] = [self._batch.snapshot(slot) for slot in range(self.num_envs)]
            state["results"] = [array.copy() for array in self._results()]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Make a new batch and continue the fights."""
        state = dict(state)
        fights, results = state.pop("fights_in_play", []), state.pop("results", [])
        self.__dict__.update(state, _pool=None)
        self._make_arrays()
        for slot, fight in enumerate(fights):
            self._batch.restore(slot, fight)
        for array, before in zip(self._results() if fights else (), results, strict=True):
            array[...] = before

    def _results(self) -> list[NDArray[Any]]:
        """List the arrays that describe the last step and are not part of snapshots of fights."""
        batch = self._batch
        told = [array for name, array in self.infos.items() if name != "out" and array.flags.writeable]
        return [self.rewards, batch.terminated, batch.truncated, *told]

    def _begun(self, slot: int) -> int:
        if not self._started:
            raise HeartRushError("There is no fight before reset().")
        number = whole_number("A slot", slot)
        if not 0 <= number < self.num_envs:
            raise HeartRushError(f"There is no slot {number}: the slots are 0 to {self.num_envs - 1}.")
        return number


# fmt: off
OF_THE_BATCH: Final = frozenset({"_batch", "_choices", "_unsigned", "_fights", "_ended", "_last_action", "_pool",
                                 "observations", "vectors", "rewards", "terminations", "truncations", "infos"})
# fmt: on


LARGEST: Final = np.uint64(np.iinfo(np.int64).max)


def numbers(actions: Any, shape: tuple[int, ...]) -> ActionArray:
    """Return the actions as an array; raise IllegalAction unless they are whole numbers of this shape."""
    given = np.asarray(actions)
    if given.shape != shape:
        raise IllegalAction(f"The actions: expected the shape {shape}, got {given.shape}.")
    if given.dtype.kind not in "iu":
        raise IllegalAction(f"The actions: expected whole numbers, got {given.dtype}.")
    if given.dtype == np.uint64:  # its largest numbers would become negative, and -1 means no choice
        given = np.minimum(given, LARGEST).astype(np.int64)
    return given


def shares(slots: int, threads: int, pace: float) -> list[tuple[int, int]]:
    """Return the first slot and the end (excluded) of each thread's share; threads without slots are left out.

    The first thread is already awake, so it takes extra slots: as many as it plays while another thread wakes. If the
    extra slots are at least half of all slots, the first thread takes all of them.

    Args:
        slots: The number of slots.
        threads: The number of threads.
        pace: The seconds that a slot takes, 0 if unknown.
    """
    more = round(WAKING / pace / slots * GRAIN) * slots // GRAIN if pace else 0
    if 2 * more >= slots:
        return [(0, slots)]
    bounds = [more + (slots - more) * thread // threads for thread in range(1, threads + 1)]
    return [(lo, hi) for lo, hi in pairwise([0, *bounds]) if lo < hi]


def check_memory(game: Game, num_envs: int, observations: str) -> None:
    """Raise HeartRushError if the fights need more memory than the machine has."""
    each, there = game.bytes_per_fight(observations), machine_memory()
    needed = num_envs * each
    if there is not None and needed > there:
        most = there // each
        raise HeartRushError(
            f"num_envs: expected at most {most}, since this machine has {there:,} bytes of memory, got "
            f"{num_envs}, which takes {needed:,}."
        )


def machine_memory() -> int | None:
    """Return the machine's memory in bytes, or None if it is unknown."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # as on Windows
        return None
