"""All abilities, and the compiled functions that call the right one by its number.

Each ability is in a file of `talents`, `legacy` or `monsters`. Its number is the index of its id in alphabetical order,
and only records use this number. The numbers after these are homebrew abilities, by kind and slot (homebrew.py).
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from heartrush_env.games.heart_rush.abilities import homebrew, legacy, monsters, talents
from heartrush_env.games.heart_rush.abilities.unit import FOUND, Ability
from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.abilities import (
    ANY_MOMENT,
    FREQUENCY,
    HOOK_BITS,
    HOOK_WORDS,
    IS_MASTERY,
    ON_ACTION,
    PARTS,
    SLOTS,
)
from heartrush_env.games.heart_rush.rules.terms import NOBODY
from heartrush_env.games.heart_rush.scenario.abilities import abilities
from heartrush_env.games.heart_rush.scenario.sheets import Owned
from heartrush_env.tabletop.units import Case, Function, switch

for package in (talents, legacy, monsters):
    for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        importlib.import_module(module.name)

MOST_IN_CHAPTER = 256
PLAYED: tuple[Ability, ...] = tuple(FOUND[name] for name in sorted(FOUND))
NUMBERS = {ability.name: number for number, ability in enumerate(PLAYED)}
FIRST_MADE = len(PLAYED)  # the first number of a homebrew ability
KINDS = homebrew.KINDS


def _column(
    value: Callable[[Ability], int], of_kind: Callable[[homebrew.Kind], int] = lambda kind: 0, dtype: Any = np.int8
) -> Any:
    """Return an array with one number for each ability, those of homebrew abilities by their kind."""
    return np.array([*map(value, PLAYED), *(of_kind(kind) for kind in KINDS for _ in range(SLOTS))], dtype)


_CHAPTERS: dict[str, list[str]] = {}  # the ability ids of each chapter, in the order of the data
for entry in abilities().values():
    _CHAPTERS.setdefault(entry.chapter, []).append(entry.id)


def _code(ability: Ability) -> int:
    """Return a number that encodes an ability's chapter and its place there; added abilities do not change it."""
    chapter, id = ability.entry.chapter, ability.entry.id
    return list(_CHAPTERS).index(chapter) * MOST_IN_CHAPTER + _CHAPTERS[chapter].index(id)


def _occasions(on: tuple[int, ...]) -> int:
    return sum(1 << occasion for occasion in on)


# Columns by ability number. Where there are two rows, they are for the base version and the destiny version.
FREQUENCY[:, : FIRST_MADE + homebrew.MOST] = [
    _column(lambda ability: ability.frequencies[0], lambda kind: kind.frequency),
    _column(lambda ability: ability.frequencies[1], lambda kind: kind.frequency),
]
IS_MASTERY[:FIRST_MADE] = [ability.entry.kind == "mastery" for ability in PLAYED]
PER_ROUND = np.stack(
    [
        _column(lambda ability: ability.per_round[0], lambda kind: kind.per_round),
        _column(lambda ability: ability.per_round[1], lambda kind: kind.per_round),
    ]
)
COSTS_ACTION = np.stack(
    [
        _column(lambda ability: ability.costs_action[0], lambda kind: kind.costs_action, np.bool_),
        _column(lambda ability: ability.costs_action[1], lambda kind: kind.costs_action, np.bool_),
    ]
)
OCCASIONS = np.stack(
    [
        _column(lambda ability: _occasions(ability.on), lambda kind: _occasions(kind.on), np.int64),
        _column(lambda ability: _occasions(ability.destined_on), lambda kind: _occasions(kind.on), np.int64),
    ]
)
# Instants, and those of them that answer no event: they are used at any moment.
INSTANT = _column(lambda ability: ability.entry.instant, lambda kind: kind.on not in ((), (ON_ACTION,)), np.bool_)
AT_ANY_MOMENT = _column(
    lambda ability: ability.entry.instant and ON_ACTION in ability.on, lambda kind: kind.on == ANY_MOMENT, np.bool_
)
# The numbers that observations show: positions in the data, whose files grow only at the end.
FIRST_MADE_CODE = len(_CHAPTERS) * MOST_IN_CHAPTER  # homebrew abilities show their kind
CODES = _column(lambda ability: _code(ability), lambda kind: FIRST_MADE_CODE + KINDS.index(kind), np.int64)
AIM = _column(lambda ability: ability.aim, lambda kind: kind.aim)
COSTS_INTERACTION = _column(lambda ability: ability.costs_interaction, dtype=np.bool_)
ON_FALLEN = _column(lambda ability: ability.on_fallen, dtype=np.bool_)
# For each part: the kind of answer, the number of options, whether a request asks, and whether it may be declined.
PICK_KIND, PICK_COUNT = np.zeros((2, FIRST_MADE + homebrew.MOST, PARTS), np.int8)
PICK_LATER, PICK_OPTIONAL = np.zeros((2, FIRST_MADE + homebrew.MOST, PARTS), np.bool_)
for number, ability in enumerate(PLAYED):
    for part, pick in enumerate(ability.picks):
        PICK_KIND[number, part], PICK_COUNT[number, part] = pick.kind, len(pick.words)
        PICK_LATER[number, part], PICK_OPTIONAL[number, part] = pick.later, pick.optional

