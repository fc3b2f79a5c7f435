"""A seat's view in messages: encoding/view.py reads its fields from an observation and converts them back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import msgspec

from heartrush_env.games.heart_rush.encoding.view import Reveals, view_codec
from heartrush_env.games.heart_rush.encoding.view_start import ViewError
from heartrush_env.protocol.messages import ProtocolError, View
from heartrush_env.tabletop.game import FloatArray, Game

if TYPE_CHECKING:
    from heartrush_env.games.heart_rush.game import HeartRush


def view_of(game: Game, seat: str, observation: FloatArray, reveals: Reveals | None = None) -> dict[str, Any]:
    """Return a seat's view, JSON-able, as defined by messages.View.

    Args:
        game: The game.
        seat: The seat that received the observation.
        observation: The vector, as the environment gave it to this seat.
        reveals: All stances revealed in the fight; by default, the ones that the observation shows.
    """
    return view_codec(cast("HeartRush", game)).read(seat, observation, reveals)


def observation_of(game: Game, seat: str, view: View) -> FloatArray:
    """Return the vector in a view, or else the vector that its named fields describe.

    Raises:
        ProtocolError: `bad_view`, if the view does not fit the game.
    """
    codec = view_codec(cast("HeartRush", game))
    try:
        if view.observation is not None:
            return codec.checked(view.observation)
        return codec.write(seat, msgspec.to_builtins(view))
    except ViewError as problem:
        raise ProtocolError("bad_view", str(problem)) from None
