"""How tables of scenario files and settings are checked: a field is what one key may hold.

A table is described once, as a mapping from key to `Field`, read by `read`, and shown by pages written from it.
Not here: which keys there are.
"""

import difflib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Final

from heartrush_env.core.errors import HeartRushError, ScenarioError
from heartrush_env.core.text import show

LONGEST: Final = 100  # letters of a name
MOST_LISTED: Final = 25  # faults of one file
_BETWEEN_WORDS: Final = re.compile(r"[\W_]+")
_LOWER_CASE_WORD: Final = re.compile(rf"[a-z]{{1,{LONGEST}}}")


@dataclass(frozen=True)
class Field:
    """What one key of a table may hold: a test, and the same in words for the error message."""

    fits: Callable[[object], bool]
    allowed: str
    words: tuple[str, ...] = ()  # the allowed words, where a close one can be suggested
    refusal: str = ""  # why the key is known but not taken, e.g. "maps are not played yet"
    taken: Callable[[Any], Any] = lambda value: value  # a value that fits, as it is written properly
    meaning: str = ""  # for pages of fields
    usual: Any = None  # what holds where the key is left out
    usually: str = ""  # the same in words, where it is no fixed value

    def about(self, meaning: str, usual: Any = None, usually: str = "") -> "Field":
        """The same field with what it means and what holds where it is left out."""
        return replace(self, meaning=meaning, usual=usual, usually=usually)


class Faults:
    """What is wrong with a file, collected so that all of it is said at once."""

    def __init__(self) -> None:
        self._found: list[HeartRushError] = []

    def __len__(self) -> int:
        return len(self._found)

    @contextmanager
    def caught(self) -> Iterator[None]:
        """Keep what is raised within, and go on behind it."""
        try:
            yield
        except HeartRushError as fault:
            self._found += getattr(fault, "faults", None) or [fault]

    def settle(self, where: str) -> None:
        """Raise what was found: one fault as it is, several as one error that lists them."""
        if len(self._found) == 1:
            raise self._found[0]
        if self._found:
            raise _several(self._found, where)


def _several(found: "list[HeartRushError]", where: str) -> HeartRushError:
    """One error for several faults, of their kind if they are of one."""
    kinds = {type(fault) for fault in found}
    listed = [f"  {fault}" for fault in found[:MOST_LISTED]]
    if len(found) > MOST_LISTED:
        listed.append(f"  and {len(found) - MOST_LISTED} more.")
    kind = kinds.pop() if len(kinds) == 1 else ScenarioError
    error = kind("\n".join([f"{where} has {len(found)} faults:", *listed]))
    error.faults = tuple(found)
    return error


def join_or(words: Iterable[object], last: str = "or") -> str:
    """List words as a sentence does: `4, 6 or 8`."""
    shown = [str(word) for word in words]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} {last} {shown[-1]}"


def one_of(words: Iterable[str]) -> Field:
    """One of the given words, exactly."""
    known = tuple(words)
    return Field(lambda value: isinstance(value, str) and value in known, join_or(known), known)


def named(words: Iterable[str]) -> Field:
    """One of the given names, as people write them: `Long Sword`, `long-sword` and `longsword` are one."""
    known = tuple(words)
    return Field(
        lambda value: look_up(value, known) is not None,
        join_or(known),
        known,
        taken=lambda value: look_up(value, known),
    )


def look_up(found: object, known: Iterable[str]) -> str | None:
    """The known name that was meant: case, spaces and signs between words do not count. None if there is none."""
    if not isinstance(found, str) or len(found) > LONGEST:
        return None
    names = tuple(known)
    if found in names:
        return found
    return next((name for name in names if _letters(name) == _letters(found)), None) if _letters(found) else None


def _letters(name: str) -> str:
    """What counts of a name: its letters and digits."""
    return _BETWEEN_WORDS.sub("", name.casefold())


def number_of(numbers: Iterable[int]) -> Field:
    """One of the given whole numbers (a bool is none)."""
    known = tuple(numbers)
    return Field(lambda value: is_whole(value) and value in known, join_or(known))


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
    return Field(
        lambda value: isinstance(value, list | tuple) and all(map(item.fits, value)),
        what,
        taken=lambda value: list(map(item.taken, value)),
    )


def any_of(*choices: Field) -> Field:
    """Whatever fits one of the given fields."""
    return Field(
        lambda value: any(choice.fits(value) for choice in choices),
        join_or(choice.allowed for choice in choices),
        sum((choice.words for choice in choices), ()),
        taken=lambda value: next(choice.taken(value) for choice in choices if choice.fits(value)),
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


def unknown_name(what: str, found: object, known: Iterable[str]) -> str:
    """The part of a sentence that says that a name is not known, which is close and which there are."""
    names = tuple(known)
    return f"unknown {what} {show(found)}{suggestion(found, names)}; allowed: {join_or(names)}"


def read_table(
    given: object,
    fields: Mapping[str, Field],
    where: str,
    error: type[HeartRushError],
    what: str = "field",
    faults: Faults | None = None,
) -> dict[str, Any]:
    """Check a table against its fields and return what fits as a plain dict, keys in the table's order.

    Raises `error`, with a sentence for each fault: where, the key, what was found, what is allowed. Where somebody
    collects faults, they are left with `faults`, and the keys that do not fit are left out.
    """
    if not isinstance(given, Mapping):
        raise error(f"{where}: found {show(given)}, allowed: a table with the keys {join_or(fields)}.")
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
    raise error(f"{where} is {show(value)}{suggestion(value, field.words)}, allowed: {field.allowed}.")
