"""Offers of windows: columns that describe all choices, and compiled functions that call the choices' own functions.

An offer is a choice in a window. A column is an array indexed by the code of a choice or the number of an offer.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from heartrush_env.games.heart_rush.abilities import using  # noqa: F401  # the choices of using an ability
from heartrush_env.games.heart_rush.rules import actions, maneuvers
from heartrush_env.games.heart_rush.rules.choices import BY_TURNS, ON_MAPS, SHELF, Choice, Contest, Gate, Target
from heartrush_env.games.heart_rush.rules.hooks import ABILITY_FIELD
from heartrush_env.games.heart_rush.rules.terms import DASH, NOBODY, ORDER, WALK
from heartrush_env.games.heart_rush.state.record import WINDOWS
from heartrush_env.tabletop.units import Case, switch

Entry = tuple[int, int]  # a choice's code and a detail

for package in (actions, maneuvers):
    for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        importlib.import_module(module.name)

CHOICES: tuple[Choice, ...] = SHELF.units()
BY_NAME = {choice.name: choice for choice in CHOICES}


def column(value: Callable[[Choice], int], kind: Any = np.int8) -> Any:
    """Return an array with one value for each choice, indexed by code."""
    return np.array([value(choice) for choice in CHOICES], kind)


NO_CONTEST = Contest(NOBODY, NOBODY)
ONCE = [choice.code for choice in CHOICES if choice.once_a_fight]

TARGET = column(lambda choice: choice.target)
IS_MANEUVER = column(lambda choice: choice.is_maneuver, np.bool_)
COMES = column(lambda choice: choice.comes)
COST = column(lambda choice: choice.cost)
COST_BY_RUSH = column(lambda choice: choice.cost if choice.by_rush is None else choice.by_rush)
RUSH_FROM = column(lambda choice: choice.rush_from, np.int16)
CONDITIONS = column(lambda choice: sum(1 << condition for condition in choice.conditions), np.int64)
ONCE_BIT = column(lambda choice: 1 << ONCE.index(choice.code) if choice.once_a_fight else 0, np.int64)
DAMAGE_DIE = column(lambda choice: choice.damage_die)
IS_CONTEST = column(lambda choice: choice.contest is not None, np.bool_)
OWN = column(lambda choice: (choice.contest or NO_CONTEST).own)
AGAINST = column(lambda choice: (choice.contest or NO_CONTEST).against)
ADVANTAGE = column(lambda choice: (choice.contest or NO_CONTEST).advantage)
SIZE_COUNTS = column(lambda choice: (choice.contest or NO_CONTEST).size_counts, np.bool_)

# The offers of each window.


def gate_of(window: str, choice: Choice) -> Gate:
    """Return the general requirement of a choice in this window, which is tested before the choice's own test."""
    return choice.gate if window == choice.windows[0] else Gate.NONE


_OFFERED = [(window, choice) for choice in CHOICES for window in choice.windows]
OFFER = np.full((len(WINDOWS), len(CHOICES)), NOBODY, np.int8)
for number, (window, choice) in enumerate(_OFFERED):
    OFFER[WINDOWS.index(window), choice.code] = number
GATE = np.array([gate_of(window, choice) for window, choice in _OFFERED], np.int8)


# The lines of the action table, block by block, in order of action number.

_OWN_LINES = {line for line in ORDER if " " in line}


def _details(line: str) -> list[Entry]:
    """Return the (code, detail) entries of an ORDER line: one detail, or all that have no line of their own."""
    choice = BY_NAME[line.split()[0]]
    lines = {detail: f"{choice.name} {name}".strip() for detail, name in choice.details.items()}
    wanted = {line} if " " in line else set(lines.values()) - _OWN_LINES
    return [(choice.code, detail) for detail, name in lines.items() if name in wanted]


_ENTRIES = [entry for line in ORDER for entry in _details(line)]


@dataclass(frozen=True)
class Block:
    """Consecutive lines of the action table, which occur once, or once for each place of an enemy or an ally."""

    target: Target
    needs: str | None = None  # the field that records with these lines have
    answers: bool = False  # whether the lines complete other choices

    @cached_property
    def lines(self) -> list[Entry]:
        """The entries of the choices with this kind of target that need this field."""
        wanted = self.target, self.needs, self.answers
        chosen = [(entry, CHOICES[entry[0]]) for entry in _ENTRIES]
        return [entry for entry, choice in chosen if (choice.target, choice.needs, choice.answers) == wanted]

    @property
    def first(self) -> int:
        """The number of its first line among all lines of the table."""
        return sum(len(block.lines) for block in BLOCKS[: BLOCKS.index(self)])


