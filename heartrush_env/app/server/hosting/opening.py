"""The games of hosted fights, opened from requests and from the store; many fights of one scenario share its game."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import msgspec

from heartrush_env.app.engine import read_game
from heartrush_env.app.server.hosting.messages import HostError
from heartrush_env.protocol.fields import GameFields
from heartrush_env.protocol.messages import ProtocolError
from heartrush_env.tabletop.game import Game
from heartrush_env.tabletop.text import show

MOST_GAMES: Final = 64  # that are kept


class Opener:
    """An opener of games, which keeps those that it has opened last."""

    def __init__(self) -> None:
        """Keep no game yet."""
        self.stored = lru_cache(MOST_GAMES)(_stored)

    def asked(self, fields: GameFields) -> tuple[str, Game]:
        """Return the field `game` of a request as the store keeps it, and its game.

        Raises:
            HostError: There is no such game, or it has no seat for each fighter.
        """
        text = msgspec.json.encode(fields).decode()
        try:
            game = self.stored(text)
        except ProtocolError as problem:
            raise HostError("bad_field", str(problem).removeprefix("act: ")) from None
        if game.options["control"] != "fighter":
            found = show(game.options["control"])
            raise HostError(
                "bad_field", f"game: control: expected fighter, since each fighter has a seat, got {found}."
            )
        return text, game


def _stored(text: str) -> Game:
    """Return the game of a field `game` in the store."""
    return read_game(msgspec.json.decode(text, type=GameFields))
