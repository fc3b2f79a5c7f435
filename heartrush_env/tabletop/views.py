"""The views of a game: they turn an observation into named fields, for programs in any language, and back.

A game may have views of its own as its attribute `views`. A game of tables has those of its layout
(tabletop/table_faces.py). A seat of any other game sees its vector alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol

import numpy as np

from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.game import FloatArray, Game
from heartrush_env.tabletop.text import show
from heartrush_env.tabletop.validate import is_number

MOST_NUMBERS: Final = 2**16  # that are kept with their shortest digits
Reveals = Sequence[Mapping[str, Any]]  # {"round": 2, "stances": {"knight_0": "might", ...}}, the oldest first


class ViewError(HeartRushError):
    """An error for fields or an observation that do not fit the game; it names the fault and the allowed values."""

    def __init__(self, what: str) -> None:
        super().__init__(f"view: {what}.")


class Views(Protocol):
    """A reader and writer of the views of one game."""

    @property
    def named(self) -> bool:
        """Whether the named fields of a view hold all facts of the vector."""

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema of the named fields."""

    def read(self, seat: str, observation: FloatArray, reveals: Reveals | None = None) -> dict[str, Any]:
        """Return a seat's view as JSON-able data, with the vector as its field "observation".

        Args:
            seat: The seat that received the observation.
            observation: The vector, as the environment gave it to this seat.
            reveals: All hidden choices revealed in the fight; by default, those that the observation shows.
        """

    def write(self, seat: str, view: Mapping[str, Any]) -> FloatArray:
        """Return the vector that named fields describe; raise ViewError if they do not fit the game."""

    def checked(self, observation: Sequence[float]) -> FloatArray:
        """Return a vector as an array; raise ViewError if it does not fit the game."""


def views_of(game: Game) -> Views:
    """Return the game's own views, or those that hold the vector alone."""
    own: Views | None = getattr(game, "views", None)
    return VectorViews(game) if own is None else own


class VectorViews:
    """Views that hold the vector and no named fields."""

    named = False

    def __init__(self, game: Game) -> None:
        """Make the views of this game."""
        self._game = game

    def schema(self) -> dict[str, Any]:
        """Return the schema of an object with any fields."""
        return {"type": "object"}

    def read(self, seat: str, observation: FloatArray, reveals: Reveals | None = None) -> dict[str, Any]:
        """Return a view that holds the vector alone."""
        return {"observation": short(observation)}

    def write(self, seat: str, view: Mapping[str, Any]) -> FloatArray:
        """Raise ViewError: there are no named fields."""
        raise ViewError(f"observation is missing, and {self._game.name} has no named fields")

    def checked(self, observation: Sequence[float]) -> FloatArray:
        """Return a vector as an array, after a check of its length and bounds."""
        return checked(self._game, observation)


def checked(game: Game, observation: Sequence[float]) -> FloatArray:
    """Return a vector as an array; raise ViewError if its length is not the game's or a number is out of bounds."""
    names, low, high = game.feature_names, game.observation_low, game.observation_high
    if not isinstance(observation, list | tuple) or not all(map(is_number, observation)):
        raise ViewError(f"observation: expected a list of numbers, got {show(observation)}")
    if len(observation) != len(names):
        raise ViewError(f"observation: expected {len(names)} numbers, got {len(observation)}")
    numbers = np.array(observation, np.float64)
    with np.errstate(over="ignore"):
        single = numbers.astype(np.float32)
    outside = ~((single >= low) & (single <= high))
    if outside.any():
        k = int(outside.argmax())
        raise ViewError(f"observation, {names[k]}: expected {low[k]:g} to {high[k]:g}, got {numbers[k]:g}")
    return single


def short(observation: FloatArray) -> list[float]:
    """Return the numbers of a vector with the fewest digits that distinguish them; 0 and 1 as integers."""
    numbers: list[float] = [0] * len(observation)
    places = np.flatnonzero(observation)
    for place, number in zip(places.tolist(), observation[places].tolist(), strict=True):
        numbers[place] = _SHORTEST[number]
    return numbers


class _Shortest(dict[float, float]):
    """The number with the fewest digits for each number of a vector so far."""

    def __missing__(self, number: float) -> float:
        if len(self) >= MOST_NUMBERS:
            self.clear()
        self[number] = found = 1 if number == 1 else float(str(np.float32(number)))
        return found


_SHORTEST: Final = _Shortest()
