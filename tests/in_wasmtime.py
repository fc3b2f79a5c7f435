"""A host of the WebAssembly module in Python, by Wasmtime: the arrays of a description in the module's memory.

It reads the description alone, as hosts in other languages do, and compiles nothing with Numba.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Sequence
from math import prod
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from heartrush_env.tabletop.portable.files import DESCRIPTION, MODULE

STEP, START = 0, 1
WORD, ALIGNED, PAGE = 8, 16, 1 << 16
NUMBERS: Final = {"b1": "?"}  # types whose names NumPy spells in another way


class WasmtimeFight:
    """One fight of a scenario."""

    def __init__(self, folder: Path, scenario: str) -> None:
        """Load the module of a folder, and lay out the arrays of a scenario."""
        from wasmtime import Instance, Module, Store

        description = json.loads((folder / DESCRIPTION).read_bytes())
        self.plan, self.records = description["scenarios"][scenario], description["records"]
        self.store = Store()
        code = Module.from_file(self.store.engine, str(folder / MODULE))
        self.exports: Any = Instance(self.store, code, []).exports(self.store)
        self.memory, self.end = self.exports["memory"], self.exports["heap"].value(self.store)
        self.places: dict[str, tuple[int, str, list[int]]] = {}
        for argument in self.plan["arguments"]:
            if "shape" in argument:
                size = argument.get("room", prod(argument["shape"])) * self._size(argument["type"])
                content = zlib.decompress(base64.b64decode(argument["content"])) if "content" in argument else b""
                address = self._allocate(size)
                self.memory.write(self.store, content.ljust(size, b"\0"), address)
                self.places[argument["name"]] = address, argument["type"], argument["shape"]
        self.words = self._allocate(64 * WORD)

    def call(self, doing: int, *, seed: int = 0, numbers: int = 0) -> None:
        """Start the fight of a number, or play one window."""
        words = [0, 0]
        for argument in self.plan["arguments"]:
            name = argument["name"]
            if "shape" not in argument:
                words.append({"doing": doing, "seed": seed}.get(name, argument["value"]))
            else:
                words += [self.places[name][0], *([numbers] if name == "numbers" else argument["shape"])]
        self.memory.write(self.store, np.array(words, np.int64).tobytes(), self.words)
        kernel = self.exports[self.plan["kernel"]]
        assert kernel(self.store, self.words, self.words + WORD, self.words + 2 * WORD) == 0

    def write(self, name: str, values: Sequence[int]) -> None:
        """Write an array of 64-bit numbers."""
        self.memory.write(self.store, np.array(values, np.int64).tobytes(), self.places[name][0])

    def read(self, name: str) -> NDArray[Any]:
        """Return the bytes of an array."""
        address, kind, shape = self.places[name]
        return np.frombuffer(self.memory.read(self.store, address, address + prod(shape) * self._size(kind)), np.uint8)

    def _size(self, kind: str) -> int:
        """Return the bytes of one item."""
        return int(self.records[kind]["size"]) if kind in self.records else np.dtype(NUMBERS.get(kind, kind)).itemsize

    def _allocate(self, size: int) -> int:
        """Return the address of new memory."""
        address = -(-self.end // ALIGNED) * ALIGNED
        self.end = address + size
        missing = self.end - self.memory.data_len(self.store)
        if missing > 0:
            self.memory.grow(self.store, -(-missing // PAGE))
        return address
