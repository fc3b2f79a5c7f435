"""A seat's view in messages: what encoding/view.py reads from an observation, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import msgspec

from heartrush_env.core.game import FloatArray, Game
from heartrush_env.heart_rush.encoding.view import Reveals, view_codec
from heartrush_env.heart_rush.encoding.view_start import ViewError
from heartrush_env.protocol.messages import ProtocolError, View

if TYPE_CHECKING:
    from heartrush_env.heart_rush.game import HeartRush


def view_of(game: Game, seat: str, observation: FloatArray, reveals: Reveals | None = None) -> dict[str, Any]:
    """What a seat may see, JSON-able, as messages.View describes it.

    Args:
        game: What is played.
        seat: Whose observation it is.
        observation: The vector, as the environment gave it to this seat.
        reveals: All stances revealed in the fight; what the observation shows of them, unless given.
    """
    return view_codec(cast("HeartRush", game)).read(seat, observation, reveals)


def observation_of(game: Game, seat: str, view: View) -> FloatArray:
    """The vector that a view brings, or else the one that its named fields stand for.

    Raises:
        ProtocolError: `bad_view`; it does not fit the game.
    """
    codec = view_codec(cast("HeartRush", game))
    try:
        if view.observation is not None:
            return codec.checked(view.observation)
        return codec.write(seat, msgspec.to_builtins(view))
    except ViewError as problem:
        raise ProtocolError("bad_view", str(problem)) from None
