"""The build of the machine-code libraries that a wheel contains, one per game (tabletop/library.py).

The games played during the build run as plain Python, and reveal which kernels are needed for which argument types.
The kernels are then compiled for a family of processors instead of for this one, and a C compiler links them.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from llvmlite import binding as llvm

from heartrush_env.tabletop.batch.extras import extras_of
from heartrush_env.tabletop.compiling.closing import close_module
from heartrush_env.tabletop.compiling.retargeting import Target, object_for
from heartrush_env.tabletop.device.kept import write_texts
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.kernels import noting
from heartrush_env.tabletop.library import LIBRARY, NOTE
from heartrush_env.tabletop.sources import Sources
from heartrush_env.tabletop.waiting import compiling

# The target processor for each machine name, chosen to support processors of the last ten years.
PROCESSORS: Final = {"x86_64": "x86-64-v3", "amd64": "x86-64-v3", "arm64": "apple-m1", "aarch64": "generic"}


def build_libraries(folder: Path, play: Callable[[], None]) -> dict[Path, list[str]]:
    """Compile the kernels that `play` calls into libraries, one for each package that defines some of them.

    Each library is written to its package's path below `folder`, such as heartrush_env/games/heart_rush.

    Returns:
        The names of the kernels in each library, by the library's path.

    Raises:
        HeartRushError: There is no C compiler, or it fails.
    """
    compiler = c_compiler()
    processor = PROCESSORS.get(platform.machine().lower(), "generic")
    with noting() as kernels:
        play()
    if "numba" in sys.modules:
        raise HeartRushError(
            "machine code: expected a process that only builds the library, got one that has loaded Numba already."
        )
    os.environ.update(NUMBA_CPU_NAME=processor, NUMBA_CPU_FEATURES="")  # Numba reads these when it is imported
    from heartrush_env.tabletop.compiling import jit, ptx

    target = Target(llvm.get_default_triple(), processor, relocation="pic")
    objects: dict[Sources, dict[str, bytes]] = {}
    texts: dict[Sources, dict[str, str]] = {}
    with compiling(f"the libraries of {len(kernels)} kernels"):
        for symbol, (kernel, kinds) in kernels.items():
            if kernel.sources is not None:
                program = jit.compiled_kernel(kernel.function, symbol, kinds, kernel.sources)
                objects.setdefault(kernel.sources, {})[symbol] = object_code(program, symbol, target)
                if ptx.has_ptx(kernel):
                    texts.setdefault(kernel.sources, {})[symbol] = ptx.ptx_of(kernel, kinds, program)
        for sources in texts:
            texts[sources] |= {kernel.symbol(kinds): ptx.ptx_of(kernel, kinds) for kernel, kinds in extras_of(sources)}
        for sources, codes in objects.items():
            place = folder / sources.place
            _write_library(place, sources, codes, [*compiler, "-shared"], processor)
            write_texts(place, sources, texts.get(sources, {}))
    return {folder / sources.place / LIBRARY: list(codes) for sources, codes in objects.items()}


def _write_library(
    folder: Path, sources: Sources, codes: Mapping[str, bytes], linker: Sequence[str], processor: str
) -> None:
    """Write a library of these object files to a folder, and beside it the note that tabletop/library.py checks."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        files = [Path(scratch, f"{symbol}.o") for symbol in codes]
        for file, code in zip(files, codes.values(), strict=True):
            file.write_bytes(code)
        _link([*linker, "-o", str(folder / LIBRARY), *map(str, files)])
    sum_of_it = hashlib.sha256((folder / LIBRARY).read_bytes()).hexdigest()
    note = {"processor": processor, "sources": sources.digest, "sha256": sum_of_it}
    (folder / NOTE).write_text(json.dumps(note, indent=1) + "\n", encoding="utf-8")


def object_code(program: Any, symbol: str, target: Target) -> bytes:
    """Return the object file of a compiled kernel, which exports nothing but the kernel under its symbol."""
    module = close_module(program, symbol)
    if "windows" in target.triple:
        module.get_function(symbol).storage_class = llvm.StorageClass.dllexport
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


def _link(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        said = (done.stderr or done.stdout).strip().splitlines() or ["nothing"]
        raise HeartRushError(f"machine code: {command[0]} could not link it and said {said[-1]!r}.")
