"""Validation of the tables of scenario files and settings; a `Field` describes the allowed values of one key.

A table is described once, as a mapping from key to `Field`. `read_table` checks tables against this mapping, and
documentation pages are written from it. This module does not define the keys.
"""

import difflib
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

from heartrush_env.tabletop.errors import HeartRushError, ScenarioError
from heartrush_env.tabletop.text import show

T = TypeVar("T")
LONGEST: Final = 100  # characters of a name
MOST_LISTED: Final = 25  # faults of one file
_BETWEEN_WORDS: Final = re.compile(r"[\W_]+")
_LOWER_CASE_WORD: Final = re.compile(rf"[a-z]{{1,{LONGEST}}}")


@dataclass(frozen=True)
class Field:
    """The allowed values of one key of a table: a test, and its description in words for the error message."""

    fits: Callable[[object], bool]
    allowed: str
    words: tuple[str, ...] = ()  # the allowed words, if a close one can be suggested
    refusal: str = ""  # why the key is known but not accepted, e.g. "maps are not played yet"
    taken: Callable[[Any], Any] = lambda value: value  # converts a valid value to its standard form
    meaning: str = ""  # for documentation pages
    usual: Any = None  # the default if the key is missing
    usually: str = ""  # the default in words, if it is not a fixed value

    def about(self, meaning: str, usual: Any = None, usually: str = "") -> "Field":
        """Return this field with a meaning and a default."""
        return replace(self, meaning=meaning, usual=usual, usually=usually)


class Faults:
    """The errors found in a file, collected so that all can be reported at once."""

    def __init__(self) -> None:
        self._found: list[HeartRushError] = []

    def __len__(self) -> int:
        return len(self._found)

    @contextmanager
    def caught(self) -> Iterator[None]:
        """Collect an error raised in the block, and continue after it."""
        try:
            yield
        except HeartRushError as fault:
            self._found += getattr(fault, "faults", None) or [fault]

    def unless(self, fits: bool, sentence: str) -> None:
        """Collect a ScenarioError with this message unless something fits."""
        if not fits:
            self._found.append(ScenarioError(sentence))

    def attempt(self, call: Callable[[], T], otherwise: T) -> T:
        """Return the result of a call; if it raises an error, collect the error and return `otherwise`."""
        with self.caught():
            return call()
        return otherwise

    def settle(self, where: str) -> None:
        """Raise the errors found: a single one unchanged, several as one error that lists them."""
        if len(self._found) == 1:
            raise self._found[0]
        if self._found:
            raise _several(self._found, where)


def _several(found: "list[HeartRushError]", where: str) -> HeartRushError:
    """Combine several errors into one that lists them, of their common class if they have one."""
    kinds = {type(fault) for fault in found}
    listed = [f"  {fault}" for fault in found[:MOST_LISTED]]
    if len(found) > MOST_LISTED:
        listed.append(f"  and {len(found) - MOST_LISTED} more.")
    kind = kinds.pop() if len(kinds) == 1 else ScenarioError
    error = kind("\n".join([f"{where} has {len(found)} faults:", *listed]))
    error.faults = tuple(found)
    return error


def join_or(words: Iterable[object], last: str = "or") -> str:
    """List words as in a sentence: `4, 6 or 8`; `none` if there are none."""
    shown = [str(word) for word in words] or ["none"]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} {last} {shown[-1]}"


def one_of(words: Iterable[str]) -> Field:
    """Return a field for exactly one of the given words."""
    known = tuple(words)
    return Field(lambda value: isinstance(value, str) and value in known, join_or(known), known)


def named(words: Iterable[str]) -> Field:
    """Return a field for one of these names in any spelling: `Long Sword`, `long-sword` and `longsword` all fit."""
    known = tuple(words)
    return Field(
        lambda value: look_up(value, known) is not None,
        join_or(known),
        known,
        taken=lambda value: look_up(value, known),
    )


def look_up(found: object, known: Iterable[str]) -> str | None:
    """Return the known name that was meant, ignoring case, spaces and punctuation; None if there is no such name."""
    if not isinstance(found, str) or len(found) > LONGEST:
        return None
    names = tuple(known)
    if found in names:
        return found
    return next((name for name in names if _letters(name) == _letters(found)), None) if _letters(found) else None


def _letters(name: str) -> str:
    """Return the letters and digits of a name, which identify it."""
    return _BETWEEN_WORDS.sub("", name.casefold())


