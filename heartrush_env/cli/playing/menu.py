"""Legal actions in plain words, and what a typed line means among them: a number, a name or its beginning."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from heartrush_env.cli.rolls import condition_name
from heartrush_env.heart_rush.rules.terms import STANCES

T = TypeVar("T")

ALONE = {
    "pass": "do nothing",
    "shrug": "shrug it off",
    "take": "take it",
    "yield": "yield: fall unconscious and be out of it",
    "pick_up": "pick the weapon up",
    "rise": "sidestep to your feet: the action, and no opening",
    "rise rush": "sidestep to your feet for a rush point: no opening for them",
    "stand": "stand up: the dash, and an opening for them",
    "break_free": "break free of the grapple",
    "wriggle_free": "wriggle out of the net",
    "tear_free": "tear the net",
    "cut_free": "cut the net",
    "shake_off": "shake off who clings to you",
    "put_out_fire": "put out the flames",
    "let_go": "let go",
    "hop_off": "hop off",
}
AT_SOMEBODY = {
    "attack": "attack {target}",
    "grapple": "grapple {target}: a contest",
    "climb_on": "climb on {target}: a contest",
    "dirty_strike": "strike dirty at {target}: d4 damage",
    "blind": "blind {target}",
    "trip": "trip {target}",
    "shove": "shove {target}: off-balanced 2",
    "disarm": "disarm {target}: a contest of might",
    "taunt": "taunt {target}: a contest of wits",
    "swing_past": "swing past {target}: a contest of agility, off-balanced",
    "opportunity": "strike at {target}, who is open",
    "help": "help {target}: advantage on its next roll",
    "douse": "put out the flames on {target}",
    "cut_loose": "cut {target} loose",
}
OF_ALLIES = ("help", "douse", "cut_loose")
MORE = {
    "attack": "and name up to two levels",
    "dirty_strike": "and two levels",
    "opportunity": "in a stance of your choice",
    "overcome": "with a save",
}
BY_ACTION, BY_RUSH, BY_STANCE = "with your action", "for a rush point", "free with your stance"
RUSH = " rush"  # ends the names of actions that a rush point pays


@dataclass(frozen=True)
class Choice(Generic[T]):
    """One line of a menu."""

    value: T
    words: str
    names: tuple[str, ...] = ()  # what it may be called beside its words


class Unclear(Exception):
    """What was typed means nothing here, or more than one thing; the message says so in a sentence."""


def understand(
    typed: str, choices: Sequence[Choice[T]], *, secret: bool = False, unlisted: Sequence[Choice[T]] = ()
) -> T:
    """The value that a typed line names: by number, by name, or by an unambiguous beginning of its words.

    Args:
        typed: The line.
        choices: What may be meant; numbers count them from 1.
        secret: Whether refusals must not repeat what was typed.
        unlisted: What may be meant beside that, where the beginning fits nothing in the list.
    """
    line = _plain(typed)
    shown = "That" if secret else repr(line if len(line) <= 40 else f"{line[:40]}...")
    if not line:
        raise Unclear("Type a number, a name or its beginning; ? explains.")
    if line.isascii() and line.isdigit():
        if not 1 <= int(line[:9]) <= len(choices):
            raise Unclear(f"{shown} is no number of the list, which goes from 1 to {len(choices)}.")
        return choices[int(line[:9]) - 1].value
    found = (
        [choice for choice in (*choices, *unlisted) if line in _names(choice)]
        or [choice for choice in choices if _fits(line, choice)]
        or [choice for choice in unlisted if _fits(line, choice)]
    )
    if not found:
        raise Unclear(f"{shown} is nothing that can be chosen here; ? explains what can.")
    if len(found) > 1:
        raise Unclear(f"{shown} may be {_listed(choice.words.split(':')[0] for choice in found)}.")
    return found[0].value


def _plain(words: str) -> str:
    """Small letters, and one blank where there are blanks or commas."""
    return " ".join(words.lower().replace(",", " ").split())


def _names(choice: Choice[T]) -> list[str]:
    return [_plain(name) for name in (choice.words.split(":")[0], *choice.names)]


def _fits(line: str, choice: Choice[T]) -> bool:
    return any(_begins(line, name) for name in _names(choice))


def _begins(line: str, name: str) -> bool:
    """Whether each typed word begins the word in its place."""
    typed, words = line.split(), name.split()
    return len(typed) <= len(words) and all(word.startswith(begun) for begun, word in zip(typed, words, strict=False))


def _listed(words: Iterable[str]) -> str:
    *most, last = dict.fromkeys(words)
    shown = most[:4] + (["..."] if len(most) > 4 else [])
    return f"{'; '.join(shown)}; or {last}" if shown else last


Group = tuple[str, str]  # how its actions are typed, and what pays for them


@dataclass(frozen=True)
class Wording:
    """What an action is called; those of a group are typed, not numbered, and shown together by their short words."""

    words: str
    group: Group | None = None
    short: str = ""


@dataclass
class Deed:
    """One thing to do, at one target where it has one: an action, or several that differ in a detail."""

    words: str
    target: str  # the name, or ""
    actions: list[Choice[int]] = field(default_factory=list)
    group: Group | None = None
    short: str = ""


def deeds(
    legal: Mapping[int, str],
    enemies: Sequence[str],
    allies: Sequence[str],
    wording: Callable[[str], Wording | None] = lambda name: None,
) -> list[Deed]:
    """The legal actions, those gathered that differ only in stances or levels.

    Args:
        legal: Names of actions by their numbers, in order.
        enemies: What people call the enemies, by their places.
        allies: The same for allies.
        wording: What some actions are called that only maps have, by their names.
    """
    found: dict[tuple[str, str], Deed] = {}
    for number, name in legal.items():
        word, place, detail = _parts(name)
        target = "" if not place else (allies if word in OF_ALLIES else enemies)[place - 1]
        words = AT_SOMEBODY[word].format(target=target) if target else ALONE.get(name, word)
        if word in ("stance", "say", "overcome"):
            words = {"stance": detail, "say": f"say {detail}", "overcome": f"overcome being {detail}"}[word]
        special = wording(name)
        if special is not None:
            words = special.words
        group, short = (None, "") if special is None else (special.group, special.short)
        deed = found.setdefault((word if target else name, target), Deed(words, target, [], group, short))
        deed.actions.append(Choice(number, _with_detail(words, detail) if target else words, (name,)))
    for deed in found.values():
        _tell_payments(deed)
    return sorted(found.values(), key=lambda deed: deed.words == ALONE["pass"])  # nothing comes last


def _tell_payments(deed: Deed) -> None:
    """Where a rush point may pay as well, say of the others that they cost the action."""
    by_rush = [choice.names[0].endswith(RUSH) for choice in deed.actions]
    if deed.target and any(by_rush) and not all(by_rush):
        deed.actions = [
            choice if paid else Choice(choice.value, f"{choice.words}, {BY_ACTION}", choice.names)
            for choice, paid in zip(deed.actions, by_rush, strict=True)
        ]


def _parts(name: str) -> tuple[str, int, str]:
    """The word of an action, its target's place or 0, and its detail."""
    word, *rest = name.split()
    place = int(rest.pop(0)) if rest and rest[0].isdigit() else 0
    return word, place, " ".join(rest)


def _with_detail(words: str, detail: str) -> str:
    if not detail:
        return words
    detail, _, paid = detail.partition(" ")  # a strike may cost a rush point
    if paid:
        return f"{words.split(':')[0]}, {detail}, {BY_RUSH}"
    levels = [detail if part in STANCES else condition_name(part) for part in detail.split("+")]
    what = f"{levels[0]} 2" if levels[1:] == levels[:1] else " and ".join(levels)
    return f"{words.split(':')[0]}, {what}"
