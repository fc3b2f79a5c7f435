"""A stand-in for a GPU: the module that becomes PTX runs on the processor, for one slot at a time, in a mixed order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from ctypes import CFUNCTYPE, c_int64, c_void_p, memmove
from typing import Any

import numpy as np
from llvmlite import binding as llvm
from numpy.typing import NDArray

from heartrush_env.tabletop.compiling import ptx
from heartrush_env.tabletop.device.device import ENTRY, DeviceError
from heartrush_env.tabletop.kernels import Kernel, Kind

DLPACK_CPU = 1
ROOM = 1 << 31  # bytes of memory that the stand-in claims to have
_codes: dict[
    Any, tuple[Any, Callable[[int, int], None]]
] = {}  # by function and symbol: the engine that holds the code, the entry


class StandIn:
    """A device whose memory is the host's; implements tabletop.device.device.Device."""

    def __init__(self, room: int = ROOM, kept: int = 0) -> None:
        self.name, self.kind = "cuda:0", (DLPACK_CPU, 0)
        self.room, self.kept = room, kept
        self.taken: dict[int, NDArray[np.uint8]] = {}
        self.launches = 0
        self.fault = ""

    def free_memory(self) -> int:
        return self.room - sum(len(memory) for memory in self.taken.values())

    def allocate(self, size: int) -> int:
        memory = np.zeros(max(size, 1), np.uint8)
        self.taken[memory.ctypes.data] = memory
        return memory.ctypes.data

    def free(self, address: int) -> None:
        del self.taken[address]

    def upload(self, address: int, array: NDArray[Any]) -> None:
        assert array.flags.c_contiguous
        memmove(self._within(address, array.nbytes), array.ctypes.data, array.nbytes)

    def download(self, array: NDArray[Any], address: int) -> None:
        self.synchronize()
        memmove(array.ctypes.data, self._within(address, array.nbytes), array.nbytes)

    def copy(self, target: int, source: int, size: int) -> None:
        memmove(self._within(target, size), self._within(source, size), size)

    def is_here(self, address: int) -> bool:
        return any(first <= address < first + len(memory) for first, memory in self.taken.items())

    def code(self, kernel: Kernel, kinds: Sequence[Kind]) -> Callable[[int, int], None]:
        return machine_code(kernel, tuple(kinds))

    def reserve(self, code: Callable[[int, int], None]) -> int:
        return self.kept

    def launch(self, code: Callable[[int, int], None], words: int, slots: int) -> None:
        self.launches += 1
        for k in np.random.default_rng(self.launches).permutation(slots).tolist():
            code(words, k)

    def synchronize(self) -> None:
        if self.fault:
            raise DeviceError(f'device "{self.name}": {self.fault}.')

    def _within(self, address: int, size: int) -> int:
        """Return an address, or fail if the bytes there are not all in one piece of the device's memory."""
        assert any(
            first <= address and address + size <= first + len(memory) for first, memory in self.taken.items()
        ), "bytes outside the device's memory"
        return address


def machine_code(kernel: Kernel, kinds: tuple[Kind, ...]) -> Callable[[int, int], None]:
    """Return the entry of a kernel's module, compiled for this processor once."""
    key = kernel.function, kernel.symbol(kinds)
    if key not in _codes:
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        module = llvm.parse_assembly(ptx.module_for_processor(kernel, kinds))
        module.verify()
        engine = llvm.create_mcjit_compiler(module, llvm.Target.from_default_triple().create_target_machine(opt=1))
        engine.finalize_object()
        _codes[key] = engine, CFUNCTYPE(None, c_void_p, c_int64)(engine.get_function_address(ENTRY.decode()))
    return _codes[key][1]
