"""Arrays in a device's memory, which PyTorch, JAX and CuPy take without a copy.

They speak two protocols: DLPack (https://dmlc.github.io/dlpack) and, on GPUs, NVIDIA's array interface.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Sequence
from math import prod
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from heartrush_env.tabletop.device.device import Device

NAME: Final = b"dltensor"  # of a capsule that no library has taken yet
PLACE: Final = 8  # of the type and the number of the device in DLPack's DLTensor, in bytes: after the address
DEFAULT_STREAMS: Final = (None, 0, 1, -1)  # calls in these streams need not wait for ours


class Memory:
    """Bytes in a device's memory, given back when nothing uses them any more."""

    def __init__(self, device: Device, size: int) -> None:
        self.device, self.size = device, size
        self.address = device.allocate(size)

    def __del__(self) -> None:
        if hasattr(self, "address") and not sys.is_finalizing():  # a process that ends gives all its memory back
            self.device.free(self.address)


class DeviceArray:
    """An array in a device's memory; `numpy()` copies it to the host."""

    def __init__(
        self, memory: Memory, shape: Sequence[int], dtype: Any, *, offset: int = 0, strides: Sequence[int] | None = None
    ) -> None:
        """Describe a part of a device's memory.

        Args:
            memory: The memory, which the array keeps alive.
            shape: The shape.
            dtype: The type of the items.
            offset: The first item's place, in bytes.
            strides: The steps between items, in bytes; by default the items are adjacent.
        """
        self.memory, self.shape, self.dtype = memory, tuple(shape), np.dtype(dtype)
        self.address = memory.address + offset
        self.strides = adjacent(self.shape, self.dtype.itemsize) if strides is None else tuple(strides)

    @property
    def device(self) -> str:
        """The name of the device, such as "cuda:0"."""
        return self.memory.device.name

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    @property
    def nbytes(self) -> int:
        """The size of all items, in bytes."""
        return prod(self.shape) * int(self.dtype.itemsize)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("a device's array: expected one with dimensions, got a single number")
        return self.shape[0]

    def __repr__(self) -> str:
        return f"DeviceArray({self.device}, shape={self.shape}, dtype={self.dtype})"

    def __getitem__(self, place: int) -> DeviceArray:
        """Return one item of the first dimension, as an array of the rest."""
        if not -len(self) <= place < len(self):
            raise IndexError(f"place: expected one from {-len(self)} to {len(self) - 1}, got {place}")
        offset = self.address - self.memory.address + place % len(self) * self.strides[0]
        return DeviceArray(self.memory, self.shape[1:], self.dtype, offset=offset, strides=self.strides[1:])

    def numpy(self) -> NDArray[Any]:
        """Return a copy in the host's memory."""
        steps = zip(self.shape, self.strides, strict=True)
        span = sum((length - 1) * stride for length, stride in steps) + self.dtype.itemsize
        found = np.empty(span if self.nbytes else 0, np.uint8)
        self.memory.device.download(found, self.address)
        shown: NDArray[Any] = np.ndarray(self.shape, self.dtype, found, strides=self.strides)
        return shown.copy()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        """Return a copy in the host's memory, for NumPy."""
        if copy is False:
            raise ValueError("a device's array: expected a copy to be allowed, got copy=False")
        found = self.numpy()
        return found if dtype is None else found.astype(dtype)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """The array as NVIDIA's array interface describes it."""
        if self.memory.device.kind[0] != CUDA:
            raise AttributeError(f"{self.device} is not a GPU")
        return {
            "shape": self.shape, "typestr": self.dtype.str, "data": (self.address, False), "version": 3,
            "strides": None if self.strides == adjacent(self.shape, self.dtype.itemsize) else self.strides,
            "stream": 1,
        }  # fmt: skip

    def __dlpack_device__(self) -> tuple[int, int]:
        """Return the type and the number of the device, in DLPack's numbers."""
        return self.memory.device.kind

    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """Return a DLPack capsule of the array, for the `from_dlpack` of another library."""
        if dl_device is not None and tuple(dl_device) != self.__dlpack_device__():
            raise BufferError(f"a device's array: expected to stay on {self.device}, got the device {dl_device}")
        if copy:
            raise BufferError("a device's array: expected to be shared, got copy=True")
        if stream not in DEFAULT_STREAMS:
            self.memory.device.synchronize()
        return capsule(self)


CUDA: Final = 2  # DLPack's number for NVIDIA's GPUs


def adjacent(shape: Sequence[int], size: int) -> tuple[int, ...]:
    """Return the strides, in bytes, of an array whose items of `size` bytes are adjacent."""
    strides = [size]
    for length in reversed(shape[1:]):
        strides.insert(0, strides[0] * max(length, 1))
    return tuple(strides[: len(shape)])


# -- DLPack ------------------------------------------------------------------------------------------------------------


_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)


def capsule(array: DeviceArray) -> Any:
    """Return a DLPack capsule that keeps the array's memory alive.

    NumPy makes the capsule from an array at the device's address, which it never reads, so that the functions which end
    the capsule's life are NumPy's. Functions of Python must not do this: an exception may be on its way at that time.
    """
    memory = array.memory
    piece: Any = (ctypes.c_uint8 * max(memory.size, 1)).from_address(memory.address)
    piece.memory = memory  # kept alive with the capsule
    shadow: NDArray[Any] = np.ndarray(array.shape, array.dtype, piece, array.address - memory.address, array.strides)
    made = shadow.__dlpack__()
    place = ctypes.cast(_pointer(made, NAME) + PLACE, ctypes.POINTER(ctypes.c_int32))
    place[0], place[1] = array.__dlpack_device__()
    return made
