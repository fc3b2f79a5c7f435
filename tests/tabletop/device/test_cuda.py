"""The host's code for GPUs, on a driver that is faked: it notes each call, and its memory is the host's."""

from __future__ import annotations

import sys
from ctypes import c_uint64, memmove, memset
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from heartrush_env.tabletop.device import cuda
from heartrush_env.tabletop.device.cuda import RESTS, THREADS, CudaDevice
from heartrush_env.tabletop.device.device import DeviceError
from heartrush_env.tabletop.device.opening import open_device
from heartrush_env.tabletop.kernels import PLAIN, kinds_of
from tests.tabletop.toy_library import multiply

OK, LOST, FULL = 0, 700, 2
WORDS = {LOST: b"an illegal memory access was encountered", FULL: b"out of memory"}


class FakeDriver:
    """The functions of cuda.bindings.driver that the package calls."""

    CUdevice_attribute = SimpleNamespace(
        CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR=75, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR=76,
        CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT=16, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR=39,
    )  # fmt: skip
    CUfunction_attribute = SimpleNamespace(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES=3)
    CUpointer_attribute = SimpleNamespace(CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL=9)

    def __init__(
        self, gpus: int = 2, capability: tuple[int, int] = (9, 0), opens: int = OK, version: int = 12080
    ) -> None:
        self.gpus, self.capability, self.opens, self.version = gpus, capability, opens, version
        self.status = OK
        self.contexts = ["of the caller"]
        self.memory: dict[int, Any] = {}
        self.launches: list[tuple[Any, ...]] = []
        self.images: list[bytes] = []

    def cuInit(self, flags: int) -> tuple[int]:
        return (self.opens,)

    def cuDriverGetVersion(self) -> tuple[int, int]:
        return OK, self.version

    def cuGetErrorString(self, status: int) -> tuple[int, bytes]:
        return (OK, WORDS[status]) if status in WORDS else (1, b"")

    def cuDeviceGetCount(self) -> tuple[int, int]:
        return OK, self.gpus

    def cuDeviceGet(self, number: int) -> tuple[int, int]:
        return OK, 100 + number

    def cuDeviceGetAttribute(self, attribute: int, device: int) -> tuple[int, int]:
        return OK, {75: self.capability[0], 76: self.capability[1], 16: 132, 39: 2048}[attribute]

    def cuFuncGetAttribute(self, attribute: int, code: str) -> tuple[int, int]:
        assert attribute == 3
        return self.status, 1000

    def cuDevicePrimaryCtxRetain(self, device: int) -> tuple[int, str]:
        return OK, f"context of {device}"

    def cuCtxPushCurrent(self, context: str) -> tuple[int]:
        self.contexts.append(context)
        return (OK,)

    def cuCtxPopCurrent(self) -> tuple[int, str]:
        return OK, self.contexts.pop()

    def cuMemGetInfo(self) -> tuple[int, int, int]:
        return self.status, 1000, 2000

    def cuMemAlloc(self, size: int) -> tuple[int, int]:
        assert len(self.contexts) == 2
        made = np.full(size, 77, np.uint8)
        self.memory[made.ctypes.data] = made
        return self.status, made.ctypes.data

    def cuMemFree(self, address: int) -> tuple[int]:
        del self.memory[address]
        return (OK,)

    def cuMemsetD8Async(self, address: int, value: int, size: int, stream: int) -> tuple[int]:
        memset(address, value, size)
        return (OK,)

    def cuMemcpyHtoD(self, target: int, source: int, size: int) -> tuple[int]:
        memmove(target, source, size)
        return (self.status,)

    def cuMemcpyDtoH(self, target: int, source: int, size: int) -> tuple[int]:
        memmove(target, source, size)
        return (self.status,)

    def cuMemcpyDtoDAsync(self, target: int, source: int, size: int, stream: int) -> tuple[int]:
        memmove(target, source, size)
        return (self.status,)

    def cuPointerGetAttribute(self, attribute: int, address: int) -> tuple[int, int]:
        return (OK, 1) if address in self.memory else (1, 0)

    def cuModuleLoadData(self, image: bytes) -> tuple[int, str]:
        self.images.append(image)
        return self.status, "module"

    def cuModuleGetFunction(self, module: str, name: bytes) -> tuple[int, bytes]:
        return OK, name

    def cuLaunchKernel(self, *given: Any) -> tuple[int]:
        places = (c_uint64 * 2).from_address(given[9])
        values = tuple(c_uint64.from_address(place).value for place in places)
        self.launches.append((*given[:9], values))
        return (self.status,)

    def cuCtxSynchronize(self) -> tuple[int]:
        return (self.status,)


def test_memory_is_new_and_zero_and_copies_arrive() -> None:
    driver = FakeDriver()
    device = CudaDevice(driver, 1)
    assert (device.name, device.kind) == ("cuda:1", (2, 1))
    assert device.free_memory() == 1000
    address, other = device.allocate(16), device.allocate(16)
    assert driver.contexts == ["of the caller"]
    here, back = np.arange(4, dtype=np.int32), np.full(4, 9, np.int32)
    device.download(back, address)
    assert back.tolist() == [0, 0, 0, 0]
    device.upload(address, here)
    device.copy(other, address, 16)
    device.download(back, other)
    assert back.tolist() == [0, 1, 2, 3]
    assert device.is_here(address)
    assert not device.is_here(12)
    device.free(address)
    device.free(other)
    assert not driver.memory


