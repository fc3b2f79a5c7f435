"""Many fights of any Game at once on a GPU: the arrays of a batch environment stay in the device's memory.

PyTorch, JAX and CuPy take the arrays without a copy. A step returns before the device has finished it; reading an array
waits for it. All results equal those of the processor, byte for byte.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NoReturn, cast

import numpy as np
from numpy.typing import NDArray

from heartrush_env.envs.opponents import plain_policies
from heartrush_env.envs.snapshots import pack_snapshot, unpack_snapshot
from heartrush_env.envs.vector import BatchEnv
from heartrush_env.tabletop.arguments import random_seed, read_seed
from heartrush_env.tabletop.batch.extras import CHOSEN, DRAWN, extras_of, keys_of_draws
from heartrush_env.tabletop.batch.networks import packed
from heartrush_env.tabletop.device.arrays import DEFAULT_STREAMS, DeviceArray
from heartrush_env.tabletop.device.device import DeviceError
from heartrush_env.tabletop.device.fights import DeviceFights, Launch
from heartrush_env.tabletop.device.opening import open_device
from heartrush_env.tabletop.errors import HeartRushError, IllegalAction
from heartrush_env.tabletop.game import FloatArray, Snapshot
from heartrush_env.tabletop.sources import Sources

WIDE: Final = np.dtype(np.int64)  # the type of actions on a device


class DeviceBatchEnv(BatchEnv):
    """A BatchEnv whose fights are played on a device; make_vec(..., device="cuda") returns it."""

    def _make_arrays(self) -> None:
        """Make the batch on the device, and collect its arrays under the names that the results use."""
        if self._reward is not None:
            raise HeartRushError(
                f"reward: expected one of the game's own rewards on the device {self._device_name!r}, got a Python "
                "function."
            )
        if self.illegal != "fallback":
            raise HeartRushError(
                f'illegal: expected "fallback" on the device {self._device_name!r}, got {self.illegal!r}.'
            )
        policies = self._policies_of_opponents()  # before the rules are compiled for the device
        self._device = open_device(self._device_name)
        self._draw_key: int | None = None
        kind = self.observation_kind
        self._on_device = on = DeviceFights(
            self._device, lambda number: self.game.batch(number, record=False, observations=kind), self.num_envs
        )
        host = on.host
        self._batch = on.one  # of one fight, for spaces and single fights
        self._actions = on.array(host.actions)
        self.observations = cast("Any", {name: on.array(array) for name, array in host.seen.items()})
        self.observations["action_mask"] = cast("Any", on.array(host.masks))
        self.rewards = cast("Any", on.array(host.rewards))
        self._numbers = on.array(host.numbers)
        ended = np.zeros((2, *host.illegal.shape), np.bool_)
        self._extras = extras_of(cast("Sources", on.kernel.sources))
        slots = np.arange(self.num_envs, dtype=np.int64)
        self._keys = np.zeros(self.num_envs, np.uint64)
        self._draw = on.prepare(self._extras.draw_actions.kernel, slots, host.masks, host.actions, self._keys)
        self._spread_ends = on.prepare(self._extras.spread_ends.kernel, slots, host.terminated, host.truncated, *ended)
        self.terminations, self.truncations = cast("Any", (on.array(ended[0]), on.array(ended[1])))
        self._seat_opponents(policies, slots)
        asked = None if self._opponents else getattr(host, "asked", None)
        self._find_asked = None
        if asked is None:
            asked = np.zeros(host.illegal.shape, np.bool_)
            self._find_asked = on.prepare(self._extras.find_asked.kernel, slots, host.masks, self._who, asked)
        self._asked = on.array(asked)
        told = {
            "ended": host.ended,
            **{f"final_{name}": array for name, array in host.final_seen.items()},
            "final_action_mask": host.final_masks,
            "illegal": host.illegal,
            "out": host.out,
            "fight": host.numbers,
        }
        self.infos = cast("Any", {name: on.array(array) for name, array in told.items()})

    def _policies_of_opponents(self) -> dict[str, Any]:
        """Return the policies of the opponents by seat; refuse opponents that the device cannot play."""
        if self._opponents and self.observation_kind != "vector":
            raise HeartRushError(
                f'opponents: expected observations="vector", which networks read, got {self.observation_kind!r}.'
            )
        return plain_policies(self.game, self._opponents, self._device_name) if self._opponents else {}

    def _seat_opponents(self, policies: dict[str, Any], slots: NDArray[np.int64]) -> None:
        """Copy the networks of the opponents to the device, and prepare the kernel that chooses for their seats."""
        host = self._on_device.host
        self._who = np.full(self.num_agents, -1, np.int64)
        self._choose: Launch | None = None
        if not policies:
            return
        self._who[[self.agents.index(seat) for seat in policies]] = np.arange(len(policies))
        self._keys_of_opponents = np.zeros(self.num_envs, np.uint64)
        self._choose = self._on_device.prepare(
            self._extras.choose.kernel, slots, host.seen["observation"], host.masks, self._who,
            *packed(list(policies.values()), self.num_envs), self._keys_of_opponents, host.actions,
        )  # fmt: skip

    def _begin_draws(self, keys: NDArray[np.uint64], seed: int, which: np.uint64) -> None:
        """Begin a new sequence of draws on the device, from the seed."""
        keys[:] = keys_of_draws(seed, self.num_envs, which)
        self._device.upload(self._on_device.array(keys).address, keys)

    @property
    def device(self) -> str:
        """The name of the device, such as "cuda:0"."""
        return self._device.name

    @property
    def asked(self) -> Any:
        """The flags of the agents that decide in the next step, (fights, agents), on the device."""
        if self._find_asked is not None:
            self._find_asked()
        return self._asked

    def reset(self, seed: int | None = None) -> tuple[Any, Any]:
        """Start fight s in each slot s; without a seed, resets after the first start each slot's next fight.

        Returns:
            observations: As BatchEnv.reset() returns them, on the device.
            infos: As step() returns them.
        """
        key = read_seed(seed)
        if key is None and not self._started:
            key = random_seed() if self._first_seed is None else self._first_seed
        if key is None:
            numbers = self._numbers.numpy() + self.num_envs
        else:
            numbers = np.arange(self.num_envs)
            self._seeds = [key] * self.num_envs
            if self._choose is not None:
                self._begin_draws(self._keys_of_opponents, key, CHOSEN)
        seeds = np.array(self._seeds, np.int64)
        for seed_of_slots in np.unique(seeds).tolist():
            slots = np.flatnonzero(seeds == seed_of_slots).astype(np.int64)
            self._on_device.start(slots, seed_of_slots, numbers[slots])
        self._spread_ends()
        self._started = True
        return self.observations, self.infos

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, Any]:
        """Play one window in each slot; where a fight ended, start the slot's next fight.

        Args:
            actions: Integers (fights, agents): 64-bit integers on the device, or an array on the host. -1 and numbers
                outside the action space count as no choice, which is illegal. Entries of seats that opponents take
                are ignored.

        Returns:
            The five results of BatchEnv.step(), on the device; the next step writes new content into the arrays.
        """
        if not self._started:
            raise HeartRushError("step() was called before reset().")
        self._take(actions)
        if self._choose is not None:
            self._choose()
        self._on_device.step()
        self._spread_ends()
        return self.observations, self.rewards, self.terminations, self.truncations, self.infos

    def draw_actions(self, seed: int | None = None) -> DeviceArray:
        """Return a legal action for each agent, drawn uniformly on the device; the array is the one that step() reads.

        Args:
            seed: Begins a new sequence of draws; without a seed, the sequence goes on, or a random one begins.
        """
        if not self._started:
            raise HeartRushError("draw_actions() was called before reset().")
        if seed is not None or self._draw_key is None:
            self._draw_key = random_seed() if seed is None else cast("int", read_seed(seed))
            self._begin_draws(self._keys, self._draw_key, DRAWN)
        self._draw()
        return self._actions

    def _take(self, actions: Any) -> None:
        """Copy the actions into the array that the kernel reads."""
        if actions is self._actions:
            return
        shape = self._actions.shape
        described = None if isinstance(actions, np.ndarray) else getattr(actions, "__cuda_array_interface__", None)
        if described is None:
            given = np.asarray(actions)
            if given.shape != shape or given.dtype.kind not in "iu":
                wrong = f"{given.dtype} of shape {given.shape}"
                raise IllegalAction(f"The actions: expected whole numbers of shape {shape}, got {wrong}.")
            self._device.upload(self._actions.address, np.ascontiguousarray(given, WIDE))
            return
        kind, found = np.dtype(described["typestr"]), tuple(described["shape"])
        if kind != WIDE or found != shape or not _is_adjacent(described):
            raise IllegalAction(
                f"The actions: expected adjacent 64-bit integers {shape} on {self.device}, got {kind} {found}."
            )
        if described.get("stream") not in DEFAULT_STREAMS:
            self._device.synchronize()
        address = int(described["data"][0])
        if not self._device.is_here(address):
            raise IllegalAction(f"The actions: expected an array on {self.device}, got one on another device.")
        self._device.copy(self._actions.address, address, self._actions.nbytes)

    def synchronize(self) -> None:
        """Wait until the device has finished all steps so far; raise DeviceError if one failed."""
        self._device.synchronize()

    def close(self) -> None:
        """Do nothing: the device's memory is given back with the environment and its arrays."""

    def state(self, slot: int) -> FloatArray:
        """Return everything revealed in a slot so far, from no agent's point of view, for a central critic."""
        return np.array(self._on_device.look(self._begun(slot)).state(0), dtype=np.float32)

    def snapshot(self, slot: int) -> Snapshot:
        """Return a slot's whole fight as JSON-able data, which environments on any device restore."""
        slot = self._begun(slot)
        one = self._on_device.look(slot)
        return pack_snapshot(self.game, one, 0, self._seeds[slot], int(self._numbers[slot].numpy()))

    def restore(self, slot: int, snapshot: Mapping[str, Any]) -> None:
        """Restore a snapshot of the same scenario into a slot, which continues from that fight's number and seed."""
        slot = self._begun(slot)
        self._seeds[slot], number = unpack_snapshot(self.game, cast("Any", self._on_device), slot, snapshot)
        self._device.upload(self._numbers[slot].address, np.array([number], np.int64))
        self._spread_ends()

    def __getattr__(self, name: str) -> NoReturn:
        """Refuse `vectors`, which players in Python read from the host's memory."""
        if name == "vectors":
            raise DeviceError(f"vectors: expected an environment on the processor, got one on {self.device}.")
        raise AttributeError(name)

    def __getstate__(self) -> NoReturn:
        """Refuse copies and pickles, because the fights are in the memory of a device."""
        raise DeviceError("An environment on a device cannot be copied or pickled: take snapshots of its fights.")


def _is_adjacent(described: Mapping[str, Any]) -> bool:
    """Return whether the items of an array, as NVIDIA's array interface describes it, are adjacent."""
    strides, size = described.get("strides"), np.dtype(described["typestr"]).itemsize
    if strides is None:
        return True
    wanted: list[int] = []
    for length in reversed(described["shape"]):
        wanted.insert(0, size)
        size *= length
    return tuple(strides) == tuple(wanted)
