"""Pictures of fights, drawn from plain data that contains nothing hidden."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.render import NEEDED

if TYPE_CHECKING:
    from heartrush_env.games.heart_rush.board.board import Board

__all__ = ["new_board"]


def new_board(size: tuple[int, int] | None = None, names: Mapping[str, str] | None = None, **settings: int) -> Board:
    """Return a board that draws one fight step by step; see `heartrush_env.games.heart_rush.board.board`.

    Raises:
        HeartRushError: The extra `render` is not installed.
    """
    try:
        from heartrush_env.games.heart_rush.board.board import Board
    except ImportError:
        raise HeartRushError(NEEDED) from None
    return Board(size, names, **settings)
