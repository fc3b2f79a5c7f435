"""Pictures of a fight: the map from above, or without a map the two sides in rows; drawn with NumPy alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from heartrush_env.tabletop.game import Event, Moment, Picture

SQUARE: Final = 24  # pixels
EDGE, BAR = 3, 4  # pixels around a fighter, and of the height of its hit points
GROUND: Final = {
    ".": (222, 214, 196), "#": (74, 70, 66), "~": (96, 140, 190), "^": (190, 176, 140), "*": (214, 120, 60),
}  # fmt: skip
COLORS: Final = ((52, 84, 160), (168, 52, 48))  # of the sides
DOWN, FULL, LOST = (150, 146, 138), (60, 150, 70), (60, 56, 52)  # a fighter that is out; hit points left and lost
WIDEST: Final = 10  # fighters of a side


class Board:
    """Draws the moments of one fight."""

    exact = (*GROUND.values(), *COLORS, DOWN, FULL, LOST)
    blows = ("attack", "damage", "out")

    def draw(self, view: Mapping[str, Any], events: Sequence[Event], when: Moment) -> Picture:
        """Return the picture of a moment."""
        rows = view.get("map", ["." * WIDEST, "." * WIDEST])
        picture = np.zeros((len(rows) * SQUARE, len(rows[0]) * SQUARE, 3), np.uint8)
        for y, row in enumerate(rows):
            for x, glyph in enumerate(row):
                picture[_square(x, y, 1)] = GROUND[glyph]
        sides = list(dict.fromkeys(shown["side"] for shown in view["fighters"]))
        placed = [0, 0]
        for shown in sorted(view["fighters"], key=lambda shown: bool(shown["status"] == "able")):
            side = sides.index(shown["side"])
            x, y = shown.get("at", (placed[side], side))
            placed[side] += 1
            if shown["status"] in ("able", "out"):
                _draw_fighter(picture, x, y, shown, COLORS[side])
        return picture

    def glide(self, view: Mapping[str, Any], events: Sequence[Event], when: Moment) -> list[Picture]:
        """Return no pictures between two moments."""
        return []

    def hear(self, events: Sequence[Event], when: Moment) -> None:
        """Do nothing: every picture shows one moment alone."""


def _square(x: int, y: int, edge: int) -> tuple[slice, slice]:
    """Return the pixels of a square, except for an edge."""
    return slice(y * SQUARE + edge, (y + 1) * SQUARE - edge), slice(x * SQUARE + edge, (x + 1) * SQUARE - edge)


def _draw_fighter(picture: Picture, x: int, y: int, shown: Mapping[str, Any], color: tuple[int, int, int]) -> None:
    """Draw a fighter as a block in the color of its side, with its hit points below."""
    rows, columns = _square(x, y, EDGE)
    picture[rows, columns] = color if shown["status"] == "able" else DOWN
    bar = slice(rows.stop - BAR, rows.stop)
    wide = columns.stop - columns.start
    left = wide * shown["hp"] // max(1, shown["hp_max"])
    picture[bar, columns] = LOST
    picture[bar, columns.start : columns.start + left] = FULL
