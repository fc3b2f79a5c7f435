"""The build of the machine-code libraries that a wheel contains, one per game (tabletop/library.py).

The games played during the build run as plain Python, and reveal which kernels are needed for which argument types.
The kernels are then compiled for a family of processors instead of for this one. A C compiler links them, or for named
platforms LLVM's linker. For all other platforms, each kernel becomes a WebAssembly module (tabletop/modules.py).
"""

from __future__ import annotations

import os
import platform
import shlex
import shutil
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from llvmlite import binding as llvm

from heartrush_env.tabletop.batch.extras import extras_of
from heartrush_env.tabletop.compiling.closing import close_module, join_modules
from heartrush_env.tabletop.compiling.platforms import ANYWHERE, PLATFORMS, Platform, linker, linking, run
from heartrush_env.tabletop.compiling.retargeting import WASM, Target, object_for
from heartrush_env.tabletop.compiling.wasm import wasm_of
from heartrush_env.tabletop.device.kept import write_texts
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.kernels import noting
from heartrush_env.tabletop.library import LIBRARY, write_note
from heartrush_env.tabletop.modules import pack_modules
from heartrush_env.tabletop.sources import Sources
from heartrush_env.tabletop.waiting import compiling

TAG: Final = "TAG"  # the file that holds the tag of the platform's wheels
# The target processor for each machine name, chosen to support processors of the last ten years.
PROCESSORS: Final = {"x86_64": "x86-64-v3", "amd64": "x86-64-v3", "arm64": "apple-m1", "aarch64": "generic"}


def build_libraries(folder: Path, play: Callable[[], None], platforms: Sequence[str] = ()) -> dict[Path, list[str]]:
    """Compile the kernels that `play` calls into libraries, one for each package that defines some of them.

    Each library is written to its package's path below `folder`, such as heartrush_env/games/heart_rush.

    Args:
        folder: The folder.
        play: A function that plays games.
        platforms: The names of the platforms (compiling/platforms.py), each of which gets a folder in `folder`; without
            any, the libraries are for this machine, and are in `folder` itself.

    Returns:
        The names of the kernels in each library, by the library's path.

    Raises:
        HeartRushError: There is no linker, or it fails.
    """
    places = {folder / name: PLATFORMS[name] for name in platforms} or {folder: _this_machine()}
    if not {ANYWHERE}.issuperset(platforms):
        linker()
    with noting() as kernels:
        play()
    if "numba" in sys.modules:
        raise HeartRushError(
            "machine code: expected a process that only builds the library, got one that has loaded Numba already."
        )
    processor = PROCESSORS.get(platform.machine().lower(), "generic")
    os.environ.update(NUMBA_CPU_NAME=processor, NUMBA_CPU_FEATURES="")  # Numba reads these when it is imported
    from heartrush_env.tabletop.compiling import jit, ptx

    modules: dict[Sources, dict[str, Any]] = {}
    texts: dict[Sources, dict[str, str]] = {}
    with compiling(f"the libraries of {len(kernels)} kernels"):
        for symbol, (kernel, kinds) in kernels.items():
            if kernel.sources is not None:
                program = jit.compiled_kernel(kernel.function, symbol, kinds, kernel.sources)
                modules.setdefault(kernel.sources, {})[symbol] = close_module(program, symbol)
                if ptx.has_ptx(kernel):
                    texts.setdefault(kernel.sources, {})[symbol] = ptx.ptx_of(kernel, kinds, program)
        for sources in texts:
            texts[sources] |= {kernel.symbol(kinds): ptx.ptx_of(kernel, kinds) for kernel, kinds in extras_of(sources)}
        for sources, of_game in modules.items():
            whole = join_modules(of_game.values())
            for place, there in places.items():
                folder = place / sources.place
                folder.mkdir(parents=True, exist_ok=True)
                library = folder / there.library
                if there.target is WASM:
                    library.write_bytes(pack_modules({name: wasm_of([of_game[name]], [name]) for name in of_game}))
                else:
                    _link(library, object_code(whole, list(of_game), there.target), there)
                write_note(sources, library, there.target.processor)
                if "linux" in there.target.triple or "windows" in there.target.triple:  # where CUDA is
                    write_texts(folder, sources, texts.get(sources, {}))
    for place, there in places.items():
        (place / TAG).write_text(there.tag + "\n", encoding="utf-8")
    return {
        place / sources.place / there.library: list(of_game)
        for place, there in places.items()
        for sources, of_game in modules.items()
    }


def _this_machine() -> Platform:
    """Return the platform of this machine, whose libraries a C compiler links."""
    c_compiler()
    processor = PROCESSORS.get(platform.machine().lower(), "generic")
    tag = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return Platform(tag, Target(llvm.get_default_triple(), processor, relocation="pic"), LIBRARY)


def _link(library: Path, code: bytes, there: Platform) -> None:
    """Make a library of an object file, with a linker."""
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch, "kernels.o")
        file.write_bytes(code)
        is_here = there not in PLATFORMS.values()
        command = [*c_compiler(), "-shared", "-o", str(library)] if is_here else linking(there, library, Path(scratch))
        run([*command, str(file)])


def object_code(module: Any, symbols: Sequence[str], target: Target) -> bytes:
    """Return the object file of a module, which exports nothing but kernels under these symbols."""
    storage = llvm.StorageClass.dllexport if "windows" in target.triple else llvm.StorageClass.default
    for symbol in symbols:
        module.get_function(symbol).storage_class = storage
    return object_for(module, target)


def c_compiler() -> list[str]:
    """Return the command of a C compiler that can link the library."""
    chosen = os.environ.get("CC") or sysconfig.get_config_var("CC") or ""
    for command in (shlex.split(chosen), ["cc"], ["gcc"], ["clang"]):
        if command and shutil.which(command[0]):
            return command
    raise HeartRushError(
        "machine code: expected a C compiler to link it (cc, gcc or clang, or one named by CC), got none."
    )
