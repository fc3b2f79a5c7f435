"""Libraries of machine code for other platforms, linked on this machine by LLVM's linker `lld`, without any SDK.

A library calls nothing but the C library's functions that copy and fill memory, so a description of these is all that a
linker needs of a platform.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from platform import machine
from typing import Final, NamedTuple

from llvmlite import binding as llvm

from heartrush_env.tabletop.compiling.retargeting import WASM, Target
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.modules import MODULES


class Platform(NamedTuple):
    """A platform: the tag of its wheels, its kind of machine, and the name of a library's file."""

    tag: str
    target: Target
    library: str


ANYWHERE: Final = "anywhere"  # the platform for which no other has a library
_LINUX: Final = "manylinux_2_17_{0}.manylinux2014_{0}.musllinux_1_1_{0}"
PLATFORMS: Final = {
    "linux-x86_64": Platform(
        _LINUX.format("x86_64"), Target("x86_64-unknown-linux-gnu", "x86-64-v3", relocation="pic"), "machine_code.so"
    ),
    "linux-arm64": Platform(
        _LINUX.format("aarch64"), Target("aarch64-unknown-linux-gnu", "generic", relocation="pic"), "machine_code.so"
    ),
    "macos-arm64": Platform(
        "macosx_11_0_arm64", Target("arm64-apple-macosx11.0.0", "apple-m1", relocation="pic"), "machine_code.dylib"
    ),
    "macos-x86_64": Platform(
        "macosx_11_0_x86_64", Target("x86_64-apple-macosx11.0.0", "x86-64-v3", relocation="pic"), "machine_code.dylib"
    ),
    "windows-x86_64": Platform(
        "win_amd64", Target("x86_64-pc-windows-gnu", "x86-64-v3", relocation="pic"), "machine_code.dll"
    ),
    ANYWHERE: Platform("any", WASM, MODULES),
}
WINDOWS: Final = ("-flavor", "link", "/dll", "/noentry", "/machine:x64")
# Functions with more than 4 KiB of local variables call this one, which touches the stack page by page; rax holds the
# size. Windows enlarges a stack only at its next page.
PROBE: Final = """
.globl ___chkstk_ms
___chkstk_ms:
    pushq %rcx
    pushq %rax
    leaq 24(%rsp), %rcx
1:  cmpq $0x1000, %rax
    jbe 2f
    subq $0x1000, %rcx
    testq %rcx, (%rcx)
    subq $0x1000, %rax
    jmp 1b
2:  subq %rax, %rcx
    testq %rcx, (%rcx)
    popq %rax
    popq %rcx
    retq
"""
C_LIBRARY: Final = ("memcpy", "memmove", "memset")
C_LIBRARY_OF_MACOS: Final = """--- !tapi-tbd
tbd-version: 4
targets: [ x86_64-macos, arm64-macos ]
install-name: '/usr/lib/libSystem.B.dylib'
exports:
  - targets: [ x86_64-macos, arm64-macos ]
    symbols: [ _memcpy, _memmove, _memset, _bzero, ___bzero, dyld_stub_binder ]
...
"""


def linker() -> str:
    """Return the command of LLVM's linker; raise HeartRushError if it, or an x86-64 processor, is missing."""
    if machine().lower() not in ("x86_64", "amd64"):
        raise HeartRushError(f"machine code: expected an x86-64 machine to link for other platforms, got {machine()}.")
    if shutil.which("lld") is None:
        raise HeartRushError(
            "machine code: expected LLVM's linker lld to link for other platforms (`apt-get install lld`), got none."
        )
    return "lld"


def linking(platform: Platform, library: Path, scratch: Path) -> list[str]:
    """Return the command that links the object files after it into a library for a platform.

    Args:
        platform: The platform.
        library: The file to write.
        scratch: A folder for descriptions of the platform's C library.
    """
    if library.suffix == ".so":  # a process has one C library, which need not be named
        return [linker(), "-flavor", "gnu", "-shared", "-s", "-o", str(library)]
    if library.suffix == ".dylib":
        described = scratch / "libSystem.tbd"
        described.write_text(C_LIBRARY_OF_MACOS, encoding="utf-8")
        command = [linker(), "-flavor", "darwin", "-dylib", "-arch", platform.target.triple.partition("-")[0]]
        command += ["-platform_version", "macos", "11.0", "11.0", "-install_name", f"@rpath/{library.name}"]
        return [*command, "-o", str(library), str(described)]
    command = [linker(), *WINDOWS, f"/out:{library}", f"/implib:{scratch / 'unused.lib'}"]
    probe = scratch / "probe.o"
    lines = "\n".join(f'module asm "{line}"' for line in PROBE.strip().splitlines())
    probe.write_bytes(_object(platform, lines))
    return [*command, str(probe), str(_c_library_of_windows(platform, scratch))]


def _c_library_of_windows(platform: Platform, scratch: Path) -> Path:
    """Write an import library of Windows' C library, as the by-product of a library that exports these functions."""
    empty = "\n".join(f"define dllexport void @{name}() {{ ret void }}" for name in C_LIBRARY)
    code, imports = scratch / "exports.o", scratch / "msvcrt.lib"
    code.write_bytes(_object(platform, empty))
    run([linker(), *WINDOWS, f"/out:{scratch / 'msvcrt.dll'}", f"/implib:{imports}", str(code)])
    return imports


def _object(platform: Platform, text: str) -> bytes:
    """Return the object file of an LLVM module, given as text without its target, for a platform."""
    of_target = platform.target.machine()
    if "module asm" in text:
        llvm.initialize_native_asmparser()
    emitted: bytes = of_target.emit_object(llvm.parse_assembly(f'target triple = "{platform.target.triple}"\n{text}'))
    return emitted


def run(command: list[str]) -> None:
    """Run a linker; raise HeartRushError with its last line if it fails."""
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        said = (done.stderr or done.stdout).strip().splitlines() or ["nothing"]
        raise HeartRushError(f"machine code: {command[0]} could not link it and said {said[-1]!r}.")
