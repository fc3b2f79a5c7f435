"""The display of `heartrush play`: sentences, narration, titles and menus. Nothing is shown by color alone.

Only `heartrush play` imports `rich`.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from typing import TextIO

from rich import box
from rich.console import Console
from rich.rule import Rule
from rich.text import Text

MANY_LINES = 14  # the most choices of a menu that has a line for each
WIDEST = 100  # columns; longer lines are hard to read


class Screen:
    """A terminal, or a stand-in for one that receives plain output."""

    highlights: Sequence[tuple[re.Pattern[str], str]] = ()  # patterns in narrated lines, and their styles

    def __init__(self, stream: TextIO | None = None) -> None:
        """Set up the console, with colors only where wanted and box lines only where they can be shown."""
        stream = sys.stdout if stream is None else stream
        self.console = Console(file=stream, highlight=False, emoji=False, markup=False)
        self.fancy = self.console.encoding.lower().startswith("utf") and os.environ.get("TERM") != "dumb"
        self.muted = False  # whether all output is suppressed

    def say(self, words: str = "", style: str = "", indent: int = 2) -> None:
        """Show a sentence."""
        self.hang(Text(words, style), indent, more=0)

    def tell(self, lines: Sequence[str]) -> None:
        """Show lines of narration, wrapped with a hanging indent."""
        for line in lines:
            text = line.lstrip()
            told = Text(text)
            for pattern, style in self.highlights:
                told.highlight_regex(pattern, style)
            self.hang(told, len(line) - len(text))

    def show_command(self, words: str, command: str) -> None:
        """Show a command to copy, without line breaks."""
        self.console.print(Text(f"{words} {command}", "dim"), soft_wrap=True)

    def show_title(self, words: str) -> None:
        """Show a title set into a horizontal line."""
        line = Rule(Text(words, "bold"), characters="─" if self.fancy else "-", style="dim", align="left")
        self.show(line)

    def hang(self, text: Text, indent: int, more: int = 4) -> None:
        """Show a line with further indentation for its continuation lines."""
        if not text:
            self.show("")
            return
        for k, line in enumerate(text.wrap(self.console, max(20, self.width() - indent - more))):
            line.rstrip()
            self.show(Text.assemble(" " * (indent + more * (k > 0)), line))

    def width(self) -> int:
        """Return the width of a line, in characters."""
        return min(self.console.width, WIDEST)

    def show(self, what: object) -> None:
        """Show anything that rich can print, unless the screen is muted."""
        if not self.muted:
            self.console.print(what, width=self.width(), highlight=False)

    def boxes(self) -> box.Box:
        """Return the lines of boxes that this screen can show."""
        return box.ROUNDED if self.fancy else box.ASCII

    def show_choices(self, title: str, words: Sequence[str], default: int | None = None) -> None:
        """Show a plain numbered list."""
        self.show("")
        self.show(Text(title, "bold"))
        for k, line in enumerate(words):
            mark = " (Enter)" if k == default else ""
            self.hang(Text.assemble((f"{k + 1:>3} ", "bold"), line, (mark, "dim")), 0)

    def show_picture(self, picture: str) -> None:
        """Show lines of text as they are, without wrapping them."""
        if not self.muted:
            self.console.print(Text(f"\n{picture}"), no_wrap=True, overflow="ignore", crop=False, highlight=False)

    def fill(self, begin: str, items: Sequence[str], between: str = ",") -> None:
        """Print items one after another, without breaking any of them across lines."""
        line = begin
        for k, item in enumerate(items):
            item += between if k + 1 < len(items) else ""
            if len(line) + len(item) + 3 > self.width():
                self.show(Text(f"  {line.rstrip()}"))
                line = "    "
            line += f"{item} "
        self.show(Text(f"  {line.rstrip()}"))


def listed(names: Sequence[str]) -> str:
    """Join names with commas and a final "and"."""
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last
