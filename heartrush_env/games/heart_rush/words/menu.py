"""Legal actions in plain words, combined for menus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from heartrush_env.games.heart_rush.engine.offers import BY_NAME
from heartrush_env.games.heart_rush.rules.abilities import LETTERS
from heartrush_env.games.heart_rush.rules.choices import Target
from heartrush_env.games.heart_rush.rules.hooks import ABILITY_FIELD
from heartrush_env.games.heart_rush.rules.terms import STANCES
from heartrush_env.games.heart_rush.words.words import condition_name
from heartrush_env.tabletop.menus import Choice

BY_ACTION, BY_RUSH, BY_STANCE = "with your action", "for a rush point", "free with your stance"
RUSH = " rush"  # the suffix of actions that cost a rush point


Group = tuple[str, str]  # how its actions are typed, and their payment


@dataclass(frozen=True)
class Wording:
    """The words for an action.

    Actions of a group have no numbers in the menu, which lists them by their short words; players type them.
    """

    words: str
    group: Group | None = None
    short: str = ""
    typed: str = ""  # what players type, if the words do not begin with it


@dataclass
class Deed:
    """One thing to do, to one target if it needs one: an action, or several that differ only in a detail."""

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
    loadout: Sequence[str] = (),
    spare: str = "the other weapon",
    objects: Sequence[str] = (),
) -> list[Deed]:
    """Return the legal actions as deeds, each of which combines actions that differ only in stances or levels.

    Args:
        legal: Names of actions by their numbers, in order.
        enemies: Display names of the enemies, by slot.
        allies: Display names of the allies, by slot.
        wording: A function that returns special words for an action by its name, such as words for maps, or None.
        loadout: Display names of the fighter's abilities, slot by slot.
        spare: The display name of the spare weapon and shield, which are not in hand.
        objects: What using each object of the scenario means, in words.
    """
    found: dict[tuple[str, str], Deed] = {}
    for number, name in legal.items():
        word, place, detail = _parts(name)
        target = "" if not place else (enemies if BY_NAME[word].target == Target.ENEMY else allies)[place - 1]
        special = _using(name, target, loadout) or wording(name)
        known = {"target": target, "spare": spare, "object": _object(detail, objects) if word == "object" else ""}
        words = worded(name, **known) if special is None else special.words
        group, short = (None, "") if special is None else (special.group, special.short)
        plain = not target or _is_use(word)  # it has no details to combine
        deed = found.setdefault((name if plain else word, target), Deed(words, target, [], group, short))
        names = (name, special.typed) if special is not None and special.typed else (name,)
        deed.actions.append(
            Choice(number, words if plain else _with_detail(words, detail, BY_NAME[word].levels), names)
        )
    for deed in found.values():
        _tell_payments(deed)
    return sorted(found.values(), key=lambda deed: deed.words == BY_NAME["pass"].words)  # passing is last


def _object(detail: str, objects: Sequence[str]) -> str:
    """Return what using the object of this number means, in words."""
    return objects[int(detail) - 1] if int(detail) <= len(objects) else f"use object {detail}"


def _is_use(word: str) -> bool:
    return BY_NAME[word].needs == ABILITY_FIELD and not BY_NAME[word].answers


def _using(name: str, target: str, loadout: Sequence[str]) -> Wording | None:
    """Return the words for using an ability, with its name in place of its slot's letter; None for other actions."""
    word, _, letter = _parts(name)
    if not _is_use(word):
        return None
    return Wording(BY_NAME[word].words.format(detail=loadout[LETTERS.index(letter)], target=target))


def slot_used(name: str) -> int | None:
    """Return the slot of the ability that an action uses; None for other actions."""
    word, _, letter = _parts(name)
    return LETTERS.index(letter) if _is_use(word) else None


def worded(name: str, **known: str) -> str:
    """Return the words of an action; `known` fills in the target, the square and so on."""
    word, _, detail = _parts(name)
    choice = BY_NAME[word]
    by_rush = choice.words_by_rush and name.endswith(RUSH)
    return (choice.words_by_rush if by_rush else choice.words).format(detail=detail, **known)


def more_of(name: str) -> str:
    """Return the menu's note on an action that has several details, or an empty string."""
    return BY_NAME[_parts(name)[0]].more


def _tell_payments(deed: Deed) -> None:
    """Mark the choices that cost the action, if other choices of the deed cost a rush point."""
    by_rush = [choice.names[0].endswith(RUSH) for choice in deed.actions]
    if deed.target and any(by_rush) and not all(by_rush):
        deed.actions = [
            choice if paid else Choice(choice.value, f"{choice.words}, {BY_ACTION}", choice.names)
            for choice, paid in zip(deed.actions, by_rush, strict=True)
        ]


def _parts(name: str) -> tuple[str, int, str]:
    """Return the first word of an action's name, its target's slot (from 1; 0 without a target), and its detail."""
    word, *rest = name.split()
    place = int(rest.pop(0)) if BY_NAME[word].target != Target.NOBODY else 0
    return word, place, " ".join(rest)


def _with_detail(words: str, detail: str, levels: int) -> str:
    """Return a choice's words with its detail; a condition named in the detail counts `levels` levels each time."""
    if not detail:
        return words
    detail, _, paid = detail.partition(" ")  # a strike that may cost a rush point
    if paid:
        return f"{words.split(':')[0]}, {detail}, {BY_RUSH}"
    counted = Counter(detail.split("+"))
    parts = [part if part in STANCES else f"{condition_name(part)} {levels * count}" for part, count in counted.items()]
    what = " and ".join(parts)
    return f"{words.split(':')[0]}, {what}"
