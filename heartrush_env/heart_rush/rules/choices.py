"""Choices: everything that a fighter may do in a window, one class each in `actions/` and `maneuvers/`.

A choice declares its name, its target, its cost and the windows that offer it, and has two functions:
`may(fight, i, target, detail)`: whether fighter i may do it now; and `do(fight, log, i, target, detail)`: its effect.
Legality, masks, tables, payment, resolution, the words of events and menus, and the checks of positions are read from
these classes. `ORDER` in terms.py gives each its number.

Further functions that a choice may have:
- `may_in_WINDOW`: replaces `may` in that window
- `any_of(fight, i)`: whether any detail may be chosen, for choices with many details
- `write(fight, i, masks, start)`: write 1 for each detail that may be chosen, for choices with many details
- `settle(fight, i, detail)`: the detail that a line of the table means at the moment of choosing
- `note(fight, log, number, i, detail)`: complete the event of its declaration, if events are kept
- `advantage(fight, i, target)`: levels of advantage that a maneuver itself gives the fighter that attempts it
- `total(fight, i, total)`: the final total of that fighter's roll
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, TypeVar

from heartrush_env.core.units import Function, Shelf, compile_methods
from heartrush_env.heart_rush.rules.terms import DEEDS

C = TypeVar("C", bound=type)

PLAIN: Mapping[int, str] = {0: ""}  # the details of a choice that has none
ON_MAPS = "cells"  # the field that only fights on a map have
BY_TURNS = "priority"  # and that of fights in which sides take turns
ACTION, ATTACK = "action", "attack"  # windows


class Cost(IntEnum):
    """The cost of a choice."""

    NOTHING = 0
    ACTION = 1
    STEP = 2  # the action, for a movement
    RUSH = 3  # a rush point
    RUSH_STEP = 4  # a rush point, for a movement
    INTERACTION = 5  # the free interaction of the round, else the action
    DASH = 6  # the free dash of the round
    HALF_DASH = 7  # half the free dash, once a round; without a map all of it
    DASH_OR_ACTION = 8  # the free dash of the round, else the action


class Target(IntEnum):
    """The kind of target of a choice."""

    NOBODY = 0
    ENEMY = 1
    ALLY = 2  # one adjacent to the fighter
    COMPANION = 3  # any ally


class Comes(IntEnum):
    """The result of a declaration."""

    NOTHING = 0  # more: it is done at once
    RISING = 1  # others may answer first
    WAY = 2  # a way to go, step by step
    STRIKE = 3  # an attack, whose rolls others may answer
    STEP = 4  # a step, at which others may trip it


class Gate(IntEnum):
    """The test made before a choice's own question."""

    NONE = 0
    DECLARATION = 1  # able, and it can be paid for
    ATTACK = 2  # an attacker of this phase, who may attack the target
    MANEUVER = 3  # the same, and its stance beats that of the adjacent target


@dataclass(frozen=True)
class Contest:
    """The dice of a contested maneuver: abilities, and what gives its maker advantage."""

    own: int
    against: int
    advantage: int = -1  # the cause of its maker's advantage
    size_counts: bool = False  # the larger creature has advantage, on either side


@dataclass(frozen=True)
class Choice:
    """The properties of a choice; see `action`."""

    name: str
    code: int
    gate: Gate
    windows: tuple[str, ...]
    target: Target
    functions: Mapping[str, Function]
    words: str = ""
    words_by_rush: str = ""
    tells: str = ""
    more: str = ""
    cost: Cost = Cost.NOTHING
    by_rush: Cost | None = None
    rush_from: int = 0
    conditions: tuple[int, ...] = ()
    details: Mapping[int, str] = field(default_factory=lambda: PLAIN)
    detail_count: int = 1
    needs: str | None = None
    comes: Comes = Comes.NOTHING
    once_a_fight: bool = False
    fallback: int | None = None
    refines: bool = False
    alike: bool = False
    with_spare: bool = False
    contest: Contest | None = None
    damage_die: int = 0
    levels: int = 1  # of each condition that a detail names

    @property
    def is_maneuver(self) -> bool:
        """Whether it is done in place of an attack."""
        return self.gate == Gate.MANEUVER


SHELF: Shelf[Choice] = Shelf("choice", DEEDS, "ORDER in heart_rush/rules/terms.py")
FUNCTIONS = ("may", "do", "any_of", "write", "settle", "note", "advantage", "total")