hooks.fill(
    ((number, ability.functions, ability.needs) for number, ability in enumerate(PLAYED)), FIRST_MADE, homebrew.SHARED
)


def _switch(name: str, function: str, parameters: str, otherwise: Any, summary: str) -> Function:
    """Return a function that calls an ability's function of this name, or answers `otherwise` if there is none."""
    cases = {
        number: Case(ability.functions[function], ability.needs)
        for number, ability in enumerate(PLAYED)
        if function in ability.functions
    }
    shared = homebrew.SHARED.get(function)
    rest = None if shared is None else (FIRST_MADE, Case(shared, hooks.MADE_FIELD))
    return switch(name, f"fight, number, {parameters}", cases, otherwise, beyond=rest, summary=summary)


may_be_used = _switch("may_be_used", "may", "i, slot, target", True, "Whether an ability allows its use now.")
be_used = _switch("be_used", "do", "log, i, slot, target", None, "Do what an ability does when it is used.")
asks_for = _switch("asks_for", "asks", "i, slot, target, part", True, "Whether a use asks for this part.")
may_pick = _switch("may_pick", "may_pick", "i, slot, target, part, picked", True, "Whether an answer is allowed.")
do_picked = _switch("do_picked", "picked", "log, i, slot, who, part, picked", None, "Do what an answer brings about.")
auto_pick = _switch("auto_pick", "auto", "i, slot, target, part", NOBODY, "The answer of a player that gives none.")


def number_of(owned: Owned, slot: int) -> int:
    """Return the number of an ability that a fighter has in this slot."""
    return NUMBERS[owned.name] if owned.made is None else FIRST_MADE + homebrew.number_in(owned.made, slot)


def name_of(number: int, loadout: Sequence[Owned]) -> str:
    """Return the id of the ability with this number, given the abilities of its owner."""
    number = max(number, ~number)  # it may not be lent now
    return PLAYED[number].name if number < FIRST_MADE else loadout[(number - FIRST_MADE) % SLOTS].name


def hooks_of(loadout: Iterable[Owned]) -> list[int]:
    """Return the hooks that any of these abilities answers, as the numbers of a record's field of hooks."""
    found = [0] * HOOK_WORDS
    for owned in loadout:
        answered = FOUND[owned.name].functions if owned.made is None else homebrew.hooks_of_made(owned.made)
        for number in {hooks.HOOKS[hook].number for hook in answered if hook in hooks.HOOKS}:
            found[number // HOOK_BITS] |= 1 << number % HOOK_BITS
    return found
