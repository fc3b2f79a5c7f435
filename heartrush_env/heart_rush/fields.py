"""How tables of scenario files and settings are checked: a field is what one key may hold.

A table is described once, as a mapping from key to `Field`, and read by `read`. Not here: what the keys mean.
"""

import difflib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from heartrush_env.core.errors import HeartRushError
from heartrush_env.core.text import show as show

LONGEST: Final = 100  # letters of a name
_LOWER_CASE_WORD: Final = re.compile(rf"[a-z]{{1,{LONGEST}}}")


@dataclass(frozen=True)
class Field:
    """What one key of a table may hold: a test, and the same in words for the error message."""

    fits: Callable[[object], bool]
    allowed: str
    words: tuple[str, ...] = ()  # the allowed words, where a close one can be suggested
    refusal: str = ""  # why the key is known but not taken, e.g. "maps are not played yet"


def either(words: Iterable[object], last: str = "or") -> str:
    """List words as a sentence does: `4, 6 or 8`."""
    shown = [str(word) for word in words]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} {last} {shown[-1]}"


def one_of(words: Iterable[str]) -> Field:
    """One of the given words."""
    known = tuple(words)
    return Field(lambda value: isinstance(value, str) and value in known, either(known), known)


def number_of(numbers: Iterable[int]) -> Field:
    """One of the given whole numbers (a bool is none)."""
    known = tuple(numbers)
    return Field(lambda value: is_whole(value) and value in known, either(known))


def whole(low: int, high: int, unit: str = "") -> Field:
    """A whole number from low to high, both included (a bool is none)."""
    words = f"a whole number from {low} to {high}" + (f" ({unit})" if unit else "")
    return Field(lambda value: is_whole(value) and low <= value <= high, words)  # type: ignore[operator]  # an int by then


def flag() -> Field:
    """True or false."""
    return Field(lambda value: isinstance(value, bool), "true or false")


def text() -> Field:
    """A text on one line."""
    return Field(
        lambda value: isinstance(value, str) and value.isprintable() and value.strip() != "" and len(value) <= LONGEST,
        f"a line of text of at most {LONGEST} characters",
    )


def word() -> Field:
    """A word of lower-case letters, as agents' names are made of."""
    return Field(
        lambda value: isinstance(value, str) and _LOWER_CASE_WORD.fullmatch(value) is not None,
        f"a word of lower-case letters a to z, {LONGEST} at most",
    )


def table() -> Field:
    """A table, whose own keys are read elsewhere."""
    return Field(lambda value: isinstance(value, Mapping), "a table")


def list_of(item: Field, what: str) -> Field:
    """A list of which each item fits."""
    return Field(lambda value: isinstance(value, list | tuple) and all(map(item.fits, value)), what)


def any_of(*choices: Field) -> Field:
    """Whatever fits one of the given fields."""
    return Field(
        lambda value: any(choice.fits(value) for choice in choices),
        either(choice.allowed for choice in choices),
        sum((choice.words for choice in choices), ()),
    )


def not_played(refusal: str, harmless: Callable[[object], bool] = lambda value: False) -> Field:
    """A key that the contract knows and that is not played yet; `harmless` values are let through."""
    return Field(harmless, "", refusal=refusal)


def is_whole(value: object) -> bool:
    """Is the value an int, and not a bool?"""
    return isinstance(value, int) and not isinstance(value, bool)


def suggestion(found: object, words: Iterable[str]) -> str:
    """`, did you mean 'might'?` for a word close to a known one, else nothing."""
    close = difflib.get_close_matches(found[:LONGEST], list(words), n=1) if isinstance(found, str) else []
    return f", did you mean {close[0]!r}" if close else ""


def unknown(what: str, found: object, known: Iterable[str]) -> str:
    """The part of a sentence that says that a name is not known, which is close and which there are."""
    names = tuple(known)
    return f"unknown {what} {show(found)}{suggestion(found, names)}; allowed: {either(names)}"


def read(
    given: object,
    fields: Mapping[str, Field],
    where: str,
    error: type[HeartRushError],
    what: str = "field",
) -> dict[str, Any]:
    """Check a table against its fields and return it as a plain dict, keys in the table's order.

    Raises `error` with one sentence: where, the key, what was found, what is allowed.
    """
    if not isinstance(given, Mapping):
        raise error(f"{where}: found {show(given)}, allowed: a table with the keys {either(fields)}.")
    for key, value in given.items():
        if key not in fields:
            raise error(f"{where}: {unknown(what, key, fields)}.")
        check(value, fields[key], f"{where}: {key}", error)
    return dict(given)


def check(value: object, field: Field, where: str, error: type[HeartRushError]) -> None:
    """Raise `error` unless the value fits the field."""
    if field.fits(value):
        return
    if field.refusal:
        raise error(f"{where} is {show(value)}, but {field.refusal}.")
    raise error(f"{where} is {show(value)}{suggestion(value, field.words)}, allowed: {field.allowed}.")
