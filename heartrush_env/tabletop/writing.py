"""Files that are written whole or not at all, and locks that let one process at a time write to a path.

A file is written under a temporary name in its folder and then renamed. After an error, a full disk or a lost process,
the path names the whole old file or the whole new one. Errors and Ctrl-C remove the partial file. A killed process
cannot remove it; the next process that writes into the folder removes it. The writer of a partial file holds the
operating system's lock on it. The lock ends with the process, so a partial file without a lock is abandoned.
"""

from __future__ import annotations

import itertools
import os
import re
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from typing import Final

from heartrush_env.tabletop.errors import HeartRushError

_PART: Final = re.compile(r"\..+\.\d+\.\d+\.part")  # the file's name, the process, a number
_PLACE_OF_LOCK: Final = 2**30  # the byte that is locked on Windows, where no other process can read a locked byte
_NUMBERS: Final = itertools.count()
_CLEANED: Final[set[tuple[int, Path]]] = set()  # (process id, folder) without abandoned partial files
_OWN: Final = threading.local()


def make_folder(folder: str | os.PathLike[str], error: type[HeartRushError] = HeartRushError) -> Path:
    """Make a folder and its parents, unless it already exists.

    Raises:
        error: The folder cannot be made.
    """
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise error(f"{folder}: the folder cannot be made ({reason(problem)}).") from None
    return Path(folder)


def check_folder(folder: str | os.PathLike[str], error: type[HeartRushError] = HeartRushError) -> None:
    """Check that files can be written in a folder, before the work that produces them.

    Raises:
        error: No file can be written there.
    """
    try:
        with TemporaryFile(dir=folder):
            pass
    except OSError as problem:
        raise error(f"{folder}: no file can be written in this folder ({reason(problem)}).") from None


def replace_file(path: str | os.PathLike[str], content: bytes, error: type[HeartRushError] = HeartRushError) -> None:
    """Write a file, replacing any earlier one.

    Raises:
        error: The file cannot be written; the earlier file is still whole.
    """
    with replaced(path, error) as part:
        part.write_bytes(content)


@contextmanager
def replaced(path: str | os.PathLike[str], error: type[HeartRushError] = HeartRushError) -> Iterator[Path]:
    """Yield a path to write to; at the end of the block, the file written there replaces `path`.

    If the block raises, nothing of the new file remains.

    Args:
        path: The file.
        error: The error to raise, with a one-sentence message, for an OSError in the block.
    """
    target = Path(path)
    try:
        _remove_dead_parts(target.parent)
        with closing(_new_part(target)) as file:
            try:
                yield file.path
                os.fsync(file.number)
                file.close_on_windows()
                os.replace(file.path, target)
            except BaseException:
                file.close_on_windows()
                file.path.unlink(missing_ok=True)
                raise
    except OSError as problem:
        raise error(f"{target}: it cannot be written ({reason(problem)}).") from None


def reason(problem: OSError) -> str:
    """Return the operating system's reason on one line."""
    return problem.strerror or " ".join(str(problem).split())[:200]


def _new_part(target: Path) -> _Open:
    """Open and lock a new empty file next to the target."""
    while True:
        file = _Open(target.with_name(f".{target.name}.{os.getpid()}.{next(_NUMBERS)}.part"))
        if file.lock() and file.is_there():  # else another process removed it as abandoned before it was locked
            return file
        file.close()


def _remove_dead_parts(folder: Path) -> None:
    """Remove partial files left by killed processes, once per folder that this process writes to."""
    known = os.getpid(), folder.absolute()
    if known in _CLEANED:
        return
    _CLEANED.add(known)
    with suppress(OSError):
        for found in os.scandir(folder):
            if _PART.fullmatch(found.name) and found.is_file(follow_symlinks=False):
                with suppress(OSError), closing(_Open(Path(found.path))) as file:
                    if file.lock():
                        file.close_on_windows()
                        os.unlink(found.path)


@contextmanager
def sole_writer(place: str | os.PathLike[str], error: type[HeartRushError] = HeartRushError) -> Iterator[None]:
    """Run the block while no other process may write to a path.

    A lock file holds the process id: `.lock` in a folder, `.NAME.lock` beside a file. The operating system releases the
    lock when the process ends, however it ends, so a killed process blocks no other. In one thread, blocks for one
    path may be nested.

    Args:
        place: A folder that exists, or a file that may not exist yet.
        error: The error to raise if another process holds the path, or if no lock file can be written there.
    """
    path = _lock_of(Path(place))
    held: set[Path] = _OWN.__dict__.setdefault("held", set())
    if path in held:
        yield
        return
    release = hold(place, error)
    held.add(path)
    try:
        yield
    finally:
        held.discard(path)
        release()


def hold(
    place: str | os.PathLike[str], error: type[HeartRushError] = HeartRushError, doing: str = "is writing"
) -> Callable[[], None]:
    """Lock a path for this process alone, as `sole_writer` does, and return the function that releases it.

    Raises:
        error: Another holder has the path, or no lock file can be written there.
    """
    path = _lock_of(Path(place))
    try:
        file = _take(path)
    except OSError as problem:
        raise error(f"{place}: it cannot be written ({reason(problem)}).") from None
    if file is None:
        raise error(f"{place}: expected one process at a time, but {_holder(path)} {doing} there.")
    return partial(_drop, file)


def _lock_of(place: Path) -> Path:
    """Return the lock file of a path."""
    return (place / ".lock" if place.is_dir() else place.with_name(f".{place.name}.lock")).absolute()


def _take(path: Path) -> _Open | None:
    """Lock the lock file and write this process id into it; return None if another holder has it."""
    while True:
        file = _Open(path)
        try:
            if not file.lock():
                file.close()
                return None
            if file.is_there():  # else its last owner removed it just now
                os.ftruncate(file.number, 0)
                os.write(file.number, f"{os.getpid()}\n".encode())
                return file
            file.close()
        except BaseException:
            _drop(file)
            raise


def _holder(path: Path) -> str:
    """Return the holder of a lock file, in words for a sentence."""
    try:
        number = path.read_text(errors="replace").strip()
    except OSError:
        number = ""
    return f"the process {number}" if number.isdigit() else "another process"


def _drop(file: _Open) -> None:
    """Remove this process's lock file and release the lock."""
    with suppress(OSError):
        file.close_on_windows()
        os.unlink(file.path)
    file.close()


class _Open:
    """A file that is open and may be locked."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.number = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)

    def lock(self) -> bool:
        """Lock the file for this process; return False if another holder has it, True if files cannot be locked."""
        try:
            _lock(self.number)
        except (BlockingIOError, PermissionError):
            return False
        except OSError:
            return True
        return True

    def is_there(self) -> bool:
        """Return whether the path still names this open file."""
        try:
            return os.path.samestat(os.fstat(self.number), self.path.stat())
        except FileNotFoundError:
            return False

    def close_on_windows(self) -> None:
        """Close the file on Windows, where an open file can be neither renamed nor removed."""
        if os.name == "nt":
            self.close()

    def close(self) -> None:
        """Close the file, which frees its lock."""
        if self.number >= 0:
            os.close(self.number)
            self.number = -1


if sys.platform == "win32":
    import msvcrt

    def _lock(number: int) -> None:
        os.lseek(number, _PLACE_OF_LOCK, os.SEEK_SET)
        msvcrt.locking(number, msvcrt.LK_NBLCK, 1)
        os.lseek(number, 0, os.SEEK_SET)

else:
    import fcntl

    def _lock(number: int) -> None:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