def test_the_driver_needs_local_memory_for_all_threads_at_once() -> None:
    """An H100 has 132 multiprocessors with 2,048 threads each, here with 1,000 bytes each."""
    assert CudaDevice(FakeDriver(), 0).reserve("code") == 132 * 2048 * 1000 + RESTS


def test_a_launch_covers_all_slots() -> None:
    driver = FakeDriver()
    device = CudaDevice(driver, 0)
    device.launch("code", 4096, 2 * THREADS + 1)
    code, *blocks, values = driver.launches[0]
    assert (code, values) == ("code", (4096, 2 * THREADS + 1))
    assert blocks == [3, 1, 1, THREADS, 1, 1, 0, 0], "three blocks, in the default stream"


@pytest.mark.skipif(PLAIN, reason="a device runs compiled kernels")
def test_code_is_loaded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    driver = FakeDriver()
    device = CudaDevice(driver, 0)
    monkeypatch.setattr(cuda, "ptx_of", lambda kernel, kinds: b"assembly of " + kernel.name.encode())
    kinds = kinds_of((np.zeros(3, np.int64), 2))
    assert device.code(multiply, kinds) == b"play_slot_of_thread"
    assert device.code(multiply, kinds) == b"play_slot_of_thread"
    assert driver.images == [b"assembly of multiply\0"]


@pytest.mark.parametrize(
    ("call", "function"),
    [
        (lambda device: device.allocate(8), "cuMemAlloc"),
        (lambda device: device.synchronize(), "cuCtxSynchronize"),
        (lambda device: device.download(np.zeros(1), device.kept), "cuMemcpyDtoH"),
        (lambda device: device.launch("code", 0, 5), "cuLaunchKernel"),
    ],
)
def test_a_fault_names_the_call_in_the_words_of_the_driver(call: Any, function: str) -> None:
    driver = FakeDriver()
    device: Any = CudaDevice(driver, 0)
    device.kept = device.allocate(8)
    driver.status = LOST
    with pytest.raises(DeviceError) as raised:
        call(device)
    assert str(raised.value) == f'device "cuda:0": {function} failed: an illegal memory access was encountered.'


def test_a_gpu_that_is_not_there() -> None:
    with pytest.raises(DeviceError, match='device "cuda:2": expected a number below 2, the number of GPUs here'):
        CudaDevice(FakeDriver(), 2)


def test_a_gpu_that_is_too_old() -> None:
    with pytest.raises(DeviceError, match=r'device "cuda:0": expected compute capability 8.0 or newer, got 7.5'):
        CudaDevice(FakeDriver(capability=(7, 5)), 0)


def bindings(monkeypatch: pytest.MonkeyPatch, driver: Any) -> None:
    """Make `cuda.bindings.driver` this object."""
    package, inner = ModuleType("cuda"), ModuleType("cuda.bindings")
    inner.driver = driver  # type: ignore[attr-defined]
    package.bindings = inner  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "cuda", package)
    monkeypatch.setitem(sys.modules, "cuda.bindings", inner)
    cuda.cuda_device.cache_clear()


def test_a_device_is_opened_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    bindings(monkeypatch, FakeDriver())
    try:
        assert open_device("cuda:1").name == "cuda:1"
        assert open_device("cuda") is open_device("cuda:0")
    finally:
        cuda.cuda_device.cache_clear()


def test_no_package_of_bindings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cuda", None)
    monkeypatch.setitem(sys.modules, "cuda.bindings", None)
    cuda.cuda_device.cache_clear()
    with pytest.raises(DeviceError, match=r"expected the package cuda-bindings.*`pip install 'heartrush-env\[cuda\]'`"):
        open_device("cuda")


def test_no_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    class Missing(FakeDriver):
        def cuInit(self, flags: int) -> tuple[int]:
            raise RuntimeError("libcuda.so\nwas not found.")

    bindings(monkeypatch, Missing())
    with pytest.raises(DeviceError) as raised:
        open_device("cuda")
    assert str(raised.value) == 'device "cuda": expected an NVIDIA driver, found none (libcuda.so was not found).'


def test_a_driver_that_is_too_old(monkeypatch: pytest.MonkeyPatch) -> None:
    bindings(monkeypatch, FakeDriver(version=12020))
    with pytest.raises(DeviceError) as raised:
        open_device("cuda")
    assert (
        str(raised.value) == 'device "cuda": expected an NVIDIA driver for CUDA 12.8 or newer, got one for CUDA 12.2.'
    )


def test_a_driver_that_opens_no_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    bindings(monkeypatch, FakeDriver(opens=100))
    with pytest.raises(DeviceError, match='device "cuda": expected a GPU that its driver can open, got error 100'):
        open_device("cuda")
