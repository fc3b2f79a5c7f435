"""NVIDIA's GPUs, through their driver: machine code is loaded as PTX, which the driver assembles and caches.

All calls go to the device's default stream, in which PyTorch and CuPy work unless they are told otherwise, and the
device's primary context, which all libraries of a process share.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from heartrush_env.tabletop.device.device import ENTRY, DeviceError
from heartrush_env.tabletop.device.kept import ptx_of
from heartrush_env.tabletop.kernels import Kernel, Kind
from heartrush_env.tabletop.waiting import compiling

OLDEST: Final = (8, 0)  # the compute capability for which the PTX is made
OLDEST_DRIVER: Final = (12, 8)  # by the version of CUDA that it supports, as cuda-bindings needs it
THREADS: Final = 64  # in a block
DLPACK_CUDA: Final = 2  # DLPack's number for this type of device
DEFAULT_STREAM: Final = 0
RESTS: Final = 64 << 20  # bytes; the driver allocates whole pages of 2 MiB, and keeps some of them for itself


@cache
def cuda_device(number: int) -> CudaDevice:
    """Return a GPU; it is opened once."""
    return CudaDevice(_driver(), number)


def _driver() -> Any:
    """Return the bindings of NVIDIA's driver, initialised; raise DeviceError if they or the driver are missing."""
    try:
        from cuda.bindings import driver
    except ModuleNotFoundError:
        raise DeviceError(
            'device "cuda": expected the package cuda-bindings, which is not installed; '
            "`pip install 'heartrush-env[cuda]'` installs it."
        ) from None
    try:
        status = driver.cuInit(0)[0]
    except Exception as fault:  # the bindings raise errors of several types where there is no driver
        raise DeviceError(f'device "cuda": expected an NVIDIA driver, found none ({_one_line(fault)}).') from None
    if int(status) != 0:
        raise DeviceError(f'device "cuda": expected a GPU that its driver can open, got {_name_of(driver, status)}.')
    number = int(driver.cuDriverGetVersion()[1])  # such as 12080 for CUDA 12.8
    found = number // 1000, number % 1000 // 10
    if found < OLDEST_DRIVER:
        wanted, got = (".".join(map(str, each)) for each in (OLDEST_DRIVER, found))
        raise DeviceError(
            f'device "cuda": expected an NVIDIA driver for CUDA {wanted} or newer, got one for CUDA {got}.'
        )
    return driver


