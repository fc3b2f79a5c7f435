"""Arrays in a device's memory, which PyTorch, JAX and CuPy take without a copy.

They speak both protocols of the field: DLPack (https://dmlc.github.io/dlpack) and, on GPUs, NVIDIA's array interface.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Sequence
from math import prod
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from heartrush_env.tabletop.device.device import Device, DeviceError

NAME: Final = b"dltensor"  # of a capsule that no library has taken yet
CODES: Final = {"i": 0, "u": 1, "f": 2, "b": 6}  # DLPack's numbers for kinds of numbers
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
        if self.strides != adjacent(self.shape, self.dtype.itemsize):
            if self.ndim == 0:
                raise DeviceError("a device's array: expected adjacent items, got gaps.")
            return np.array([self[place].numpy() for place in range(len(self))], self.dtype).reshape(self.shape)
        found = np.empty(self.shape, self.dtype)
        self.memory.device.download(found, self.address)
        return found

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


class _Tensor(ctypes.Structure):
    """DLPack's DLTensor."""

    _fields_ = (
        ("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )  # fmt: skip


class _Managed(ctypes.Structure):
    """DLPack's DLManagedTensor."""


_Deleter = ctypes.CFUNCTYPE(None, ctypes.POINTER(_Managed))
_Managed._fields_ = (("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", _Deleter))

_shared: dict[int, Any] = {}  # what the tensors in use need, by address
_python = ctypes.pythonapi
_Destructor = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_new = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, _Destructor)(("PyCapsule_New", _python))
_is_valid = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_IsValid", _python))
_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_GetPointer", _python))


@_Deleter
def _release(managed: Any) -> None:
    """Forget a tensor that another library has finished with."""
    _shared.pop(ctypes.addressof(managed.contents), None)


@_Destructor
def _destroy(capsule_address: int) -> None:
    """Forget the tensor of a capsule that no library has taken; a library that takes one renames it."""
    if _is_valid(capsule_address, NAME):
        _shared.pop(_pointer(capsule_address, NAME), None)


def capsule(array: DeviceArray) -> Any:
    """Return a DLPack capsule that keeps the array's memory alive."""
    code = CODES.get(array.dtype.kind)
    size = array.dtype.itemsize
    if code is None or any(stride % size for stride in array.strides):
        raise BufferError(f"a device's array: expected numbers or flags in whole steps, got {array!r}")
    numbers = ctypes.c_int64 * max(array.ndim, 1)
    shape, strides = numbers(*array.shape), numbers(*(stride // size for stride in array.strides))
    kind, number = array.__dlpack_device__()
    tensor = _Tensor(array.address, kind, number, array.ndim, code, 8 * size, 1, shape, strides, 0)
    managed = _Managed(tensor, None, _release)
    address = ctypes.addressof(managed)
    _shared[address] = managed, shape, strides, array
    return _new(address, NAME, _destroy)
