"""Canvas, films and windows for pictures of any game. Each game provides its own drawing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from heartrush_env.tabletop.errors import HeartRushError

if TYPE_CHECKING:
    from heartrush_env.tabletop.render.window import Window

__all__ = ["NEEDED", "new_window"]

NEEDED = "Pictures need the extra render: pip install 'heartrush-env[render]'."


def new_window(caption: str = "Heart Rush") -> Window:
    """Open a window that shows pictures; see `heartrush_env.tabletop.render.window`."""
    try:
        from heartrush_env.tabletop.render.window import Window
    except ImportError:
        raise HeartRushError(NEEDED) from None
    return Window(caption)
