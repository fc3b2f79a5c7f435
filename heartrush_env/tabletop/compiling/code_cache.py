"""A disk cache for compiled code: later processes reuse it, damaged files are deleted, and it is never required.

One file holds one function compiled for one combination of argument types: its name, a checksum, and Numba's pickle.
Each file is written under a temporary name in its folder and then renamed, so several processes may compile into one
folder at the same time. If a folder cannot be used, one sentence reports it, and a private temporary folder replaces
it. If that folder fails too, nothing is cached.

Reading a pickle may run code. A file is therefore read only if it belongs to this user or to root and no other user
may write to it. Its folder must meet these conditions too.

Numba is imported only inside the functions that need it, so that users of a prebuilt machine-code library can query
the folder.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from heartrush_env.tabletop.sources import Sources
from heartrush_env.tabletop.waiting import NAME, tell

VARIABLE: Final = "HEARTRUSH_CACHE_DIR"
MARK: Final = b"heartrush-env code 1\n"
SUM_SIZE: Final = hashlib.sha256().digest_size
PRIVATE: Final = 0o700
WRITE_BY_OTHERS: Final = stat.S_IWGRP | stat.S_IWOTH


@dataclass(frozen=True)
class Used:
    """A compiled function that this process runs, and the cache folder that keeps it for the next process."""

    function: str
    folder: Path | None  # None where nothing can be kept
    compiled: bool  # True if this process compiled it; False if it was loaded from disk


USED: list[Used] = []


def cache_directory() -> Path | None:
    """Return HEARTRUSH_CACHE_DIR or else the user's cache folder for compiled code; None without a home folder."""
    chosen = os.environ.get(VARIABLE)
    if chosen:
        return Path(chosen)
    try:
        if sys.platform == "win32":
            base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
        elif sys.platform == "darwin":
            base = Path.home() / "Library" / "Caches"
        else:
            base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    except RuntimeError:  # HOME is unset and the user database lacks this user id, as in containers
        return None
    return base / NAME


def temporary_directory() -> Path | None:
    """Return the user's private folder that replaces an unusable cache folder; None if no temporary folder works."""
    with suppress(OSError):  # no temporary folder can be written to
        return Path(tempfile.gettempdir()) / (f"{NAME}-{os.geteuid()}" if os.name == "posix" else NAME)
    return None


class CodeCache:
    """The compiled versions of one function on disk, with the methods that Numba expects of a dispatcher's cache."""

    def __init__(self, function: Callable[..., Any], identity: bytes, sources: Sources) -> None:
        """Create the cache of a function that depends on these sources.

        `identity` distinguishes the function from others of the same name.
        """
        self._function, self._identity, self._sources = function, identity, sources

    @property
    def cache_path(self) -> str:
        """The first folder to be searched; Numba shows it in statistics."""
        return str(cache_directory() or temporary_directory() or "")

    def load_overload(self, signature: Any, target: Any) -> Any:
        """Return the compiled function for these argument types, or None."""
        from numba.core.compiler import CompileResult

        name = self._name(signature, target.codegen())
        for base in _bases(self._sources.key):
            path = base / self._sources.key / name
            content = _read(path)
            if content is None:
                continue
            try:
                state = pickle.loads(content)
                if _has_wrapper(*state[:2]):
                    target.refresh()
                found = CompileResult._rebuild(target, *state)  # type: ignore[no-untyped-call]  # noqa: SLF001
            except Exception:  # whatever is wrong with the file, compiling again fixes it
                _drop(path)
                continue
            if tuple(found.signature.args) == tuple(signature):
                USED.append(Used(self._function.__name__, base, compiled=False))
                return found
        return None

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Store a compiled function for later processes, if possible."""
        from numba.core import serialize

        if compiled.lifted or compiled.library.has_dynamic_globals:  # its code holds addresses of this process
            return
        name = self._name(signature, compiled.codegen)
        content: bytes = serialize.dumps(compiled._reduce())  # type: ignore[no-untyped-call]  # noqa: SLF001
        folder = keep(self._sources.key, name, content)
        USED.append(Used(self._function.__name__, folder, compiled=True))

    def enable(self) -> None:
        """Do nothing; Numba requires this method."""

    def disable(self) -> None:
        """Do nothing; Numba requires this method."""

    def flush(self) -> None:
        """Do nothing; Numba calls this method before recompiling."""

    def _name(self, signature: Any, codegen: Any) -> str:
        """Return a file name that identifies everything the machine code depends on."""
        import llvmlite
        import numba

        versions = (numba.__version__, llvmlite.__version__, np.__version__, sys.version, sys.implementation.cache_tag)
        depends = hashlib.sha256(self._identity)
        checked = numba.config.BOUNDSCHECK  # type: ignore[attr-defined]  # set from the environment
        for part in (self._sources.key, *versions, checked, codegen.magic_tuple(), *signature):
            depends.update(b"\0" + str(part).encode())
        file = Path(self._function.__code__.co_filename).stem
        where = f"{file}.{self._function.__qualname__}".replace("<", "").replace(">", "")
        return f"{where}-{depends.hexdigest()[:32]}.nbc"


def _has_wrapper(library: Any, function: Any) -> bool:
    """Return whether Python's objects reach a kept function: only then does it need what Numba loads for its types.

    Loading that takes about a quarter of a later start.
    """
    (_, _, (code, _)) = library
    return function.llvm_cpython_wrapper_name.encode() in code


def identity_of(function: Callable[..., Any]) -> bytes:
    """Return a function's bytecode and pickled closure, which identify it among functions of the same name."""
    from numba.core import serialize

    closure = [cell.cell_contents for cell in function.__closure__ or ()]
    taken: bytes = serialize.dumps(closure) if closure else b""  # type: ignore[no-untyped-call]
    return function.__code__.co_code + taken


