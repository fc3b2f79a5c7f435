"""The one seam through which a person is heard: the terminal here, a list of lines in tests.

Every prompt goes through `Person.hear`. EOFError says that nobody is there any more, KeyboardInterrupt that somebody
wants out at once; both pass through everything above, up to the command.
"""

from __future__ import annotations

import getpass
import io
import sys
import time
from typing import Protocol


class Leaves(Exception):
    """The person asked to leave and meant it."""


class Person(Protocol):
    """Whoever answers prompts."""

    watched: bool  # somebody sits at a terminal: a script is asked only what a fight needs

    def hear(self, prompt: str, *, secret: bool = False) -> str:
        """One line, without its end; a secret one is not to be seen while it is typed."""

    def pause(self, seconds: float) -> None:
        """Let a moment pass, where somebody watches."""


class AtTerminal:
    """Standard input and output; where they are no terminal, the same without hiding and pauses."""

    def __init__(self) -> None:
        """Look once whether somebody is there; characters that cannot be read or shown are replaced."""
        for stream in (sys.stdin, sys.stdout):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="replace")
        self.watched = sys.stdin.isatty() and sys.stdout.isatty()

    def hear(self, prompt: str, *, secret: bool = False) -> str:
        """One line as it was typed."""
        if self.watched:
            return _unseen(prompt) if secret else input(prompt)
        line = input(prompt)
        print()  # what is not typed at a terminal brings no line end to the output
        return line

    def pause(self, seconds: float) -> None:
        """Sleep, if somebody watches."""
        if self.watched:
            time.sleep(seconds)


def _unseen(prompt: str) -> str:
    """One line that the terminal does not echo."""
    try:
        import termios
    except ImportError:  # Windows
        return getpass.getpass(prompt)
    number = sys.stdin.fileno()
    before = termios.tcgetattr(number)
    hidden = list(before)
    hidden[3] &= ~termios.ECHO
    try:
        termios.tcsetattr(number, termios.TCSADRAIN, hidden)
        print(prompt, end="", flush=True)
        line = sys.stdin.readline()
    finally:
        termios.tcsetattr(number, termios.TCSADRAIN, before)
        print(flush=True)
    if not line:
        raise EOFError
    return line.rstrip("\n")
