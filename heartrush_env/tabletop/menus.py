"""Menus: a typed line names a choice by its number, its name, or unambiguous prefixes of the name's first words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Choice(Generic[T]):
    """One line of a menu."""

    value: T
    words: str
    names: tuple[str, ...] = ()  # other names that may be typed for it


class Unclear(Exception):
    """An error for a typed line that matches no choice or several; the message is one sentence."""


def understand(
    typed: str, choices: Sequence[Choice[T]], *, secret: bool = False, unlisted: Sequence[Choice[T]] = ()
) -> T:
    """Return the value of the choice that a typed line names.

    The line may be the choice's number, its full name, or prefixes of the first words of its name. Prefixes that fit
    several choices are refused.

    Args:
        typed: The line.
        choices: The listed choices; numbers count them from 1.
        secret: Whether refusals must not repeat what was typed.
        unlisted: Further choices. They match by their full names, and by prefixes only if no listed choice matches.
    """
    line = _plain(typed)
    shown = "That" if secret else repr(line if len(line) <= 40 else f"{line[:40]}...")
    if not line:
        raise Unclear("Type a number, a name or the beginning of a name, or ? for help.")
    if line.isascii() and line.isdigit():
        if not 1 <= int(line[:9]) <= len(choices):
            raise Unclear(f"{shown} is not a number in the list, which goes from 1 to {len(choices)}.")
        return choices[int(line[:9]) - 1].value
    found = (
        [choice for choice in (*choices, *unlisted) if line in _names(choice)]
        or [choice for choice in choices if _fits(line, choice)]
        or [choice for choice in unlisted if _fits(line, choice)]
    )
    if not found:
        raise Unclear(f"{shown} cannot be chosen here; type ? for what can.")
    if len(found) > 1:
        raise Unclear(f"{shown} could mean {_listed(choice.words.split(':')[0] for choice in found)}.")
    return found[0].value


def _plain(words: str) -> str:
    """Return the line in lowercase, with one space for each run of spaces or commas."""
    return " ".join(words.lower().replace(",", " ").split())


def _names(choice: Choice[T]) -> list[str]:
    return [_plain(name) for name in (choice.words.split(":")[0], *choice.names)]


def _fits(line: str, choice: Choice[T]) -> bool:
    return any(_begins(line, name) for name in _names(choice))


def _begins(line: str, name: str) -> bool:
    """Return whether each word of the line is the beginning of the corresponding word of the name."""
    typed, words = line.split(), name.split()
    return len(typed) <= len(words) and all(word.startswith(begun) for begun, word in zip(typed, words, strict=False))


def _listed(words: Iterable[str]) -> str:
    *most, last = dict.fromkeys(words)
    shown = most[:4] + (["..."] if len(most) > 4 else [])
    return f"{'; '.join(shown)}; or {last}" if shown else last