def kept(key: str, name: str) -> bytes | None:
    """Return the content of a file that was kept under a key, or None if no trusted folder has it undamaged."""
    contents = (_read(base / key / name) for base in _bases(key))
    return next((content for content in contents if content is not None), None)


def keep(key: str, name: str, content: bytes) -> Path | None:
    """Keep a file for later processes; return the cache folder, or None if no folder can keep it."""
    faults: list[str] = []
    home, spare = cache_directory(), temporary_directory()
    folder: Path | None = None
    if home is None:
        faults.append("there is no home folder that could keep compiled code")
    for base in (home, spare):
        if base is not None and folder is None:
            try:
                _write(base, key, name, content)
                folder = base
            except OSError as fault:
                faults.append(f"{base} cannot keep compiled code ({fault.strerror or fault})")
    if faults:
        _tell_once(faults[0], folder)
    return folder


def _bases(key: str) -> Iterator[Path]:
    """Yield the trusted cache folders that may hold files of a key."""
    for base in (cache_directory(), temporary_directory()):
        if base is not None and _is_trusted(base / key):
            yield base


def _read(path: Path) -> bytes | None:
    """Return the content of a file, or None if it is missing or not trusted; delete the file if it is damaged."""
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0))
        with open(handle, "rb") as file:
            status = os.fstat(handle)
            _refuse_what_others_write(status)
            if not stat.S_ISREG(status.st_mode):
                return None
            content = file.read()
    except OSError:
        return None
    head = MARK + path.name.encode() + b"\n"
    body = content[len(head) + SUM_SIZE :]
    if content[: len(head) + SUM_SIZE] != head + hashlib.sha256(body).digest():
        _drop(path)
        return None
    return body


def _write(base: Path, key: str, name: str, content: bytes) -> None:
    """Write a file to a private folder, flush it to disk, and rename it into place; on an error, leave no file."""
    folder = base / key
    base.mkdir(mode=PRIVATE, parents=True, exist_ok=True)
    folder.mkdir(mode=PRIVATE, exist_ok=True)
    if base == temporary_directory():  # any user may have created a folder of this name there
        _refuse_what_others_write(os.lstat(base))
    _refuse_what_others_write(os.lstat(folder))
    handle, beside = tempfile.mkstemp(dir=folder, prefix=f"{name}.", suffix=".new")
    try:
        with open(handle, "wb") as file:
            file.write(MARK + name.encode() + b"\n" + hashlib.sha256(content).digest())
            file.write(content)
            file.flush()
            os.fsync(handle)
        os.replace(beside, folder / name)
    except BaseException:
        _drop(Path(beside))
        raise


def _drop(path: Path) -> None:
    """Delete a file, if that is allowed."""
    with suppress(OSError):
        path.unlink()


def _is_trusted(folder: Path) -> bool:
    """Return whether a folder exists and only this user and root can write to it."""
    try:
        _refuse_what_others_write(os.lstat(folder))
    except OSError:
        return False
    return True


def _refuse_what_others_write(status: os.stat_result) -> None:
    """Raise PermissionError for a link, or for a file or folder that users besides this one and root can write to."""
    if os.name != "posix":  # on other systems, the user's folders are already private
        return
    if status.st_uid not in (os.geteuid(), 0):
        raise PermissionError(f"it belongs to the user id {status.st_uid}")
    if stat.S_ISLNK(status.st_mode):
        raise PermissionError("it is a link")
    if status.st_mode & WRITE_BY_OTHERS:
        raise PermissionError("other users may write to it")


_told: set[str] = set()


def _tell_once(fault: str, kept: Path | None) -> None:
    """Report a fault of a cache folder and where compiled code is kept instead; report only the first fault."""
    if not _told:
        _told.add(fault)
        instead = "every start compiles again" if kept is None else f"it is kept in {kept}"
        tell(f"{NAME}: {fault}, so {instead}; {VARIABLE} names another folder.")