BLOCKS: tuple[Block, ...] = (
    Block(Target.NOBODY),
    Block(Target.ENEMY),
    Block(Target.ALLY),
    Block(Target.NOBODY, ON_MAPS),
    Block(Target.NOBODY, BY_TURNS),
    Block(Target.ENEMY, BY_TURNS),
    Block(Target.NOBODY, ABILITY_FIELD),
    Block(Target.ENEMY, ABILITY_FIELD),
    Block(Target.COMPANION, ABILITY_FIELD),
    Block(Target.NOBODY, ABILITY_FIELD, answers=True),
    Block(Target.ENEMY, ABILITY_FIELD, answers=True),
    Block(Target.COMPANION, ABILITY_FIELD, answers=True),
)
TABLE = [entry for block in BLOCKS for entry in block.lines]
DASHES, WALKS = TABLE.index((DASH, 0)), TABLE.index((WALK, 0))  # lines of the table
DEED = np.array([code for code, _ in TABLE], np.int8)
DETAIL = np.array([detail for _, detail in TABLE], np.int16)


def _kin(entry: Entry) -> Any:
    """Return a key that entries share if they are always legal together (same choice and payment), else the entry."""
    choice, detail = CHOICES[entry[0]], entry[1]
    return ("alike", choice.code, detail >= choice.rush_from) if choice.alike and detail != choice.fallback else entry


_FIRST_OF_KIN: dict[Any, int] = {}
KIN = np.array([_FIRST_OF_KIN.setdefault(_kin(entry), k) for k, entry in enumerate(TABLE)], np.int16)


def _is_settled(window: str) -> bool:
    """Return whether all choices that a window offers, apart from fallbacks, are untargeted and legal together.

    All fighters that have a choice in such a window have the same legal choices. A fallback is always legal.
    """
    offered = [(k, entry) for k, entry in enumerate(TABLE) if window in CHOICES[entry[0]].windows]
    chosen = [(k, code) for k, (code, detail) in offered if detail != CHOICES[code].fallback]
    aimed = any(CHOICES[code].target != Target.NOBODY or "write" in CHOICES[code].functions for _, code in chosen)
    return not aimed and len({int(KIN[k]) for k, _ in chosen}) == 1


IS_SETTLED = np.array([_is_settled(window) for window in WINDOWS])


# Compiled functions that call the function of a given choice.


def _functions(name: str) -> dict[int, Case]:
    """Return the choices' functions of this name, by code."""
    return {choice.code: Case(choice.functions[name], choice.needs) for choice in CHOICES if name in choice.functions}


def _questions() -> dict[int, Case]:
    """Return the tests of the offers that have one, by offer number."""
    found = {}
    for number, (window, choice) in enumerate(_OFFERED):
        function = choice.functions.get(f"may_in_{window}") or choice.functions.get("may")
        if function is not None:
            found[number] = Case(function, choice.needs)
    return found


may_choose = switch(
    "may_choose", "fight, number, i, target, detail", _questions(), True,
    summary="Return whether an offer passes its own test.",
)  # fmt: skip
do_choice = switch(
    "do_choice", "fight, number, log, i, target, detail", _functions("do"), summary="Do what a choice does."
)
settle_detail = switch(
    "settle_detail", "fight, number, i, detail", _functions("settle"), "detail",
    summary="Return the detail that a line of the table currently means.",
)  # fmt: skip
note_declaration = switch(
    "note_declaration", "fight, number, log, event, i, detail", _functions("note"),
    summary="Complete the event of a declaration.",
)  # fmt: skip
advantage_of = switch(
    "advantage_of", "fight, number, i, target", _functions("advantage"), 0,
    summary="Return the levels of advantage that a maneuver itself gives the fighter that attempts it.",
)  # fmt: skip
total_of = switch(
    "total_of",
    "fight, number, i, total",
    _functions("total"),
    "total",
    summary="Return the final total of a maneuver's roll.",
)
