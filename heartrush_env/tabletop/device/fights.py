"""A batch of fights on a device: the arrays of a host's batch in the device's memory, and its kernels run there.

The host's batch gives the arrays their shapes and the kernels their arguments. It plays no fight itself, and memory
that nothing writes to takes no room on the host.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from ctypes import c_uint8
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from heartrush_env.tabletop.batch.player import START
from heartrush_env.tabletop.batch.slots import Call
from heartrush_env.tabletop.device.arrays import DeviceArray, Memory
from heartrush_env.tabletop.device.device import Device, DeviceError
from heartrush_env.tabletop.errors import SnapshotError
from heartrush_env.tabletop.game import Snapshot
from heartrush_env.tabletop.kernels import Kernel, kinds_of

EXTRA: Final = 256  # bytes for each fight besides the arrays of its batch: how it ended, who is asked, keys of draws
try:
    from numpy.lib.array_utils import byte_bounds
except ModuleNotFoundError:  # in NumPy 1
    from numpy import byte_bounds  # type: ignore[attr-defined,no-redef]

CHUNK: Final = 1 << 24  # bytes looked at at a time for anything but zeros


class Mirror:
    """The host arrays that have a copy on a device."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self._parts: list[tuple[int, int, Memory]] = []  # the first and the last address on the host, and the copy
        self._hosts: list[NDArray[Any]] = []  # kept alive, because their addresses are the keys

    def add(self, array: NDArray[Any]) -> None:
        """Copy a host array to the device, unless it is part of an array that has already been copied."""
        if self._find(array) is None and array.size:
            low, high = byte_bounds(array)
            memory = Memory(self.device, high - low)
            content = np.ctypeslib.as_array((c_uint8 * (high - low)).from_address(low))
            for start in range(0, len(content), CHUNK):
                chunk = content[start : start + CHUNK]
                if chunk.any():  # new memory of the device is zero
                    self.device.upload(memory.address + start, chunk)
            self._parts.append((low, high, memory))
            self._hosts.append(array)

    def of(self, array: NDArray[Any]) -> DeviceArray:
        """Return the device's copy of a host array, which is made if need be."""
        self.add(array)
        found = self._find(array)
        if found is None:
            return DeviceArray(Memory(self.device, 0), array.shape, array.dtype)
        memory, offset = found
        return DeviceArray(memory, array.shape, array.dtype, offset=offset, strides=array.strides)

    def address(self, array: NDArray[Any]) -> int:
        """Return the address of the copy of an array; 0 for an empty array."""
        found = self._find(array)
        return 0 if found is None else found[0].address + found[1]

    def _find(self, array: NDArray[Any]) -> tuple[Memory, int] | None:
        """Return the memory that holds an array's copy, and the offset of its first byte there."""
        address = array.ctypes.data
        for low, high, memory in self._parts:
            if low <= address < high and array.size:
                return memory, address - low
        return None


class Launch:
    """A call of a kernel on a device, prepared once: the argument words are in the device's memory."""

    def __init__(self, mirror: Mirror, kernel: Kernel, arguments: Sequence[Any]) -> None:
        self._mirror, self._device = Mirror(mirror.device), mirror.device
        for argument in arguments:
            if isinstance(argument, np.ndarray) and argument.size and mirror.address(argument) == 0:
                self._mirror.add(argument)  # it belongs to this call alone
        words = np.array(
            kernel.words(arguments, lambda array: mirror.address(array) or self._mirror.address(array)), np.int64
        )
        self._words = Memory(self._device, words.nbytes)
        self._device.upload(self._words.address, words)
        self._code = self._device.code(kernel, kinds_of(arguments))
        self._slots = len(arguments[kernel.parameters.index("slots")])

    def __call__(self) -> None:
        """Run the kernel for each slot; the device may still be running it when this returns."""
        self._device.launch(self._code, self._words.address, self._slots)


