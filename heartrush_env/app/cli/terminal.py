"""Terminal output: colors, tables, and the progress of long work, shown only where a person may be watching."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from heartrush_env.tabletop.text import escaped

if TYPE_CHECKING:
    from heartrush_env.tabletop.words import Line

LINES = 20  # the approximate number of progress lines in a log
NARROWEST_LAST = 12  # minimum width of the last column in a terminal, in characters
AGAIN = 0.2  # seconds between updates of a line on a terminal

PLAIN = {"bold": "", "dim": "", "red": "", "green": "", "end": ""}
COLORED = {"bold": "\x1b[1m", "dim": "\x1b[2m", "red": "\x1b[31m", "green": "\x1b[32m", "end": "\x1b[0m"}


def codes(stream: TextIO | None = None) -> dict[str, str]:
    """Return color codes by name; all are empty unless the stream is a color terminal and NO_COLOR is not set."""
    stream = sys.stdout if stream is None else stream
    wanted = stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return COLORED if wanted else PLAIN


MARKS = {"title": "bold", "aside": "dim", "loss": "red"}  # the code of each mark of narration lines


def painted(lines: Iterable[Line], color: Mapping[str, str]) -> list[str]:
    """Return the narrator's lines with color codes."""
    return [f"{color[MARKS[line.mark]]}{line}{color['end']}" if line.mark else line for line in lines]


def progress(done: int, total: int, what: str) -> None:
    """Show a count on standard error if it is a terminal, and clear it when the work is finished."""
    if sys.stderr.isatty():
        width = len(f"{total} of {total} {what}")
        line = " " * width + "\r" if done >= total else f"{done} of {total} {what}"
        print(f"\r{line}", end="", file=sys.stderr, flush=True)


class Count:
    """A progress display that remembers the latest count."""

    def __init__(self, what: str) -> None:
        self.what, self.done, self.total = what, 0, 0

    def __call__(self, done: int, total: int) -> None:
        """Record and show that `done` of `total` are finished."""
        self.done, self.total = done, total
        progress(done, total, self.what)

    def clear(self) -> None:
        """Clear the progress line."""
        progress(self.total, self.total, self.what)

    @contextmanager
    def or_too_soon(self, command: str, result: str) -> Iterator[None]:
        """Run a block with a command's work; if it is interrupted before there is a result, report the progress."""
        try:
            yield
        except KeyboardInterrupt:
            self.clear()
            how_far = f"interrupted after {self.done} {self.what}, too soon for {result}"
            print(f"heartrush {command}: {how_far}.", file=sys.stderr)
            raise


def note(line: str) -> None:
    """Print a line to standard error if it is a terminal."""
    if sys.stderr.isatty():
        print(line, file=sys.stderr, flush=True)


def duration(seconds: float) -> str:
    """Format a time as minutes and seconds, with hours if there are any."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02d}:{rest:02d}" if minutes >= 60 else f"{minutes}:{rest:02d}"


class Telling:
    """A progress report on standard error: one changing line on a terminal, about twenty lines in a log."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Start the clock, a function that returns seconds."""
        self._clock, self._begun = clock, clock()
        self._lines, self._changed, self._shown = 0, 0.0, False

    @property
    def seconds(self) -> float:
        """The seconds since the start."""
        return self._clock() - self._begun

    def line(self, share: float, text: str) -> None:
        """Show a progress line, if one is due.

        Args:
            share: The fraction of the work that is done, from 0 to 1.
            text: The line.
        """
        if sys.stderr.isatty():
            if share < 1 and self._shown and self.seconds < self._changed + AGAIN:
                return
            width = shutil.get_terminal_size().columns - 1
            self._changed, self._shown = self.seconds, share < 1
            print(f"\r{text[:width]:<{width}}", end="" if share < 1 else "\n", file=sys.stderr, flush=True)
        elif share * LINES >= self._lines + 1 or share >= 1:
            self._lines = int(share * LINES)
            print(text, file=sys.stderr, flush=True)

    def sentence(self, text: str) -> None:
        """Print a sentence that stays, replacing the changing line."""
        self.clear()
        print(text, file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Clear the changing line."""
        if self._shown:
            print(f"\r{'':<{shutil.get_terminal_size().columns - 1}}\r", end="", file=sys.stderr, flush=True)
        self._shown = False


def share_rows(rows: Sequence[tuple[str, Mapping[str, float]]]) -> list[str]:
    """Format counts with their shares and 95 % intervals, as `share_of` returns them, a line for each name."""
    width = max(len(name) for name, _ in rows)
    return [
        f"  {name:<{width}} {each['count']:>7} {100 * each['share']:>6.1f} % "
        f"[{100 * each['low']:.1f}, {100 * each['high']:.1f}]"
        for name, each in rows
    ]


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Format a table as text; on a terminal the last column is wrapped, in a pipe each row is one line."""
    color = codes()
    widths = [max(len(row[place]) for row in (head, *rows)) for place in range(len(head) - 1)]
    indent = sum(widths) + 2 * len(widths)
    room = None
    if sys.stdout.isatty():
        room = max(NARROWEST_LAST, shutil.get_terminal_size().columns - indent)
    lines = []
    for number, row in enumerate((head, *rows)):
        begin = "".join(f"{cell:<{width}}  " for cell, width in zip(row, widths, strict=False))
        parts = [row[-1]] if room is None else textwrap.wrap(row[-1], room, break_on_hyphens=False) or [""]
        for part in (begin + parts[0], *(" " * indent + part for part in parts[1:])):
            line = escaped(part.rstrip())
            lines.append(f"{color['bold']}{line}{color['end']}" if number == 0 else line)
    return lines


def aligned(rows: Sequence[Sequence[str]], left: int = 1) -> list[str]:
    """Return rows of cells in columns; the first `left` columns are left-aligned, the others are right-aligned."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  ".join(
            f"{cell:<{width}}" if place < left else f"{cell:>{width}}"
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
