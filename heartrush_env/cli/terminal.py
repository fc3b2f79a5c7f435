"""What a terminal can do: colors where somebody looks at them, progress where somebody waits."""

from __future__ import annotations

import os
import sys
from typing import TextIO

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
