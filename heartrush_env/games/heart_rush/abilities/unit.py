"""The form of an ability: a class that a decorator registers by its id in the data.

    ADVANTAGE = figures("kick_em_while_theyre_down", "advantage")  # of the base and of the destiny version


    @ability("kick_em_while_theyre_down")
    class KickEmWhileTheyreDown:
        def attack(fight, i, slot, target, stance):
            return ADVANTAGE[version(fight, i, slot)] if has(fight.fighters[target], PRONE) else 0

The data files hold the ability's name, frequency and figures. The class holds only its effects:

- `may(fight, i, slot, target)` and `do(fight, log, i, slot, target)`, if fighters use the ability: whether fighter i
  may use it now, and the effect of its use. Costs, frequencies and occasions are tested elsewhere.
- a function for each hook of rules/hooks.py that the ability answers, named after the hook.

If one action number cannot name a use, the ability has `picks`, the parts that complete the choice. The fighter is
asked for one part after another in the window of its choice, before the choice is revealed:

    @ability("cry_of_defiance", on=ANY_MOMENT, picks=[options("one", "all", "heal"), options(*CONDITIONS)])
    class CryOfDefiance:
        def asks(fight, i, slot, target, part):
            return part == 0 or answer(fight, i, 0) == ONE

        def do(fight, log, i, slot, target):
            ... answer(fight, i, 0) ...

- `asks(fight, i, slot, target, part)`: whether the part is asked for, given the answers before it; by default it is.
- `may_pick(fight, i, slot, target, part, picked)`: whether an answer is allowed; by default it is. `may` must make sure
  that every part that may be asked for has an answer. The answers are tested again when the use is carried out.
- `auto(fight, i, slot, target, part)`: the answer for a player that gives none or an illegal one, or NOBODY; by default
  it is the first allowed answer.

A part that an ability asks for in the middle of resolution is a `later` part. Any function of the ability can request
it from any fighter, and the answer is passed to `picked`:

    @ability("bandit_captain.orders", on=[ON_ACTION], aim=Aim.ALLY, picks=[later(DIRECTION)])
    class Orders:
        def do(fight, log, i, slot, target):
            open_pick(fight, target, i, slot, 0)

        def picked(fight, log, i, slot, who, part, picked):
            sidestep(fight, log, who, picked)

- `picked(fight, log, i, slot, who, part, picked)`: the effect of an answer. It may open further requests.
- `may_pick` and `auto` take the fighter that is asked in place of the target. If an `optional` part is declined, the
  answer is NOBODY and `picked` is not called.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from heartrush_env.games.heart_rush.rules.abilities import MOST_OPTIONS, PARTS, Aim, Frequency, Kind
from heartrush_env.games.heart_rush.rules.hooks import HOOKS
from heartrush_env.games.heart_rush.scenario.abilities import AbilityEntry, abilities
from heartrush_env.tabletop.units import Function, compile_methods

C = TypeVar("C", bound=type)


PICK_FUNCTIONS = ("asks", "may_pick", "auto", "picked")


@dataclass(frozen=True)
class Pick:
    """A part of a choice that its player is asked for."""

    kind: Kind
    words: tuple[str, ...] = ()  # a text for each option
    later: bool = False  # it is asked for by a request, not with the choice
    optional: bool = False  # it may be declined


def options(*words: str) -> Pick:
    """Return a part that is answered by one of these options."""
    return Pick(Kind.OPTION, words)


def later(pick: Pick, *, optional: bool = False) -> Pick:
    """Return a part that is asked for in the middle of resolution; an `optional` part may be declined."""
    return replace(pick, later=True, optional=optional)


def numbers(most: int = MOST_OPTIONS - 1) -> Pick:
    """Return a part that is answered by a number from 0 to `most`, which is also the answer's number."""
    return options(*(str(number) for number in range(most + 1)))


