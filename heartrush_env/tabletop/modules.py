"""Kernels as WebAssembly, for platforms that have neither a fitting library of machine code nor Numba.

A wheel for any platform has the module of each kernel of a game in one file, beside a note, where other wheels have a
library (tabletop/library.py). The package `wasmtime` runs the modules. A module has a memory of its own, so each call
copies all arrays into it and back.
"""

from __future__ import annotations

import atexit
import zipfile
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from io import BytesIO
from threading import Lock
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.library import Unfit, checked
from heartrush_env.tabletop.sources import Sources

MODULES: Final = "machine_code.zip"
SUFFIX: Final = ".wasm"
RUNNER: Final = "wasmtime"
PAGE: Final = 1 << 16  # bytes, in which a module's memory grows
ALIGNED: Final = 16  # bytes
MOST: Final = 1 << 32  # bytes that a module can address
FAULTS: Final = 2  # words before the arguments, for a result and an error
# Threads that step shares of one batch copy arrays that they share, so one call runs at a time.
_running = Lock()
Words = Callable[[Sequence[Any], Callable[[NDArray[Any]], int]], list[int]]


class Module:
    """A kernel's module, ready to be called."""

    def __init__(self, symbol: str, content: bytes) -> None:
        """Compile the module that exports a kernel under its symbol."""
        from wasmtime import Engine, Instance, Store
        from wasmtime import Module as Compiled

        engine = Engine()
        self._store, code = Store(engine), Compiled(engine, content)
        for owned in (engine, code, self._store):  # at the end of the process, Wasmtime can no longer free them itself
            atexit.register(owned.close)
        exports: Any = Instance(self._store, code, []).exports(self._store)
        self._enter, self._memory = exports[symbol], exports["memory"]
        self._heap = int(exports["heap"].value(self._store))

    def prepare(self, name: str, arguments: Sequence[Any], words_of: Words) -> Callable[[], None]:
        """Return a function that calls the kernel with the current contents of these arguments.

        Args:
            name: The kernel's name, for messages.
            arguments: Arrays and whole numbers.
            words_of: Returns the words of arguments, given a function that returns the address of an array.
        """
        places: list[tuple[slice, NDArray[np.uint8], bool]] = []
        end = self._heap

        def place(array: NDArray[Any]) -> int:
            nonlocal end
            first = -(-end // ALIGNED) * ALIGNED
            end = first + array.nbytes
            content = array.reshape(-1).view(np.uint8, np.ndarray)
            places.append((slice(first, end), content, bool(array.flags.writeable)))
            return first

        numbers = [*[0] * FAULTS, *words_of(arguments, place)]
        words = np.array(numbers, np.int64)
        at, word = place(words), words.itemsize
        if end > MOST:
            raise HeartRushError(
                f"{name}: expected at most 4 GiB of arrays for WebAssembly, got {end / 2**30:.1f} GiB."
            )

        def call() -> None:
            with _running:
                memory = self._bytes(name, end)
                for there, content, _ in places:
                    memory[there] = content
                if self._enter(self._store, at, at + word, at + FAULTS * word):
                    raise SystemError(f"{name}: its machine code reports an unknown fault.")
                for there, content, changes in places:
                    if changes:
                        content[:] = memory[there]

        return call

    def _bytes(self, name: str, size: int) -> NDArray[np.uint8]:
        """Return the module's memory, with at least this size."""
        from wasmtime import WasmtimeError

        missing = size - self._memory.data_len(self._store)
        if missing > 0:
            try:
                self._memory.grow(self._store, -(-missing // PAGE))
            except WasmtimeError:
                wanted = f"{size / 2**20:,.0f} MiB of memory for a WebAssembly module"
                raise HeartRushError(f"{name}: expected {wanted}, got no more.") from None
        return np.ctypeslib.as_array(self._memory.data_ptr(self._store), (size,))


def module_code(symbol: str, sources: Sources | None) -> Module | None:
    """Return the module of this name that was made of these sources; None if no fitting file has it."""
    content = None if sources is None or why_no_modules(sources) else _modules(sources)[0].get(symbol)
    return None if content is None else Module(symbol, content)


def why_no_modules(sources: Sources | None) -> str:
    """Return why no modules that were made of these sources can be run, as a phrase; "" if they can."""
    if sources is None:
        return "code that is in no file has no modules"
    _, why = _modules(sources)
    if not why and find_spec(RUNNER) is None:
        why = f"{RUNNER}, which runs the WebAssembly modules of this installation, is not installed"
    return why


@cache
def _modules(sources: Sources) -> tuple[dict[str, bytes], str]:
    """Return the modules that were made of these sources by symbol, or none and the reason why none fits."""
    try:
        _, packed = checked(sources, MODULES, "file of WebAssembly modules")
    except Unfit as reason:
        return {}, str(reason)
    with zipfile.ZipFile(BytesIO(packed)) as file:
        return {name.removesuffix(SUFFIX): file.read(name) for name in file.namelist()}, ""


def pack_modules(contents: Mapping[str, bytes]) -> bytes:
    """Return the file of a game's modules, given by symbol."""
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        for symbol, content in contents.items():
            file.writestr(zipfile.ZipInfo(symbol + SUFFIX), content, zipfile.ZIP_DEFLATED, 9)
    return packed.getvalue()
