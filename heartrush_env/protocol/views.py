"""A seat's view in messages: named fields that are made from an observation, and converted back into one."""

from __future__ import annotations

from typing import Any

from heartrush_env.protocol.messages import ProtocolError
from heartrush_env.tabletop.game import FloatArray, Game
from heartrush_env.tabletop.structs import msgspec
from heartrush_env.tabletop.views import Reveals, ViewError, views_of


def view_of(game: Game, seat: str, observation: FloatArray, reveals: Reveals | None = None) -> dict[str, Any]:
    """Return a seat's view as JSON-able data.

    Args:
        game: The game.
        seat: The seat that received the observation.
        observation: The vector, as the environment gave it to this seat.
        reveals: All stances revealed in the fight; by default, the ones that the observation shows.
    """
    return views_of(game).read(seat, observation, reveals)


def observation_of(game: Game, seat: str, view: Any) -> FloatArray:
    """Return the vector in a view, or else the vector that its named fields describe.

    Args:
        game: The game.
        seat: The seat whose view it is.
        view: The view, of the game's own type of views (fields.view_type).

    Raises:
        ProtocolError: `bad_view`, if the view does not fit the game.
    """
    views, fields = views_of(game), msgspec.to_builtins(view)
    try:
        if fields.get("observation") is not None:
            return views.checked(fields["observation"])
        return views.write(seat, fields)
    except ViewError as problem:
        raise ProtocolError("bad_view", str(problem)) from None
