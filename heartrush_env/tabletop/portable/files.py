"""The files that play a game's fights outside Python: a WebAssembly module, its description, and a JavaScript host."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from importlib.resources import files
from typing import Final

from heartrush_env.tabletop.game import Game
from heartrush_env.tabletop.portable.describing import Described

MODULE: Final = "engine.wasm"
DESCRIPTION: Final = "engine.json"
HOST: Final = ("fights.mjs", "events.mjs", "fights.d.ts")


def engine_files(games: Mapping[str, Game], further: Iterable[Game] = ()) -> dict[str, bytes]:
    """Return the contents of the files by name; kernels that no earlier start has compiled are compiled now.

    Args:
        games: The games to describe, by the names under which hosts start their fights.
        further: Games of which only the kernels are needed, for scenarios that are added later.
    """
    from heartrush_env.tabletop.compiling.retargeting import closed_kernel
    from heartrush_env.tabletop.compiling.wasm import identity, wasm_of

    found = Described()
    for name, game in games.items():
        found.add(name, game)
    for game in further:
        found.add_kernel(game)
    module = wasm_of((closed_kernel(*kernel) for kernel in found.kernels.values()), list(found.kernels))
    description = json.dumps(found.data(identity(module)), separators=(",", ":")) + "\n"
    host = {name: files(__package__).joinpath(name).read_bytes() for name in HOST}
    return {MODULE: module, DESCRIPTION: description.encode(), **host}