def action(
    name: str,
    *,
    words: str,
    tells: str,
    cost: Cost = Cost.ACTION,
    heading: str | None = None,
    rulings: Sequence[str] = (),
    target: Target = Target.NOBODY,
    conditions: Sequence[int] = (),
    **more: Any,
) -> Callable[[C], C]:
    """A class is a choice of the action phase.

    Args:
        name: Its name in tables and events.
        words: A line of a menu; {target} and {detail} stand for what they are called.
        tells: A sentence for readers: "{fighter} picks the weapon up".
        cost: Its cost.
        heading: The heading of the rule text that `may` and `do` play, if they claim none themselves.
        rulings: The rulings that they follow.
        target: The kind of its target.
        conditions: Conditions of which the fighter must have at least one.
        more: `details`: names of its details by number. `by_rush`: its cost from the detail `rush_from` on, and
            `words_by_rush` its words then. `more`: a menu's note on a choice with several details. `needs`: the
            field that a record must have for it. `comes`: its outcome. `once_a_fight`. `windows`: the windows that
            offer it, if not only action windows. `alike`: details that cost the same are legal alike.
            `with_spare`: only fighters with a spare weapon are asked.
    """
    return _keep(
        name, _both(heading), rulings, gate=Gate.DECLARATION, words=words, tells=tells, cost=cost, target=target,
        conditions=tuple(conditions), **{"windows": (ACTION,), **more},
    )  # fmt: skip


def maneuver(
    name: str,
    *,
    words: str,
    tells: str,
    heading: str,
    rulings: Sequence[str] = (),
    contest: Contest | None = None,
    **more: Any,
) -> Callable[[C], C]:
    """A class is a maneuver, done in place of an attack to an enemy whose stance the fighter's own beats.

    Args:
        name: Its name in tables and events.
        words: A line of a menu; {target} stands for what the target is called.
        tells: A sentence for readers on the attempt.
        heading: The heading of the rule text that `may` and `do` play, if they claim none themselves.
        rulings: The rulings that they follow.
        contest: Its dice, unless it works without a roll.
        more: `details`, `more`, `needs` and `windows` as for actions. `damage_die`: the sides of a die of damage that
            it deals. `levels`: of each condition that a detail names.
    """
    return _keep(
        name, _both(heading), rulings, gate=Gate.MANEUVER, words=words, tells=tells,
        contest=contest, target=Target.ENEMY, refines=True, **{"windows": (ATTACK,), **more},
    )  # fmt: skip


def choice(
    name: str,
    *,
    windows: Sequence[str],
    words: str = "",
    heading: str | None = None,
    rulings: Sequence[str] = (),
    target: Target = Target.NOBODY,
    gate: Gate = Gate.NONE,
    **more: Any,
) -> Callable[[C], C]:
    """A class is a choice of other windows than those of the action phase.

    Args:
        name: Its name in tables and events.
        windows: The windows that offer it.
        words: A line of a menu.
        heading: The heading of the rule text that its functions play, if they claim none themselves.
        rulings: The rulings that they follow.
        target: The kind of its target.
        gate: The test that comes first in the first of its windows.
        more: `fallback`: the detail that counts where a fighter has no other choice. `refines`: details beyond the
            first are legal only where the first is. The rest as for actions.
    """
    return _keep(name, _both(heading), rulings, gate=gate, windows=tuple(windows), words=words, target=target, **more)


def _both(heading: str | None) -> dict[str, str]:
    """The heading of a choice's two functions, if it has one."""
    return {} if heading is None else {"may": heading, "do": heading}


def _keep(
    name: str, headings: Mapping[str, str], rulings: Sequence[str], *, windows: Iterable[str], **columns: Any
) -> Callable[[C], C]:
    """Compile what a class has, and put it on the shelf."""
    code = SHELF.number(name)

    def keep(unit: C) -> C:
        names = [*FUNCTIONS, *(f"may_in_{window}" for window in windows)]
        functions = compile_methods(unit, names, headings, rulings)
        count = max(columns.get("details", PLAIN)) + 1
        SHELF.add(
            Choice(
                name=name,
                code=code,
                windows=tuple(windows),
                functions=functions,
                **{"detail_count": count, **columns},
            )
        )
        return unit

    return keep
