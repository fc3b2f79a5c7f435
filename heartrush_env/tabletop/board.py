"""Pictures of a fight, in color and in text: the map from above or, without a map, the two sides in rows.

They need these public facts of a fight: "round", "window", "side", "fighters", and "map" if there is one. While a
fight goes on in beats of both sides, "beat" is the number of the beat; otherwise it is 0 or absent. A fighter has
"fighter", "side", "status" ("able" while it fights), "hp", "hp_max", and "at" on a map.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from string import ascii_uppercase
from typing import Any, Final

import numpy as np

from heartrush_env.tabletop.game import Event, Moment, Picture

Color = tuple[int, int, int]
SQUARE: Final = 24  # pixels
EDGE, BAR = 3, 4  # pixels: the gap around a fighter, and the height of its bar of hit points
COLORS: Final = ((52, 84, 160), (168, 52, 48))  # of the sides
DOWN, FULL, LOST = (150, 146, 138), (60, 150, 70), (60, 56, 52)  # a fighter that is out; hit points left and lost
WIDEST: Final = 10  # squares in a row without a map: the most fighters of a side
NAME: Final = 18  # characters of a name in a text picture
OPEN: Final = "."  # the glyph of open ground


class SquareBoard:
    """A board that draws the moments of one fight, with NumPy alone."""

    def __init__(self, ground: Mapping[str, Color], shown: Sequence[str], blows: tuple[str, ...]) -> None:
        """Make a board.

        Args:
            ground: The color of each glyph of a map.
            shown: The statuses of the fighters that are drawn.
            blows: The types of events that a viewer should have time to see.
        """
        self._ground, self._shown, self.blows = ground, shown, blows
        self.exact = (*ground.values(), *COLORS, DOWN, FULL, LOST)

    def draw(self, view: Mapping[str, Any], events: Sequence[Event], when: Moment) -> Picture:
        """Return the picture of a moment."""
        rows = view.get("map", [OPEN * WIDEST, OPEN * WIDEST])
        picture = np.zeros((len(rows) * SQUARE, len(rows[0]) * SQUARE, 3), np.uint8)
        for y, row in enumerate(rows):
            for x, glyph in enumerate(row):
                picture[_square(x, y, 1)] = self._ground[glyph]
        sides = list(dict.fromkeys(shown["side"] for shown in view["fighters"]))
        placed = [0, 0]
        for shown in sorted(view["fighters"], key=lambda shown: bool(shown["status"] == "able")):
            side = sides.index(shown["side"])
            x, y = shown.get("at", (placed[side], side))
            placed[side] += 1
            if shown["status"] in self._shown:
                _draw_fighter(picture, x, y, shown, COLORS[side])
        return picture

    def glide(self, view: Mapping[str, Any], events: Sequence[Event], when: Moment) -> list[Picture]:
        """Return an empty list: there are no pictures between two moments."""
        return []

    def record_step(self, events: Sequence[Event], when: Moment) -> None:
        """Do nothing: every picture shows one moment alone."""


def _square(x: int, y: int, edge: int) -> tuple[slice, slice]:
    """Return the slices of a square's pixels, without an edge of `edge` pixels."""
    return slice(y * SQUARE + edge, (y + 1) * SQUARE - edge), slice(x * SQUARE + edge, (x + 1) * SQUARE - edge)


def _draw_fighter(picture: Picture, x: int, y: int, shown: Mapping[str, Any], color: Color) -> None:
    """Draw a fighter as a block in the color of its side, with its hit points below."""
    rows, columns = _square(x, y, EDGE)
    picture[rows, columns] = color if shown["status"] == "able" else DOWN
    bar = slice(rows.stop - BAR, rows.stop)
    wide = columns.stop - columns.start
    left = wide * shown["hp"] // max(1, shown["hp_max"])
    picture[bar, columns] = LOST
    picture[bar, columns.start : columns.start + left] = FULL


def text_picture(
    view: Mapping[str, Any], words_of: Callable[[Mapping[str, Any]], str], names: Mapping[str, str]
) -> str:
    """Return a fight as lines of text: the map with a letter for each able fighter, then a line for each fighter.

    Columns and rows of the map are numbered from 0; above a column is the last digit of its number.

    Args:
        view: The public facts of the fight.
        words_of: Returns the words that follow a fighter's hit points on its line.
        names: The display names of the fighters; the fighter's id replaces a name that is too long for its column.
    """
    window, beat = view["window"].replace("_", " "), view.get("beat")
    in_beat = f"beat {beat}" if window == "beat" else f"beat {beat}, {window}"
    lines = [in_beat if beat else f"round {view['round']}, {window}, {view['side']} acts"]
    marks = dict(zip([shown["fighter"] for shown in view["fighters"]], ascii_uppercase, strict=False))
    if "map" in view:
        rows = [list(row) for row in view["map"]]
        for shown in view["fighters"]:
            if shown["status"] == "able":
                x, y = shown["at"]
                rows[y][x] = marks[shown["fighter"]]
        lines.append("   " + "".join(str(x % 10) for x in range(len(rows[0]))))
        lines += [f"{y:2} {''.join(row)}" for y, row in enumerate(rows)]
    for shown in view["fighters"]:
        id, hp = shown["fighter"], f"{shown['hp']}/{shown['hp_max']}"
        name = names[id] if len(names[id]) <= NAME else id
        lines.append(f"{marks[id]} {name:<{NAME}} {hp:>5}  {words_of(shown)}".rstrip())
    return "\n".join(lines)