def number_of(numbers: Iterable[int]) -> Field:
    """Return a field for one of the given whole numbers (not a bool)."""
    known = tuple(numbers)
    return Field(lambda value: is_whole(value) and value in known, join_or(known))


def whole(low: int, high: int, unit: str = "") -> Field:
    """Return a field for a whole number from low to high, both included (not a bool)."""
    words = f"a whole number from {low} to {high}" + (f" ({unit})" if unit else "")
    return Field(lambda value: is_whole(value) and low <= value <= high, words)  # type: ignore[operator]  # an int


def number(low: float, high: float) -> Field:
    """Return a field for a number from low to high, both included."""
    return Field(
        lambda value: is_number(value) and low <= value <= high,  # type: ignore[operator]  # a number
        f"a number from {low:g} to {high:g}",
    )


def flag() -> Field:
    """Return a field for true or false."""
    return Field(lambda value: isinstance(value, bool), "true or false")


def text() -> Field:
    """Return a field for text on one line."""
    return Field(
        lambda value: isinstance(value, str) and value.isprintable() and value.strip() != "" and len(value) <= LONGEST,
        f"a line of text of at most {LONGEST} characters",
    )


def word() -> Field:
    """Return a field for a word of lower-case letters, as used in agents' names."""
    return Field(
        lambda value: isinstance(value, str) and _LOWER_CASE_WORD.fullmatch(value) is not None,
        f"a word of at most {LONGEST} lower-case letters a to z",
    )


def table() -> Field:
    """Return a field for a table whose own keys are read elsewhere."""
    return Field(lambda value: isinstance(value, Mapping), "a table")


def list_of(item: Field, what: str) -> Field:
    """Return a field for a list of items that each fit a field."""
    return Field(
        lambda value: isinstance(value, list | tuple) and all(map(item.fits, value)),
        what,
        taken=lambda value: list(map(item.taken, value)),
    )


def any_of(*choices: Field) -> Field:
    """Return a field for anything that fits one of the given fields."""
    return Field(
        lambda value: any(choice.fits(value) for choice in choices),
        join_or(choice.allowed for choice in choices),
        sum((choice.words for choice in choices), ()),
        taken=lambda value: next(choice.taken(value) for choice in choices if choice.fits(value)),
    )


def not_played(refusal: str, harmless: Callable[[object], bool] = lambda value: False) -> Field:
    """Return a field for a known key that is not implemented yet; `harmless` values are accepted."""
    return Field(harmless, "", refusal=refusal)


def is_whole(value: object) -> bool:
    """Return whether the value is an int and not a bool."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_number(value: object) -> bool:
    """Return whether the value is a finite number and not a bool."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def suggestion(found: object, words: Iterable[str]) -> str:
    """Return ` (did you mean 'might'?)` for a word close to a known one, else an empty string."""
    close = difflib.get_close_matches(found[:LONGEST], list(words), n=1) if isinstance(found, str) else []
    return f" (did you mean {close[0]!r}?)" if close else ""


def unknown_name(what: str, found: object, known: Iterable[str]) -> str:
    """Return a part of a sentence that reports an unknown name, the closest known name and the expected names."""
    names = tuple(known)
    return f"unknown {what} {show(found)}{suggestion(found, names)}, expected {join_or(names)}"


def read_table(
    given: object,
    fields: Mapping[str, Field],
    where: str,
    error: type[HeartRushError],
    what: str = "field",
    faults: Faults | None = None,
) -> dict[str, Any]:
    """Check a table against its fields, and return its valid part as a plain dict, keys in the table's order.

    Raises `error` with one sentence per error: the place, the key, the values expected and the value found. With
    `faults`, errors are collected there instead, and invalid keys are left out.
    """
    if not isinstance(given, Mapping):
        raise error(f"{where}: expected a table with the keys {join_or(fields)}, got {show(given)}.")
    found, sound = Faults() if faults is None else faults, {}
    for key, value in given.items():
        with found.caught():
            if not isinstance(key, str) or key not in fields:
                raise error(f"{where}: {unknown_name(what, key, fields)}.")
            check_value(value, fields[key], f"{where}: {key}", error)
            sound[key] = fields[key].taken(value)
    if faults is None:
        found.settle(where)
    return sound


def check_value(value: object, field: Field, where: str, error: type[HeartRushError]) -> None:
    """Raise `error` unless the value fits the field."""
    if field.fits(value):
        return
    if field.refusal:
        raise error(f"{where} is {show(value)}, but {field.refusal}.")
    raise error(f"{where}: expected {field.allowed}, got {show(value)}{suggestion(value, field.words)}.")
