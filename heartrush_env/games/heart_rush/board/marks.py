"""Marks used on tokens and in rows: a fighter's letters, a stance, a heart die."""

from __future__ import annotations

from typing import Final

from heartrush_env.games.heart_rush.board.theme import STANCE_COLORS
from heartrush_env.tabletop.render.canvas import Pen, Point, around, width_of
from heartrush_env.tabletop.render.ink import INK

DIE_CORNERS: Final = {4: 3, 6: 4, 8: 4, 10: 5, 12: 6, 20: 8}


def draw_label(pen: Pen, letters: str, at: Point, radius: float, size: int) -> None:
    """Draw a fighter's letters in its disc, smaller if there are many."""
    while size > 10 and width_of(letters, size) > 1.7 * radius:
        size -= 1
    pen.write(letters, (at[0], at[1] + 0.5), size, (255, 255, 255), "center")


def draw_stance_badge(pen: Pen, at: Point, radius: float, stance: str) -> None:
    """Draw a stance as a letter in its colour."""
    pen.disc(at, radius + 1.2, INK)
    pen.disc(at, radius, STANCE_COLORS[stance])
    if radius >= 6:
        pen.write(stance[0].upper(), (at[0], at[1] + 0.5), round(1.75 * radius), (255, 255, 255), "center")


def draw_die(pen: Pen, at: Point, radius: float, sides: int) -> None:
    """Draw the current heart die."""
    turn = 0.5 / 4 if sides == 6 else 0
    pen.shape(around(at, radius + 1.4, DIE_CORNERS[sides], turn), INK)
    pen.shape(around(at, radius, DIE_CORNERS[sides], turn), (196, 44, 66))
    pen.write(
        str(sides), (at[0], at[1] + (1.5 if sides == 4 else 0.5)), 14 if radius < 9.5 else 16, (255, 255, 255), "center"
    )
