"""Checks of the arguments that users give to environments: choices, seeds, options, dice, agents."""

from __future__ import annotations

import operator
import secrets
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, TypeVar

import numpy as np

from heartrush_env.tabletop.errors import DiceError, HeartRushError
from heartrush_env.tabletop.game import LARGEST_FIGHT, MISSING, ByteArray, Game
from heartrush_env.tabletop.text import on_one_line, show

T = TypeVar("T")
Illegal = Literal["fallback", "raise"]

LARGEST_SEED = 2**63 - 1
LONGEST_NUMBER = 128  # bits of a whole number; longer ones are refused


def check_choice(what: str, value: T, allowed: Sequence[T]) -> T:
    """Return the value if it is allowed; otherwise raise an error that lists the allowed values."""
    if value not in allowed:
        raise HeartRushError(f"{what}: expected one of {', '.join(map(repr, allowed))}, got {on_one_line(value)}.")
    return value


def whole_number(what: str, value: Any, error: type[HeartRushError] = HeartRushError) -> int:
    """Return a whole number of any integer type as an int; refuse booleans, floats and text."""
    try:
        if isinstance(value, (bool, np.bool_)):
            raise TypeError
        number = operator.index(value)
    except TypeError:
        raise error(f"{what}: expected a whole number, got {on_one_line(value)} ({type(value).__name__}).") from None
    if number.bit_length() > LONGEST_NUMBER:
        raise error(f"{what}: expected a whole number of at most {LONGEST_NUMBER} bits, got {show(number)}.")
    return number


def at_least_one(what: str, value: Any) -> int:
    """Return a whole number as an int; refuse numbers below 1."""
    number = whole_number(what, value)
    if number < 1:
        raise HeartRushError(f"{what}: expected at least 1, got {number}.")
    return number


def read_seed(seed: Any) -> int | None:
    """Return a seed as int, or None if none was given."""
    if seed is None:
        return None
    number = whole_number("The seed", seed)
    if not 0 <= number <= LARGEST_SEED:
        raise HeartRushError(f"The seed: expected 0 to 2**63 - 1, got {number}.")
    return number


def random_seed() -> int:
    """Draw a random seed."""
    return secrets.randbelow(LARGEST_SEED + 1)


def read_options(options: Any) -> tuple[int | None, list[int] | None]:
    """Return the fight number and the given dice from the options of a reset; unknown options are ignored."""
    if options is None:
        return None, None
    if not isinstance(options, Mapping):
        raise HeartRushError(f"The options of reset(): expected a dict, got {on_one_line(options)}.")
    number = options.get("fight")
    if number is not None:
        number = whole_number('The option "fight"', number)
        if not 0 <= number <= LARGEST_FIGHT // 2:
            raise HeartRushError(f'The option "fight": expected 0 to 2**61, got {number}.')
    dice = options.get("dice")
    return number, None if dice is None else read_dice(dice)


def read_dice(dice: Any) -> list[int]:
    """Return given dice as a list of int; each must be at least 1."""
    if isinstance(dice, (str, bytes, Mapping)) or not isinstance(dice, Iterable):
        raise DiceError(f'The option "dice": expected a list of whole numbers, got {on_one_line(dice)}.')
    faces = [whole_number(f'Number {place} of the option "dice"', die, DiceError) for place, die in enumerate(dice, 1)]
    for place, face in enumerate(faces, 1):
        if face < 1:
            raise DiceError(f'Number {place} of the option "dice": expected at least 1, got {face}.')
    return faces


def unknown_agents(given: Iterable[Any], agents: Sequence[str]) -> str:
    """Return the error sentence for names that belong to no agent."""
    strangers = ", ".join(repr(name) for name in given if name not in agents)
    return f"There is no agent {strangers}: the agents are {', '.join(agents)}."


def refusal(game: Game, agent: str, pick: int, mask: ByteArray) -> str:
    """Return the error sentence for a masked or missing action."""
    what = "chose nothing" if pick == MISSING else f"may not choose {game.action_names[pick]!r} now"
    legal = ", ".join(game.action_names[action] for action in np.flatnonzero(mask))
    return f"{agent} {what}; the legal actions are {legal}."
