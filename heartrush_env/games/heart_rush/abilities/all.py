"""All abilities, and the compiled functions that call the right one by its number.

Each ability is in a file of `talents`, `legacy` or `monsters`. Its number is the index of its id in alphabetical order,
and only records use this number.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from typing import Any

import numpy as np

from heartrush_env.games.heart_rush.abilities import legacy, monsters, talents
from heartrush_env.games.heart_rush.abilities.unit import FOUND, Ability
from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.abilities import (
    FREQUENCY,
    HOOK_BITS,
    HOOK_WORDS,
    IS_MASTERY,
    ON_ACTION,
    PARTS,
)
from heartrush_env.games.heart_rush.rules.terms import NOBODY
from heartrush_env.games.heart_rush.scenario.abilities import abilities
from heartrush_env.tabletop.units import Case, Function, switch

for package in (talents, legacy, monsters):
    for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        importlib.import_module(module.name)

MOST_IN_CHAPTER = 256
PLAYED: tuple[Ability, ...] = tuple(FOUND[name] for name in sorted(FOUND))
NUMBERS = {ability.name: number for number, ability in enumerate(PLAYED)}


def _column(value: Callable[[Ability], int], kind: Any = np.int8) -> Any:
    """Return an array with one number for each ability."""
    return np.array([value(ability) for ability in PLAYED], kind)


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
for number, ability in enumerate(PLAYED):
    FREQUENCY[:, number] = ability.frequencies
    IS_MASTERY[number] = ability.entry.kind == "mastery"
PER_ROUND = np.stack([_column(lambda ability: ability.per_round[0]), _column(lambda ability: ability.per_round[1])])
COSTS_ACTION = np.stack(
    [
        _column(lambda ability: ability.costs_action[0], np.bool_),
        _column(lambda ability: ability.costs_action[1], np.bool_),
    ]
)
OCCASIONS = np.stack(
    [
        _column(lambda ability: _occasions(ability.on), np.int64),
        _column(lambda ability: _occasions(ability.destined_on), np.int64),
    ]
)
# Instants, and those of them that answer no event: they are used at any moment.
INSTANT = _column(lambda ability: ability.entry.instant, np.bool_)
AT_ANY_MOMENT = _column(lambda ability: ability.entry.instant and ON_ACTION in ability.on, np.bool_)
# The numbers that observations show: positions in the data, whose files grow only at the end.
CODES = _column(lambda ability: _code(ability), np.int64)
AIM = _column(lambda ability: ability.aim)
COSTS_INTERACTION = _column(lambda ability: ability.costs_interaction, np.bool_)
ON_FALLEN = _column(lambda ability: ability.on_fallen, np.bool_)
# For each part: the kind of answer, the number of options, whether a request asks, and whether it may be declined.
PICK_KIND, PICK_COUNT = np.zeros((2, len(PLAYED), PARTS), np.int8)
PICK_LATER, PICK_OPTIONAL = np.zeros((2, len(PLAYED), PARTS), np.bool_)
for number, ability in enumerate(PLAYED):
    for part, pick in enumerate(ability.picks):
        PICK_KIND[number, part], PICK_COUNT[number, part] = pick.kind, len(pick.words)
        PICK_LATER[number, part], PICK_OPTIONAL[number, part] = pick.later, pick.optional

hooks.fill((number, ability.functions, ability.needs) for number, ability in enumerate(PLAYED))


def _switch(name: str, function: str, parameters: str, otherwise: Any, summary: str) -> Function:
    """Return a function that calls an ability's function of this name, or answers `otherwise` if there is none."""
    cases = {
        number: Case(ability.functions[function], ability.needs)
        for number, ability in enumerate(PLAYED)
        if function in ability.functions
    }
    return switch(name, f"fight, number, {parameters}", cases, otherwise, summary=summary)


may_be_used = _switch("may_be_used", "may", "i, slot, target", True, "Whether an ability allows its use now.")
be_used = _switch("be_used", "do", "log, i, slot, target", None, "Do what an ability does when it is used.")
asks_for = _switch("asks_for", "asks", "i, slot, target, part", True, "Whether a use asks for this part.")
may_pick = _switch("may_pick", "may_pick", "i, slot, target, part, picked", True, "Whether an answer is allowed.")
do_picked = _switch("do_picked", "picked", "log, i, slot, who, part, picked", None, "Do what an answer brings about.")
auto_pick = _switch("auto_pick", "auto", "i, slot, target, part", NOBODY, "The answer of a player that gives none.")


def hooks_of(names: tuple[str, ...]) -> list[int]:
    """Return the hooks that any of these abilities answers, as the numbers of a record's field of hooks."""
    found = [0] * HOOK_WORDS
    for number in {hooks.HOOKS[hook].number for name in names for hook in FOUND[name].functions if hook in hooks.HOOKS}:
        found[number // HOOK_BITS] |= 1 << number % HOOK_BITS
    return found
