"""The files that play a game's fights outside Python: a WebAssembly module, its description, and a JavaScript host."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Final

from heartrush_env.tabletop.compiling.code_cache import keep, kept
from heartrush_env.tabletop.game import Game
from heartrush_env.tabletop.kernels import CHECKED, Kernel, Kind
from heartrush_env.tabletop.portable.describing import Described
from heartrush_env.tabletop.portable.header import header_of, identifier

MODULE: Final = "engine.wasm"
DESCRIPTION: Final = "engine.json"
EMITTERS: Final = ("compiling/wasm.py", "compiling/closing.py", "compiling/retargeting.py")
HOST: Final = ("fights.mjs", "events.mjs", "layout.mjs", "fights.d.ts")


def engine_files(games: Mapping[str, Game], further: Iterable[Game] = (), *, headers: bool = False) -> dict[str, bytes]:
    """Return the contents of the files by name; kernels that no earlier start has compiled are compiled now.

    Args:
        games: The games to describe, by the names under which hosts start their fights.
        further: Games of which only the kernels are needed, for scenarios that are added later.
        headers: Whether to write a C header for each of the games.
    """
    from heartrush_env.tabletop.compiling.wasm import heap, identity

    found = Described()
    for name, game in games.items():
        found.add(name, game)
    for game in further:
        found.add_kernel(game)
    module = _module(found.kernels)
    data = found.data(identity(module))
    description = json.dumps(data, separators=(",", ":")) + "\n"
    host = {name: files(__package__).joinpath(name).read_bytes() for name in HOST}
    own = {f"{identifier(name)}.h": header_of(data, name, heap(module)).encode() for name in games if headers}
    return {MODULE: module, DESCRIPTION: description.encode(), **host, **own}


def _module(kernels: Mapping[str, tuple[Kernel, Sequence[Kind]]]) -> bytes:
    """Return the WebAssembly module of kernels by symbol; it is made once and kept on disk."""
    keys = list(dict.fromkeys(kernel.sources.key for kernel, _ in kernels.values() if kernel.sources))
    versions = [*map(version, ("numba", "llvmlite", "numpy")), sys.version]
    named = hashlib.sha256(json.dumps([*kernels, *keys, CHECKED, *versions]).encode())
    for emitter in EMITTERS:
        named.update((Path(__file__).parents[1] / emitter).read_bytes())
    file = f"{named.hexdigest()}.wasm"
    found = kept(keys[0], file)
    if found is None:
        from heartrush_env.tabletop.compiling.retargeting import closed_kernel
        from heartrush_env.tabletop.compiling.wasm import wasm_of

        found = wasm_of((closed_kernel(*kernel) for kernel in kernels.values()), list(kernels))
        keep(keys[0], file, found)
    return found
