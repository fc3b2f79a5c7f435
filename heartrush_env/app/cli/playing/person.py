"""The single interface to a person: a terminal in play, a list of lines in tests.

Every prompt goes through `Person.read_line`. EOFError means that the input has ended. KeyboardInterrupt means that the
person wants to leave at once. Both propagate through all callers, up to the command.
"""

from __future__ import annotations

import getpass
import io
import sys
import time
from typing import Protocol


class Leaves(Exception):
    """Raised when the person leaves the fight, after confirmation where it is required."""


class Person(Protocol):
    """The source of answers to prompts."""

    watched: bool  # whether a person is at a terminal; a script gets only the prompts that a fight needs

    def read_line(self, prompt: str, *, secret: bool = False) -> str:
        """Read one line without its line break; a secret line is not echoed while it is typed."""

    def pause(self, seconds: float) -> None:
        """Wait for some seconds if a person is watching."""


class AtTerminal:
    """Standard input and output; without a terminal, input is not hidden and there are no pauses."""

    def __init__(self) -> None:
        """Check for a terminal; replace characters that cannot be read, and escape characters that cannot be shown."""
        for stream, errors in ((sys.stdin, "replace"), (sys.stdout, "backslashreplace")):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors=errors)
        self.missing = "" if sys.stdin.isatty() else "standard input"  # the stream that is not a terminal
        self.missing = self.missing or ("" if sys.stdout.isatty() else "standard output")
        self.watched = not self.missing

    def read_line(self, prompt: str, *, secret: bool = False) -> str:
        """Read one line as typed."""
        if self.watched:
            return _unseen(prompt) if secret else input(prompt)
        line = input(prompt)
        print()  # piped input is not echoed, so end the prompt's line here
        return line

    def pause(self, seconds: float) -> None:
        """Sleep if a person is watching."""
        if self.watched:
            time.sleep(seconds)


def _unseen(prompt: str) -> str:
    """Read one line that the terminal does not echo."""
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
