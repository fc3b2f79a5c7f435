"""How an ability is written: as a class, which a decorator registers by its id in the data.

    ADVANTAGE = figures("kick_em_while_theyre_down", "advantage")  # of the base and of the destiny version


    @ability("kick_em_while_theyre_down")
    class KickEmWhileTheyreDown:
        def attack(fight, i, slot, target, stance):
            return ADVANTAGE[version(fight, i, slot)] if has(fight.fighters[target], PRONE) else 0

Its name, frequency and figures stand in the data files, and here only what it does:

- `may(fight, i, slot, target)` and `do(fight, log, i, slot, target)`, if it is used: whether fighter i may use it now,
  and its effect. Costs, frequencies and occasions are tested elsewhere.
- a function for each hook of rules/hooks.py that it answers, by the hook's name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from heartrush_env.core.units import Function, compile_methods
from heartrush_env.heart_rush.rules.abilities import Aim, Frequency
from heartrush_env.heart_rush.rules.hooks import HOOKS
from heartrush_env.heart_rush.scenario.abilities import AbilityEntry, abilities

C = TypeVar("C", bound=type)


@dataclass(frozen=True)
class Ability:
    """The properties of an ability; see `ability`."""

    entry: AbilityEntry
    functions: Mapping[str, Function]
    on: tuple[int, ...] = ()
    destined_on: tuple[int, ...] = ()
    aim: Aim = Aim.NOBODY
    costs_interaction: bool = False
    per_round: tuple[int, int] = (0, 0)
    needs: str | None = None
    left_out: str = ""

    @property
    def name(self) -> str:
        """Its id."""
        return self.entry.id

    @property
    def frequencies(self) -> tuple[Frequency, Frequency]:
        """How often its base and its destiny version may be used."""
        destined = self.entry.destiny_params.get("frequency", self.entry.frequency)
        return Frequency[self.entry.frequency.upper()], Frequency[destined.upper()]

    @property
    def costs_action(self) -> bool:
        """Whether its use costs the action."""
        return self.entry.uses_action


FOUND: dict[str, Ability] = {}  # by id, once their files are imported


def ability(
    name: str,
    *,
    on: Sequence[int] = (),
    destined_on: Sequence[int] | None = None,
    aim: Aim = Aim.NOBODY,
    rulings: Sequence[str] = (),
    per_round: tuple[int, int] = (0, 0),
    **more: Any,
) -> Callable[[C], C]:
    """A class is an ability.

    Args:
        name: Its id in the data, which says its frequency and whether its use costs the action.
        on: The occasions on which it may be used; all but ON_ACTION make it an instant.
        destined_on: The same for its destiny version, if that differs.
        aim: Whom its use names.
        rulings: The rulings that it follows.
        per_round: Uses in a round of the base and of the destiny version, 0 for any number.
        more: `costs_interaction`: its use is an object interaction. `needs`: the field that a record must have for it
            ("cells": a map). `left_out`: the part of its text that fights do not play, in words.
    """
    entry = abilities()[name]
    if name in FOUND:
        raise ImportError(f"Found two abilities {name!r}, allowed: one.")

    def keep(unit: C) -> C:
        answered = [hook for hook in HOOKS if hook in vars(unit)]
        headings = dict.fromkeys(["may", "do", *answered], f"{entry.chapter} > {entry.name}")
        functions = compile_methods(unit, list(headings), headings, rulings)
        later = tuple(on if destined_on is None else destined_on)
        FOUND[name] = Ability(entry, functions, tuple(on), later, aim, per_round=per_round, **more)
        return unit

    return keep


def figures(name: str, key: str, *, otherwise: int = 0) -> Any:
    """A figure of the base and of the destiny version, as an array of two; the latter is as the base unless it says so.

    Args:
        name: The id of the ability.
        key: The figure's name in the data.
        otherwise: The figure of a base version that has none.
    """
    entry = abilities()[name]
    base = entry.params.get(key, otherwise)
    return np.array([base, entry.destiny_params.get(key, base)], np.int64)


def parts(name: str, key: str) -> Any:
    """A fraction of the base and of the destiny version, as the number of equal parts of the whole: 10 for a tenth."""
    entry = abilities()[name]
    base = entry.params.get(key, 1)
    return np.array([round(1 / part) for part in (base, entry.destiny_params.get(key, base))], np.int64)


def figure(name: str, key: str) -> int:
    """A figure of an ability without a destiny version, such as a monster's."""
    return int(abilities()[name].params[key])


def term(name: str, key: str, terms: Sequence[str]) -> int:
    """The place of a word of such an ability among the book's terms."""
    return terms.index(abilities()[name].params[key])


def dice(name: str, key: str) -> Any:
    """The number and the sides of dice of the base and of the destiny version, from "2d6": an array of two rows."""
    entry = abilities()[name]
    base = entry.params.get(key, "0d0")
    return np.array([[int(part) for part in text.split("d")] for text in (base, entry.destiny_params.get(key, base))])
