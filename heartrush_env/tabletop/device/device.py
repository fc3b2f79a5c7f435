"""What the host asks of a device: memory, copies, and machine code that it runs once for each slot."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final, Protocol

from numpy.typing import NDArray

from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.kernels import Kernel, Kind

CPU: Final = "cpu"
NAMES: Final = re.compile(r"cuda(?::(\d{1,3}))?")


class DeviceError(HeartRushError):
    """An error for a device that is missing, too old, out of memory, or that reports a fault."""


class Device(Protocol):
    """A device. Calls are carried out in order; `download` and `synchronize` wait for all calls before them."""

    name: str  # such as "cuda:0"
    kind: tuple[int, int]  # the type of the device in DLPack's numbers, and its number

    def free_memory(self) -> int:
        """Return how many bytes can be allocated."""

    def allocate(self, size: int) -> int:
        """Return the address of `size` new bytes, all zero."""

    def free(self, address: int) -> None:
        """Give the memory at an address back; do nothing if the device is lost."""

    def upload(self, address: int, array: NDArray[Any]) -> None:
        """Copy a contiguous array of the host to the device."""

    def download(self, array: NDArray[Any], address: int) -> None:
        """Copy bytes of the device into a contiguous array of the host."""

    def copy(self, target: int, source: int, size: int) -> None:
        """Copy `size` bytes within the device."""

    def is_here(self, address: int) -> bool:
        """Return whether an address is in this device's memory."""

    def code(self, kernel: Kernel, kinds: Sequence[Kind]) -> Any:
        """Return the device's machine code of a kernel for these argument kinds."""

    def launch(self, code: Any, words: int, slots: int) -> None:
        """Run machine code for each of `slots` slots, given the address of the argument words on the device."""

    def synchronize(self) -> None:
        """Wait for all calls so far; raise DeviceError if one of them failed."""


def open_device(name: str) -> Device:
    """Return the device of a name, "cuda" or "cuda:N"; raise DeviceError if there is no such device."""
    found = NAMES.fullmatch(name) if isinstance(name, str) else None
    if found is None:
        raise DeviceError(f'device: expected "cpu", "cuda" or "cuda:" and a number, got {name!r}.')
    from heartrush_env.tabletop.device.cuda import cuda_device

    return cuda_device(int(found[1] or 0))
