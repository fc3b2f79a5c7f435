"""What a terminal can do: colors where somebody looks at them, progress where somebody waits."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Callable
from typing import TextIO

LINES = 20  # about so many lines of progress in a log
AGAIN = 0.2  # seconds until a line on a terminal changes

PLAIN = {"bold": "", "dim": "", "red": "", "green": "", "end": ""}
COLORED = {"bold": "\x1b[1m", "dim": "\x1b[2m", "red": "\x1b[31m", "green": "\x1b[32m", "end": "\x1b[0m"}


def codes(stream: TextIO | None = None) -> dict[str, str]:
    """Color codes by name: empty unless the stream is a terminal and NO_COLOR is not set."""
    stream = sys.stdout if stream is None else stream
    wanted = stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return COLORED if wanted else PLAIN


def progress(done: int, total: int, what: str) -> None:
    """Count on standard error, if somebody looks at it; nothing is left when all is done."""
    if sys.stderr.isatty():
        width = len(f"{total} of {total} {what}")
        line = " " * width + "\r" if done >= total else f"{done} of {total} {what}"
        print(f"\r{line}", end="", file=sys.stderr, flush=True)


class Count:
    """Counts as progress() does, and knows how far it came."""

    def __init__(self, what: str) -> None:
        self.what, self.done, self.total = what, 0, 0

    def __call__(self, done: int, total: int) -> None:
        """So many are done."""
        self.done, self.total = done, total
        progress(done, total, self.what)

    def clear(self) -> None:
        """Leave nothing behind."""
        progress(self.total, self.total, self.what)


def note(line: str) -> None:
    """Tell something beside the output, if somebody looks at it."""
    if sys.stderr.isatty():
        print(line, file=sys.stderr, flush=True)


def duration(seconds: float) -> str:
    """Minutes and seconds, with hours where there are any."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02d}:{rest:02d}" if minutes >= 60 else f"{minutes}:{rest:02d}"


class Telling:
    """Progress on standard error: one line that changes on a terminal, about twenty lines in a log."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin; `clock` gives seconds."""
        self._clock, self._begun = clock, clock()
        self._told, self._changed, self._shown = 0, 0.0, False

    @property
    def seconds(self) -> float:
        """Since the beginning."""
        return self._clock() - self._begun

    def line(self, share: float, text: str) -> None:
        """Show how far it is, if it is time to.

        Args:
            share: What is done, from 0 to 1.
            text: The line.
        """
        if sys.stderr.isatty():
            if share < 1 and self._shown and self.seconds < self._changed + AGAIN:
                return
            width = shutil.get_terminal_size().columns - 1
            self._changed, self._shown = self.seconds, share < 1
            print(f"\r{text[:width]:<{width}}", end="" if share < 1 else "\n", file=sys.stderr, flush=True)
        elif share * LINES >= self._told + 1 or share >= 1:
            self._told = int(share * LINES)
            print(text, file=sys.stderr, flush=True)

    def sentence(self, text: str) -> None:
        """Print something that stays."""
        self.clear()
        print(text, file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Leave no line behind that changes."""
        if self._shown:
            print(f"\r{'':<{shutil.get_terminal_size().columns - 1}}\r", end="", file=sys.stderr, flush=True)
        self._shown = False