class DeviceFights:
    """A batch of fights on a device."""

    def __init__(self, device: Device, make: Callable[[int], Any], num_fights: int) -> None:
        """Allocate the arrays on the device.

        Args:
            device: The device.
            make: Makes a batch of a number of fights on the host, without events.
            num_fights: The number of slots.
        """
        self.device = device
        self.one = make(1)  # where single fights are looked at and restored
        if not hasattr(self.one, "playing"):
            raise DeviceError(
                f"device {device.name}: expected a game whose fights run as kernels, got {self.one.game.name}."
            )
        call = self.one.playing(np.zeros(1, np.int64), autoreset=True)
        self._rows_of_one = [(name, row) for name, row in _arrays(call) if name not in self.one.shared]
        reserve = device.reserve(device.code(call.kernel, kinds_of(call.arguments)))
        check_room(device, num_fights, sum(row.nbytes for _, row in self._rows_of_one) + EXTRA, reserve)
        self.host = make(num_fights)
        self.host.complete_caches()
        call = self.host.playing(np.arange(num_fights, dtype=np.int64), autoreset=True)
        self.kernel: Kernel = call.kernel
        self._arrays = dict(_arrays(call))
        self._mirror = Mirror(device)
        for array in self._arrays.values():
            self._mirror.add(array)
        self._play = Launch(self._mirror, *call)

    def array(self, host: NDArray[Any]) -> DeviceArray:
        """Return the device's copy of an array of the batch on the host."""
        return self._mirror.of(host)

    def prepare(self, kernel: Kernel, *arguments: Any) -> Launch:
        """Return the call of another kernel on arrays of the batch on the host; they are copied if need be."""
        for argument in arguments:
            if isinstance(argument, np.ndarray):
                self._mirror.add(argument)
        return Launch(self._mirror, kernel, arguments)

    def start(self, slots: NDArray[np.int64], seed: int, fights: NDArray[np.int64]) -> None:
        """Start fight number fights[k] of the seed in slot slots[k]."""
        launch = Launch(self._mirror, *self.host.playing(slots, START, seed=seed, numbers=fights))
        launch()
        self.device.synchronize()  # until here, `launch` holds the memory of this call

    def step(self) -> None:
        """Play one window in each slot, with the actions on the device; a slot whose fight ends starts its next one."""
        self._play()

    def look(self, slot: int) -> Any:
        """Return a host's batch of one fight, which has the content of this slot."""
        for row, address in self._rows(slot):
            self.device.download(row, address)
        return self.one

    def restore(self, slot: int, position: Snapshot) -> None:
        """Restore the snapshot of a position into a slot."""
        one = self.look(slot)
        one.restore(0, position)
        if one.ended[0]:
            raise SnapshotError("The fight of this snapshot has ended, so no slot can continue it.")
        fight = one.records[0]
        if fight["given_used"] < fight["given_count"]:
            raise SnapshotError(
                f"snapshot: expected a fight whose given dice are used up, as fights on {self.device.name} must be."
            )
        for row, address in self._rows(slot):
            self.device.upload(address, row)

    def _rows(self, slot: int) -> Iterator[tuple[NDArray[Any], int]]:
        """Yield the arrays of the batch of one fight, each with the address of the slot's part on the device."""
        for name, row in self._rows_of_one:
            yield row, self._mirror.address(self._arrays[name]) + slot * row.nbytes


def _arrays(call: Call) -> Iterator[tuple[str, NDArray[Any]]]:
    """Yield the arrays that a call of a kernel takes, each with the name of its parameter."""
    for name, argument in zip(call.kernel.parameters, call.arguments, strict=True):
        if isinstance(argument, np.ndarray):
            yield name, argument


def check_room(device: Device, num_fights: int, each: int, reserve: int) -> None:
    """Raise DeviceError if fights of `each` bytes, and the reserve, need more memory than a device has free."""
    free, needed = device.free_memory(), num_fights * each
    if needed > free - reserve:
        left = f", of which its driver may need {reserve:,}" if reserve else ""
        raise DeviceError(
            f"num_envs: expected at most {max(0, (free - reserve) // each)}, since {device.name} has {free:,} bytes "
            f"free{left}, got {num_fights}, which takes {needed:,}."
        )
