"""Messages on standard error while the compiler runs, the same for every environment and command.

A terminal shows one line that counts the seconds. Elsewhere (pipes, logs, notebooks) a line comes at the start, one
every ten seconds, and one at the end. HEARTRUSH_QUIET=1 turns all of it off.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from shutil import get_terminal_size
from time import perf_counter
from typing import Final

NAME: Final = "heartrush-env"
SECONDS_UNTOLD: Final = 0.5  # a shorter wait is not worth a line
SECONDS_ON_TERMINALS: Final = 1.0
SECONDS_ELSEWHERE: Final = 10.0

_here = threading.local()  # compiling one function compiles those that it calls; the outermost is told of
_shown = 0  # characters of the line that counts seconds on a terminal; the next line is written over it


def tell(line: str) -> None:
    """Write a line to standard error, unless HEARTRUSH_QUIET is set or nobody can read it."""
    global _shown
    _write(f"\r{line:<{_shown}}\n" if _shown else f"{line}\n")
    _shown = 0


def _write(text: str) -> None:
    if os.environ.get("HEARTRUSH_QUIET", "0") in ("", "0") and sys.stderr is not None:
        with suppress(OSError, ValueError):  # it may be full or closed
            sys.stderr.write(text)
            sys.stderr.flush()


@contextmanager
def compiling(what: str) -> Iterator[None]:
    """Report a compilation for as long as the block takes; `what` is a noun such as "the rules"."""
    if getattr(_here, "compiling", False):
        yield
        return
    wait = _Wait(what)
    _here.compiling = True
    try:
        wait.begin()
        yield
        wait.done = True
    finally:
        _here.compiling = False
        wait.end()


class _Wait:
    """One compilation, with the thread that reports it."""

    def __init__(self, what: str) -> None:
        self.what, self.done = what, False
        self._begun = perf_counter()
        self._over = threading.Event()
        self._thread: threading.Thread | None = threading.Thread(target=self._report, name="compiling", daemon=True)

    def begin(self) -> None:
        """Start the thread; a process that cannot start threads waits in silence."""
        try:
            if self._thread is not None:
                self._thread.start()
        except RuntimeError:
            self._thread = None

    def end(self) -> None:
        """Stop the thread, which reports how the compilation ended."""
        self._over.set()
        if self._thread is not None:
            self._thread.join()

    def _report(self) -> None:
        if self._over.wait(SECONDS_UNTOLD):
            return
        terminal = _is_terminal()
        work = f"{NAME}: compiling {self.what}, once per version"
        if terminal:
            _count(work)
        else:
            tell(f"{work}; it usually takes less than a minute")
        step = SECONDS_ON_TERMINALS if terminal else SECONDS_ELSEWHERE
        while not self._over.wait(step - self._seconds % step):
            (_count if terminal else tell)(f"{work}: {self._seconds:.0f} s")
        tell(f"{NAME}: {'compiled' if self.done else 'stopped compiling'} {self.what} after {self._seconds:.0f} s")

    @property
    def _seconds(self) -> float:
        return perf_counter() - self._begun


def _count(line: str) -> None:
    """Replace the line currently shown on a terminal."""
    global _shown
    line = line[: get_terminal_size().columns - 1]  # one that wraps cannot be written over
    _write(f"\r{line:<{_shown}}")
    _shown = len(line)


def _is_terminal() -> bool:
    try:
        return sys.stderr is not None and sys.stderr.isatty()
    except ValueError:  # it is closed
        return False
