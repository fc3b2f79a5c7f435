"""The single interface to a person: the terminal here, a list of lines in tests.

Every prompt goes through `Person.hear`. EOFError means that the input has ended, KeyboardInterrupt that the person
wants to leave at once; both propagate through all callers, up to the command.
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
    """The source of answers to prompts."""

    watched: bool  # a person sits at a terminal; a script is asked only what a fight needs

    def hear(self, prompt: str, *, secret: bool = False) -> str:
        """Read one line, without its line end; a secret one is not echoed while it is typed."""

    def pause(self, seconds: float) -> None:
        """Wait a moment if somebody is watching."""


class AtTerminal:
    """Standard input and output; without a terminal, there is no hiding and there are no pauses."""

    def __init__(self) -> None:
        """Check once for a terminal; characters that cannot be read are replaced, and those not shown are escaped."""
        for stream, errors in ((sys.stdin, "replace"), (sys.stdout, "backslashreplace")):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors=errors)
        self.missing = "" if sys.stdin.isatty() else "standard input"  # what is no terminal
        self.missing = self.missing or ("" if sys.stdout.isatty() else "standard output")
        self.watched = not self.missing

    def hear(self, prompt: str, *, secret: bool = False) -> str:
        """Read one line as typed."""
        if self.watched:
            return _unseen(prompt) if secret else input(prompt)
        line = input(prompt)
        print()  # input that is not typed at a terminal adds no line end to the output
        return line

    def pause(self, seconds: float) -> None:
        """Sleep, if somebody is watching."""
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