class CudaDevice:
    """A GPU; implements tabletop.device.device.Device."""

    def __init__(self, driver: Any, number: int) -> None:
        self._driver = driver
        count = self._call("cuDeviceGetCount")
        if number >= count:
            raise DeviceError(f'device "cuda:{number}": expected a number below {count}, the number of GPUs here.')
        self.name, self.kind = f"cuda:{number}", (DLPACK_CUDA, number)
        device = self._call("cuDeviceGet", number)
        attributes = driver.CUdevice_attribute

        def attribute(name: str) -> int:
            return int(self._call("cuDeviceGetAttribute", getattr(attributes, f"CU_DEVICE_ATTRIBUTE_{name}"), device))

        found = tuple(attribute(f"COMPUTE_CAPABILITY_{part}") for part in ("MAJOR", "MINOR"))
        if found < OLDEST:
            raise DeviceError(
                f'device "{self.name}": expected compute capability {OLDEST[0]}.{OLDEST[1]} or newer, got '
                f"{found[0]}.{found[1]}."
            )
        self._threads = attribute("MULTIPROCESSOR_COUNT") * attribute("MAX_THREADS_PER_MULTIPROCESSOR")
        self._context = self._call("cuDevicePrimaryCtxRetain", device)
        self._codes: dict[Any, Any] = {}

    def free_memory(self) -> int:
        """Return how many bytes can be allocated."""
        free, _ = self._in_context("cuMemGetInfo")
        return int(free)

    def allocate(self, size: int) -> int:
        """Return the address of `size` new bytes, all zero."""
        size = max(size, 1)
        address = self._in_context("cuMemAlloc", size)
        self._in_context("cuMemsetD8Async", address, 0, size, DEFAULT_STREAM)
        return int(address)

    def free(self, address: int) -> None:
        """Give the memory at an address back, after all calls so far; do nothing if the device is lost."""
        with suppress(DeviceError):
            self._in_context("cuCtxSynchronize")  # a kernel may still use the memory
            self._in_context("cuMemFree", address)

    def upload(self, address: int, array: NDArray[Any]) -> None:
        """Copy a contiguous host array to the device."""
        if array.nbytes:
            self._in_context("cuMemcpyHtoD", address, array.ctypes.data, array.nbytes)

    def download(self, array: NDArray[Any], address: int) -> None:
        """Copy bytes from the device into a contiguous host array."""
        if array.nbytes:
            self._in_context("cuMemcpyDtoH", array.ctypes.data, address, array.nbytes)

    def copy(self, target: int, source: int, size: int) -> None:
        """Copy `size` bytes within the device."""
        self._in_context("cuMemcpyDtoDAsync", target, source, size, DEFAULT_STREAM)

    def is_here(self, address: int) -> bool:
        """Return whether an address is in this device's memory."""
        ordinal = self._driver.CUpointer_attribute.CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL
        try:
            return int(self._in_context("cuPointerGetAttribute", ordinal, address)) == self.kind[1]
        except DeviceError:
            return False

    def code(self, kernel: Kernel, kinds: Sequence[Kind]) -> Any:
        """Return the device's machine code of a kernel for these argument kinds."""
        key = kernel.function, kernel.symbol(kinds)  # games of one name and layout may have different rules
        if key not in self._codes:
            code = ptx_of(kernel, kinds)
            with compiling(f"{kernel.name} for {self.name}"):
                module = self._in_context("cuModuleLoadData", code + b"\0")
            self._codes[key] = self._in_context("cuModuleGetFunction", module, ENTRY)
        return self._codes[key]

    def reserve(self, code: Any) -> int:
        """Return how many bytes the driver takes, at most: local memory of all threads at once, and rests of pages."""
        each = self._driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES
        return self._threads * int(self._in_context("cuFuncGetAttribute", each, code)) + RESTS

    def launch(self, code: Any, words: int, slots: int) -> None:
        """Run machine code for each of `slots` slots, given the address of the argument words on the device."""
        given = np.array([words, slots], np.uint64)
        places = np.array([given.ctypes.data, given.ctypes.data + given.itemsize], np.uint64)
        blocks = (slots + THREADS - 1) // THREADS
        self._in_context("cuLaunchKernel", code, blocks, 1, 1, THREADS, 1, 1, 0, DEFAULT_STREAM, places.ctypes.data, 0)

    def synchronize(self) -> None:
        """Wait for all calls so far; raise DeviceError if one of them failed."""
        self._in_context("cuCtxSynchronize")

    def _in_context(self, function: str, *arguments: Any) -> Any:
        """Call a function of the driver in this device's context, and return to the caller's."""
        self._call("cuCtxPushCurrent", self._context)
        try:
            return self._call(function, *arguments)
        finally:
            self._driver.cuCtxPopCurrent()

    def _call(self, function: str, *arguments: Any) -> Any:
        """Call a function of the driver; return its result, or raise DeviceError with the driver's words."""
        status, *results = getattr(self._driver, function)(*arguments)
        if int(status) != 0:
            where = getattr(self, "name", "cuda")
            raise DeviceError(f'device "{where}": {function} failed: {_name_of(self._driver, status)}.')
        return results[0] if len(results) == 1 else tuple(results)


def _name_of(driver: Any, status: Any) -> str:
    """Return the driver's words for an error."""
    code, words = driver.cuGetErrorString(status)
    return words.decode() if int(code) == 0 else f"error {int(status)}"


def _one_line(fault: Exception) -> str:
    """Return an error's words on one line, shortened."""
    return " ".join(str(fault).split())[:200].rstrip(".") or type(fault).__name__
