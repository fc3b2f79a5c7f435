"""Messages on standard error while the compiler runs, the same for every environment and command.

A terminal shows one line that counts the seconds. Elsewhere (pipes, logs, notebooks) one line is written at the start,
one every ten seconds, and one at the end. HEARTRUSH_QUIET=1 turns all messages off.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from shutil import get_terminal_size
from time import perf_counter, thread_time
from typing import Final

NAME: Final = "heartrush-env"
SECONDS_UNTOLD: Final = 0.5  # shorter waits are not reported
SECONDS_ON_TERMINALS: Final = 1.0
SECONDS_ELSEWHERE: Final = 10.0
PACE_WORK: Final = 60_000  # table entries that are written to measure a machine's speed
PACE_SECONDS: Final = 0.0095  # the time of this work on the machine where compilations were timed

_here = threading.local()  # compiling one function compiles the functions that it calls; only the outermost is reported
_shown = 0  # length of the line that counts seconds on a terminal; the next line overwrites it


def tell(line: str) -> None:
    """Write a line to standard error, unless HEARTRUSH_QUIET is set or standard error is not available."""
    global _shown
    _write(f"\r{line:<{_shown}}\n" if _shown else f"{line}\n")
    _shown = 0


def _write(text: str) -> None:
    if os.environ.get("HEARTRUSH_QUIET", "0") in ("", "0") and sys.stderr is not None:
        with suppress(OSError, ValueError):  # it may be full or closed
            sys.stderr.write(text)
            sys.stderr.flush()


@contextmanager
def compiling(what: str, seconds: float = 0.0) -> Iterator[None]:
    """Report a compilation while the block runs.

    Args:
        what: A noun for what is compiled, such as "the rules".
        seconds: The time it takes on the machine where compilations were timed; 0 if unknown.
    """
    if getattr(_here, "compiling", False):
        yield
        return
    wait = _Wait(what, seconds_here(seconds))
    _here.compiling = True
    try:
        wait.begin()
        yield
        wait.done = True
    finally:
        _here.compiling = False
        wait.end()


def seconds_here(seconds: float) -> float:
    """Return how many seconds a compilation takes on one core here, given the seconds that were timed elsewhere.

    A compilation is mostly Python, so a short piece of Python measures how fast the machine is under its current load.
    """
    return seconds and seconds * min(_measured() for _ in range(3)) / PACE_SECONDS


def _measured() -> float:
    """Return the seconds that this thread takes for a fixed amount of Python work."""
    begun = thread_time()
    table: dict[int, tuple[int, object]] = {}
    for number in range(PACE_WORK):
        table[number % 997] = number, table.get(number % 991)
    return thread_time() - begun


class _Wait:
    """One compilation, with the thread that reports it."""

    def __init__(self, what: str, seconds: float = 0.0) -> None:
        self.what, self.done = what, False
        self._about = f"about {seconds:.0f} s of one core here" if seconds else ""
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
        started = f"{work}; {self._about}" if self._about else work
        if terminal:
            work = started
            _count(work)
        else:
            tell(started)
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
    line = line[: get_terminal_size().columns - 1]  # a wrapped line cannot be overwritten
    _write(f"\r{line:<{_shown}}")
    _shown = len(line)


def _is_terminal() -> bool:
    try:
        return sys.stderr is not None and sys.stderr.isatty()
    except ValueError:  # it is closed
        return False