CREATURE, DIRECTION = Pick(Kind.CREATURE), Pick(Kind.DIRECTION)


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
    on_fallen: bool = False
    picks: tuple[Pick, ...] = ()

    @property
    def name(self) -> str:
        """The ability's id."""
        return self.entry.id

    @property
    def frequencies(self) -> tuple[Frequency, Frequency]:
        """The frequencies of the base version and the destiny version."""
        destined = self.entry.destiny_params.get("frequency", self.entry.frequency)
        return Frequency[self.entry.frequency.upper()], Frequency[destined.upper()]

    @property
    def costs_action(self) -> tuple[bool, bool]:
        """Whether a use of the base version, and of the destiny version, costs the action."""
        return self.entry.uses_action, self.entry.destiny_params.get("uses_action", self.entry.uses_action)


FOUND: dict[str, Ability] = {}  # by id, filled as the abilities' modules are imported


def ability(
    name: str,
    *,
    on: Sequence[int] = (),
    destined_on: Sequence[int] | None = None,
    aim: Aim = Aim.NOBODY,
    rulings: Sequence[str] = (),
    per_round: tuple[int, int] = (0, 0),
    picks: Sequence[Pick] = (),
    **more: Any,
) -> Callable[[C], C]:
    """Decorate a class as an ability and register it by its id.

    Args:
        name: The id in the data, which gives the frequency and whether a use costs the action.
        on: The occasions on which it may be used; any occasion except ON_ACTION makes it an instant.
        destined_on: The occasions for the destiny version, if they differ.
        aim: The kind of fighter that a use targets.
        rulings: The rulings that it follows.
        per_round: Uses per round of the base and of the destiny version, 0 for any number.
        picks: The parts that complete a use.
        more: `costs_interaction`: a use is an object interaction. `needs`: the field that a record must have for it
            ("cells": a map). `left_out`: a description of the part of its text that fights do not play. `on_fallen`:
            its target may be unconscious.
    """
    entry = abilities()[name]
    if name in FOUND:
        raise ImportError(f"Expected different abilities, got {name!r} twice.")
    if len(picks) > PARTS or any(len(pick.words) > MOST_OPTIONS for pick in picks):
        raise ImportError(f"{name}: expected at most {PARTS} picks of at most {MOST_OPTIONS} options, got {picks}.")

    def keep(unit: C) -> C:
        answered = [hook for hook in HOOKS if hook in vars(unit)]
        headings = dict.fromkeys(["may", "do", *PICK_FUNCTIONS, *answered], f"{entry.chapter} > {entry.name}")
        functions = compile_methods(unit, list(headings), headings, rulings)
        later = tuple(on if destined_on is None else destined_on)
        FOUND[name] = Ability(entry, functions, tuple(on), later, aim, per_round=per_round, picks=tuple(picks), **more)
        return unit

    return keep


def figures(name: str, key: str, *, otherwise: int = 0) -> Any:
    """Return a figure of the base and of the destiny version as an array of two.

    The destiny version has the base version's figure unless the data gives another.

    Args:
        name: The id of the ability.
        key: The figure's name in the data.
        otherwise: The base version's figure if the data gives none.
    """
    entry = abilities()[name]
    base = entry.params.get(key, otherwise)
    return np.array([base, entry.destiny_params.get(key, base)], np.int64)


def parts(name: str, key: str) -> Any:
    """Return 1 divided by a fraction, such as 10 for 0.1, for the base and the destiny version, as an array of two."""
    entry = abilities()[name]
    base = entry.params.get(key, 1)
    return np.array([round(1 / part) for part in (base, entry.destiny_params.get(key, base))], np.int64)


def figure(name: str, key: str) -> int:
    """Return a figure of an ability without a destiny version, such as a monster's."""
    return int(abilities()[name].params[key])


def term(name: str, key: str, terms: Sequence[str]) -> int:
    """Return the index among `terms` of a word in the data of an ability without a destiny version."""
    return terms.index(abilities()[name].params[key])


def dice(name: str, key: str) -> Any:
    """Return the number and sides of dice such as "2d6" or "d6", of the base and destiny version, as a 2 by 2 array."""
    entry = abilities()[name]
    base = entry.params.get(key, "0d0")
    return np.array(
        [[int(part or 1) for part in text.split("d")] for text in (base, entry.destiny_params.get(key, base))]
    )
