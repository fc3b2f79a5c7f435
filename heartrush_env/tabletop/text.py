"""Formatting of values and strings of unknown origin for one line of an error message or a terminal."""

import math
import re
import reprlib

import numpy as np

_LONGEST_TEXT = 60  # characters of a text that are shown
_LONGEST_NUMBER = 1_000  # bits: longer whole numbers are shown by their length, since Python refuses to write them


class _Short(reprlib.Repr):
    """A shortened `repr` that can handle whole numbers of any length."""

    def __init__(self) -> None:
        super().__init__()
        self.maxstring = self.maxother = _LONGEST_TEXT

    def repr_int(self, x: int, level: int) -> str:
        """Return a whole number as text, or its length if it is very long."""
        if x.bit_length() > _LONGEST_NUMBER:
            return f"a whole number of about {int(x.bit_length() * math.log10(2)) + 1} digits"
        return super().repr_int(x, level)


_SHORT = _Short()


def show(value: object) -> str:
    """Return a value as text, shortened and on one line."""
    if isinstance(value, bool):
        return str(value).lower()
    return " ".join(_SHORT.repr(value).split())


def on_one_line(value: object) -> str:
    """Return the value's `repr` without line breaks; shortened if Python cannot write it."""
    if isinstance(value, np.generic):  # which NumPy 1 and 2 write differently
        value = value.item()
    try:
        return " ".join(repr(value).split())
    except (ValueError, RecursionError):  # whole numbers of thousands of digits, lists nested without end
        return show(value)


def escaped(text: str) -> str:
    """Return a text with an escape such as \\x1b in place of each character that is not printable.

    Control characters, line breaks and marks that change the writing direction are all escaped, so that a text from a
    file cannot control the terminal that shows it.
    """
    if text.isprintable():
        return text
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape", "surrogatepass").decode() for letter in text
    )


def spaced(name: str) -> str:
    """Return a name as people read it: "short_sword" becomes "short sword", but the agent "brigand_0" is unchanged."""
    return re.sub(r"_(?=[a-z])", " ", name)
