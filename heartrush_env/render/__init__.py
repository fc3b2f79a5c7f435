"""Pictures of fights, drawn from plain data that holds nothing hidden."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from heartrush_env.core.errors import HeartRushError

if TYPE_CHECKING:
    from heartrush_env.render.board import Board
    from heartrush_env.render.window import Window

__all__ = ["new_board", "new_window"]

NEEDED = "Pictures need the extra render: pip install 'heartrush-env[render]'."


def new_board(size: tuple[int, int] | None = None, names: Mapping[str, str] | None = None, **settings: int) -> Board:
    """What draws a fight, step by step; see `heartrush_env.render.board`."""
    try:
        from heartrush_env.render.board import Board
    except ImportError:
        raise HeartRushError(NEEDED) from None
    return Board(size, names, **settings)


def new_window(caption: str = "Heart Rush") -> Window:
    """A window that shows pictures; see `heartrush_env.render.window`."""
    try:
        from heartrush_env.render.window import Window
    except ImportError:
        raise HeartRushError(NEEDED) from None
    return Window(caption)
