"""The interface of a device: memory, copies, and machine code that runs once for each slot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Protocol

from numpy.typing import NDArray

from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.kernels import Kernel, Kind

CPU: Final = "cpu"
ENTRY: Final = b"play_slot_of_thread"  # the function of a kernel's code that a GPU runs


class DeviceError(HeartRushError):
    """An error of a device: it is missing, too old or full, cannot do something, or reports a fault."""


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
        """Copy a contiguous host array to the device."""

    def download(self, array: NDArray[Any], address: int) -> None:
        """Copy bytes from the device into a contiguous host array."""

    def copy(self, target: int, source: int, size: int) -> None:
        """Copy `size` bytes within the device."""

    def is_here(self, address: int) -> bool:
        """Return whether an address is in this device's memory."""

    def code(self, kernel: Kernel, kinds: Sequence[Kind]) -> Any:
        """Return the device's machine code of a kernel for these argument kinds."""

    def reserve(self, code: Any) -> int:
        """Return how many bytes the device needs besides its arrays, at most, when it runs this machine code."""

    def launch(self, code: Any, words: int, slots: int) -> None:
        """Run machine code for each of `slots` slots, given the address of the argument words on the device."""

    def synchronize(self) -> None:
        """Wait for all calls so far; raise DeviceError if one of them failed."""
