"""Choices: everything that a fighter may do in a window, each a class in `actions/` or `maneuvers/`.

A choice declares its name, its target, its cost and the windows that offer it, and has two functions:
`may(fight, i, target, detail)` returns whether fighter i may make it now, and `do(fight, log, i, target, detail)`
applies its effect. Legality, masks, tables, payment, resolution, the words of events and menus, and the checks of
positions are derived from these classes. `ORDER` in terms.py gives each choice its number.

A choice may have these further functions:
- `may_in_WINDOW`: replaces `may` in that window
- `any_of(fight, i)`: returns whether any detail is legal, for choices with many details
- `write(fight, i, masks, start)`: writes 1 for each legal detail and returns whether there is any, for choices with
  many details
- `settle(fight, i, detail)`: returns the detail that a row of the action table means at the moment of choosing
- `note(fight, log, number, i, detail)`: completes event `number`, which declares the choice, if events are kept
- `advantage(fight, i, target)`: returns the levels of advantage that a maneuver gives the fighter that attempts it
- `total(fight, i, total)`: returns the final total of that fighter's roll
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, TypeVar

from heartrush_env.games.heart_rush.rules.terms import DEEDS
from heartrush_env.tabletop.units import Function, Shelf, compile_methods

C = TypeVar("C", bound=type)

PLAIN: Mapping[int, str] = {0: ""}  # the details of a choice without details
ON_MAPS = "cells"  # a field that only fights on a map have
BY_TURNS = "priority"  # a field that only fights with alternating sides have
ACTION, ATTACK = "action", "attack"  # windows


class Cost(IntEnum):
    """The cost of a choice."""

    NOTHING = 0
    ACTION = 1
    STEP = 2  # the action, for a movement
    RUSH = 3  # a rush point
    RUSH_STEP = 4  # a rush point, for a movement
    INTERACTION = 5  # the round's free interaction, or else the action
    DASH = 6  # the free dash of the round
    HALF_DASH = 7  # half the free dash, once a round; the whole dash without a map
    DASH_OR_ACTION = 8  # the round's free dash, or else the action
    RISE = 9  # the action, for a sidestep to one's feet
    HELP = 10  # the action, for help


class Target(IntEnum):
    """The kind of target of a choice."""

    NOBODY = 0
    ENEMY = 1
    ALLY = 2  # an adjacent ally
    COMPANION = 3  # any ally


class Comes(IntEnum):
    """The course of a choice after its declaration."""

    NOTHING = 0  # nothing more: the choice takes effect at once
    RISING = 1  # others may respond first
    WAY = 2  # a path, walked step by step
    STRIKE = 3  # an attack; others may respond to its rolls
    STEP = 4  # a step; others may trip the fighter


class Gate(IntEnum):
    """The check that runs before a choice's own `may`."""

    NONE = 0
    DECLARATION = 1  # the fighter is able and can pay
    ATTACK = 2  # an attacker of this phase that may attack the target
    MANEUVER = 3  # an attacker whose stance beats the stance of the adjacent target


@dataclass(frozen=True)
class Contest:
    """The abilities rolled in a contested maneuver, and what gives the attempting fighter advantage."""

    own: int
    against: int
    advantage: int = -1  # the cause of the attempting fighter's advantage
    size_counts: bool = False  # the larger creature has advantage, whichever side it is on


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
    contest: Contest | None = None
    damage_die: int = 0
    levels: int = 1  # levels of each condition that a detail names
    answers: bool = False  # it completes another choice, and no window offers it by itself

    @property
    def is_maneuver(self) -> bool:
        """Whether the choice is made in place of an attack."""
        return self.gate == Gate.MANEUVER


SHELF: Shelf[Choice] = Shelf("choice", DEEDS, "ORDER in games/heart_rush/rules/terms.py")
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
    """Register a class as a choice of the action phase.

    Args:
        name: The choice's name in tables and events.
        words: The text of a menu line, with {target} and {detail} as placeholders.
        tells: A sentence for readers: "{fighter} picks the weapon up".
        cost: The cost of the choice.
        heading: The heading of the rule text that `may` and `do` implement, if they claim none themselves.
        rulings: The rulings that they follow.
        target: The kind of target.
        conditions: Conditions of which the fighter must have at least one; if empty, it needs none.
        more: `details`: detail names by number. `by_rush`: the cost from the detail `rush_from` on, and
            `words_by_rush` the text used then. `more`: a menu note on a choice with several details. `needs`: the
            field that a record must have. `comes`: what follows the declaration. `once_a_fight`: a fighter makes the
            choice at most once. `windows`: the windows that offer it, if not only action windows. `alike`: if one
            detail is legal, so are all others of equal cost.
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
    """Register a class as a maneuver, made in place of an attack on an enemy whose stance the fighter's stance beats.

    Args:
        name: The maneuver's name in tables and events.
        words: The text of a menu line, with {target} as a placeholder.
        tells: A sentence for readers about the attempt.
        heading: The heading of the rule text that `may` and `do` implement, if they claim none themselves.
        rulings: The rulings that they follow.
        contest: The dice of its contest, or None for a maneuver without a roll.
        more: `details`, `more`, `needs` and `windows` as for actions. `damage_die`: the sides of the damage die that it
            deals. `levels`: levels of each condition that a detail names.
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
    """Register a class as a choice of windows outside the action phase.

    Args:
        name: The choice's name in tables and events.
        windows: The windows that offer it.
        words: The text of a menu line.
        heading: The heading of the rule text that its functions implement, if they claim none themselves.
        rulings: The rulings that they follow.
        target: The kind of target.
        gate: The check that runs before the choice's own one in the first of its windows.
        more: `fallback`: the detail that applies if a fighter has no other choice. `refines`: details beyond the
            first are legal only where the first is. The other keywords are those of actions.
    """
    return _keep(name, _both(heading), rulings, gate=gate, windows=tuple(windows), words=words, target=target, **more)


def _both(heading: str | None) -> dict[str, str]:
    """Return a dict with the heading for `may` and `do`, or an empty dict without a heading."""
    return {} if heading is None else {"may": heading, "do": heading}


def _keep(
    name: str, headings: Mapping[str, str], rulings: Sequence[str], *, windows: Iterable[str], **columns: Any
) -> Callable[[C], C]:
    """Return a decorator that compiles a class's functions and adds the choice to SHELF."""
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
