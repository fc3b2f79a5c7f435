"""Builds the library of machine code that is shipped in a wheel (tabletop/library.py).

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
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from llvmlite import binding as llvm

from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.kernels import noting
from heartrush_env.tabletop.library import LIBRARY, NOTE
from heartrush_env.tabletop.sources import source_digest
from heartrush_env.tabletop.waiting import compiling

# The target processor for each machine name, chosen to support processors of the last ten years.
PROCESSORS: Final = {"x86_64": "x86-64-v3", "amd64": "x86-64-v3", "arm64": "apple-m1", "aarch64": "generic"}


def build_library(folder: Path, play: Callable[[], None]) -> list[str]:
    """Compile the kernels that a program calls into a library in a folder, and return their names.

    Raises:
        HeartRushError: There is no C compiler, or it fails.
    """
    compiler = c_compiler()
    processor = PROCESSORS.get(platform.machine().lower(), "generic")
    with noting() as kernels:
        play()
    if "numba" in sys.modules:
        raise HeartRushError("machine code: Numba is loaded already, allowed: a process that builds the library alone.")
    os.environ.update(NUMBA_CPU_NAME=processor, NUMBA_CPU_FEATURES="")  # Numba reads these when it is imported
    from heartrush_env.tabletop.compiling import jit

    with compiling(f"the library of {len(kernels)} kernels"), tempfile.TemporaryDirectory() as scratch:
        objects = []
        for symbol, (function, kinds) in kernels.items():
            path = Path(scratch, f"{symbol}.o")
            path.write_bytes(object_code(jit.compiled_kernel(function, symbol, kinds, keep=False), symbol, processor))
            objects.append(str(path))
        folder.mkdir(parents=True, exist_ok=True)
        _link([*compiler, "-shared", "-o", str(folder / LIBRARY), *objects])
    sum_of_it = hashlib.sha256((folder / LIBRARY).read_bytes()).hexdigest()
    note = {"processor": processor, "sources": source_digest(), "sha256": sum_of_it}
    (folder / NOTE).write_text(json.dumps(note, indent=1) + "\n", encoding="utf-8")
    return list(kernels)


def object_code(program: Any, symbol: str, processor: str) -> bytes:
    """Return the object file of a compiled kernel, which exports nothing but the kernel under its symbol."""
    module = llvm.parse_bitcode(program.library.module.as_bitcode())
    for own in (*module.functions, *module.global_variables):
        if not own.is_declaration:
            own.linkage = llvm.Linkage.internal
    entry = module.get_function(program.fndesc.llvm_func_name)
    entry.name, entry.linkage = symbol, llvm.Linkage.external
    if sys.platform == "win32":
        entry.storage_class = llvm.StorageClass.dllexport
    target = llvm.Target.from_default_triple()
    machine = target.create_target_machine(cpu=processor, opt=3, reloc="pic", codemodel="default")
    _drop_unused(module, machine)  # such as Numba's reference counting, which a kernel never calls
    code: bytes = machine.emit_object(module)
    return code


def _drop_unused(module: Any, machine: Any) -> None:
    """Remove the functions and global variables that no exported symbol uses."""
    if hasattr(llvm, "create_module_pass_manager"):  # llvmlite 0.44: its new pass manager lacks this pass
        passes = llvm.create_module_pass_manager()
        passes.add_global_dce_pass()
        passes.run(module)
        return
    passes = llvm.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    passes.run(module, llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options()))


def c_compiler() -> list[str]:
    """Return the command of a C compiler that can link the library."""
    chosen = os.environ.get("CC") or sysconfig.get_config_var("CC") or ""
    for command in (shlex.split(chosen), ["cc"], ["gcc"], ["clang"]):
        if command and shutil.which(command[0]):
            return command
    raise HeartRushError("machine code: found no C compiler to link it, allowed: cc, gcc or clang, or one named by CC.")


def _link(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        said = (done.stderr or done.stdout).strip().splitlines() or ["nothing"]
        raise HeartRushError(f"machine code: {command[0]} could not link it and said {said[-1]!r}.")
