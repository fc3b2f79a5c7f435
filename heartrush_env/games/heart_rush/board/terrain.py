"""The ground of a battlefield, drawn so that each kind of terrain is recognisable by colour and by shape."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final

from heartrush_env.games.heart_rush.board.theme import shade
from heartrush_env.games.heart_rush.scenario.battlefield import SIDES
from heartrush_env.tabletop.render.canvas import Pen, Point
from heartrush_env.tabletop.render.ink import Color

FLOOR: Final[Color] = (214, 204, 182)
STONE: Final[Color] = (74, 72, 78)
ROCK: Final[Color] = (132, 126, 122)
LEAF: Final[Color] = (96, 138, 82)
HILL: Final[Color] = (188, 164, 116)
DEPTH: Final[Color] = (30, 28, 36)
SHALLOW: Final[Color] = (138, 188, 204)
DEEP: Final[Color] = (62, 112, 158)
WOOD: Final[Color] = (132, 84, 46)


def paint_ground(pen: Pen, rows: Sequence[str], origin: Point, tile: float) -> None:
    """Draw all squares of a map."""
    ground = _Ground(pen, rows, origin, tile)
    for y, row in enumerate(rows):
        for x, glyph in enumerate(row):
            ground.base(x, y, glyph)
    ground.grid()
    for y, row in enumerate(rows):
        for x, glyph in enumerate(row):
            if glyph in _DETAILS:
                _DETAILS[glyph](ground, x, y)


class _Ground:
    """The context for painting the squares of a map."""

    def __init__(self, pen: Pen, rows: Sequence[str], origin: Point, tile: float) -> None:
        self.pen, self.rows, self.origin, self.tile = pen, rows, origin, tile

    def at(self, x: float, y: float) -> Point:
        """Return the pixel at a point of the map; whole numbers are corners of squares."""
        return self.origin[0] + x * self.tile, self.origin[1] + y * self.tile

    def glyph(self, x: int, y: int) -> str:
        """Return the square's glyph, or that of a wall outside the map."""
        return self.rows[y][x] if 0 <= y < len(self.rows) and 0 <= x < len(self.rows[0]) else "#"

    def chance(self, x: int, y: int, number: int) -> float:
        """Return a pseudo-random number from 0 to 1, always the same for a square and `number`."""
        return math.sin(x * 127.1 + y * 311.7 + number * 74.7) * 43758.5453 % 1

    def fill(self, x: int, y: int, color: Color) -> None:
        """Fill the square with one colour."""
        left, top = self.at(x, y)
        self.pen.box(left, top, self.tile + 0.5, self.tile + 0.5, color)

    def base(self, x: int, y: int, glyph: str) -> None:
        """Fill a square with its background colour."""
        plain = {
            ":": shade(FLOOR, -0.2),
            "#": STONE,
            "^": HILL,
            "v": DEPTH,
            "~": SHALLOW,
            "w": DEEP,
            ",": shade(FLOOR, -0.12),
        }
        self.fill(x, y, shade(plain.get(glyph, FLOOR), 0.05 * self.chance(x, y, 0) - 0.025))

    def grid(self) -> None:
        """Draw thin lines between squares."""
        width, height = len(self.rows[0]), len(self.rows)
        for x in range(1, width):
            for y in range(height):
                if self.glyph(x, y) not in "#v" or self.glyph(x - 1, y) not in "#v":
                    self.pen.line(self.at(x, y), self.at(x, y + 1), shade(FLOOR, -0.22), 0.5)
        for y in range(1, height):
            for x in range(width):
                if self.glyph(x, y) not in "#v" or self.glyph(x, y - 1) not in "#v":
                    self.pen.line(self.at(x, y), self.at(x + 1, y), shade(FLOOR, -0.22), 0.5)

    def edges(self, x: int, y: int) -> list[tuple[tuple[int, int], Point, Point]]:
        """Return the sides of a square where its kind of ground ends: outward direction and both end points."""
        found = []
        for dx, dy in SIDES:
            there = (x + dx, y + dy)
            inside = 0 <= there[0] < len(self.rows[0]) and 0 <= there[1] < len(self.rows)
            if inside and self.glyph(*there) != self.glyph(x, y):
                left, top = x + max(dx, 0), y + max(dy, 0)
                found.append(((dx, dy), self.at(left, top), self.at(left + abs(dy), top + abs(dx))))
        return found


def _wall(ground: _Ground, x: int, y: int) -> None:
    """Draw masonry, lighter along its edges."""
    for row in range(2):
        level = y + 0.5 * row
        ground.pen.line(ground.at(x, level), ground.at(x + 1, level), shade(STONE, -0.18), 0.8)
        joint = x + 0.25 + 0.5 * row
        ground.pen.line(ground.at(joint, level), ground.at(joint, level + 0.5), shade(STONE, -0.18), 0.8)
    for _, start, end in ground.edges(x, y):
        ground.pen.line(start, end, shade(STONE, 0.35), 1.4)


def _pillar(ground: _Ground, x: int, y: int) -> None:
    """Draw a round column, seen from above."""
    middle = ground.at(x + 0.5, y + 0.5)
    ground.pen.disc(ground.at(x + 0.56, y + 0.58), 0.42 * ground.tile, shade(FLOOR, -0.35))
    ground.pen.disc(middle, 0.4 * ground.tile, STONE)
    ground.pen.disc(ground.at(x + 0.46, y + 0.46), 0.3 * ground.tile, shade(STONE, 0.25))


def _rough(ground: _Ground, x: int, y: int) -> None:
    """Draw scattered stones."""
    for k in range(5):
        at = ground.at(x + 0.15 + 0.7 * ground.chance(x, y, 2 * k), y + 0.15 + 0.7 * ground.chance(x, y, 2 * k + 1))
        ground.pen.disc(at, ground.tile * (0.05 + 0.05 * ground.chance(x, y, k + 20)), shade(FLOOR, -0.38))


def _rubble(ground: _Ground, x: int, y: int) -> None:
    """Draw blocks of fallen stone."""
    for k in range(6):
        left = x + 0.08 + 0.64 * ground.chance(x, y, 3 * k)
        top = y + 0.08 + 0.64 * ground.chance(x, y, 3 * k + 1)
        size = (0.14 + 0.12 * ground.chance(x, y, 3 * k + 2)) * ground.tile
        ground.pen.box(*ground.at(left + 0.03, top + 0.04), size, size, shade(FLOOR, -0.5))
        ground.pen.box(*ground.at(left, top), size, size, shade(ROCK, 0.2 * ground.chance(x, y, k + 40)))


def _light_cover(ground: _Ground, x: int, y: int) -> None:
    """Draw a bush."""
    for k, (dx, dy, size) in enumerate(((0.36, 0.6, 0.24), (0.64, 0.62, 0.22), (0.5, 0.38, 0.26))):
        at = ground.at(x + dx, y + dy)
        ground.pen.disc((at[0] + 1, at[1] + 1), size * ground.tile, shade(LEAF, -0.4))
        ground.pen.disc(at, size * ground.tile, shade(LEAF, 0.08 * k))


def _heavy_cover(ground: _Ground, x: int, y: int) -> None:
    """Draw a boulder."""
    corners = [(x + 0.5 + dx, y + 0.5 + dy) for dx, dy in ((-0.4, 0.1), (-0.24, -0.32), (0.14, -0.4), (0.4, -0.08),
                                                           (0.34, 0.3), (-0.16, 0.38))]  # fmt: skip
    ground.pen.shape([ground.at(a + 0.05, b + 0.06) for a, b in corners], shade(FLOOR, -0.4))
    ground.pen.shape([ground.at(a, b) for a, b in corners], ROCK)
    ground.pen.shape([ground.at(*corners[k]) for k in (0, 1, 2)] + [ground.at(x + 0.5, y + 0.44)], shade(ROCK, 0.25))


def _superior_cover(ground: _Ground, x: int, y: int) -> None:
    """Draw a battlement with its slit."""
    left, top = ground.at(x + 0.12, y + 0.12)
    ground.pen.box(left, top, 0.76 * ground.tile, 0.76 * ground.tile, shade(ROCK, -0.15), round=0.1 * ground.tile)
    left, top = ground.at(x + 0.18, y + 0.18)
    ground.pen.box(left, top, 0.64 * ground.tile, 0.64 * ground.tile, shade(ROCK, 0.3), round=0.08 * ground.tile)
    left, top = ground.at(x + 0.44, y + 0.24)
    ground.pen.box(left, top, 0.12 * ground.tile, 0.52 * ground.tile, DEPTH)


def _height(ground: _Ground, x: int, y: int) -> None:
    """Draw the edges of high ground, with short strokes that indicate the slope."""
    for (dx, dy), start, end in ground.edges(x, y):
        ground.pen.line(start, end, shade(HILL, -0.35), 1.6)
        for k in range(1, 4):
            a = start[0] + (end[0] - start[0]) * k / 4, start[1] + (end[1] - start[1]) * k / 4
            b = a[0] - 0.2 * ground.tile * dx, a[1] - 0.2 * ground.tile * dy
            ground.pen.line(a, b, shade(HILL, -0.28), 1)


def _drop(ground: _Ground, x: int, y: int) -> None:
    """Draw an edge, and the depth below it."""
    for (dx, dy), start, end in ground.edges(x, y):
        for k in range(4):
            inward = (k + 0.5) * 0.07 * ground.tile
            a = start[0] - inward * dx, start[1] - inward * dy
            b = end[0] - inward * dx, end[1] - inward * dy
            ground.pen.line(a, b, shade(DEPTH, 0.3 - 0.08 * k), 0.08 * ground.tile)
        ground.pen.line(start, end, shade(FLOOR, -0.5), 1.6)


def _water(ground: _Ground, x: int, y: int) -> None:
    """Draw ripples."""
    color = shade(DEEP, 0.22) if ground.glyph(x, y) == "w" else shade(SHALLOW, 0.35)
    for k in range(2):
        left = x + 0.15 + 0.3 * ground.chance(x, y, k)
        level = y + 0.3 + 0.4 * k
        ground.pen.line(ground.at(left, level), ground.at(left + 0.18, level - 0.06), color, 1)
        ground.pen.line(ground.at(left + 0.18, level - 0.06), ground.at(left + 0.36, level), color, 1)


def _door(ground: _Ground, x: int, y: int) -> None:
    """Draw a door leaf across the opening of a wall, or swung out of the way."""
    across = ground.glyph(x - 1, y) in "#o" or ground.glyph(x + 1, y) in "#o"
    if ground.glyph(x, y) == "/":
        start, end = (
            ((x + 0.08, y + 0.05), (x + 0.08, y + 0.95)) if across else ((x + 0.05, y + 0.08), (x + 0.95, y + 0.08))
        )
    else:
        start, end = ((x, y + 0.5), (x + 1, y + 0.5)) if across else ((x + 0.5, y), (x + 0.5, y + 1))
    ground.pen.line(ground.at(*start), ground.at(*end), shade(WOOD, -0.4), 0.3 * ground.tile)
    ground.pen.line(ground.at(*start), ground.at(*end), WOOD, 0.2 * ground.tile)


_DETAILS: Final[dict[str, Callable[[_Ground, int, int], None]]] = {
    "#": _wall, "o": _pillar, ",": _rough, "l": _light_cover, "h": _heavy_cover, "s": _superior_cover, "^": _height,
    "v": _drop, "~": _water, "w": _water, "+": _door, "/": _door, ":": _rubble,
}  # fmt: skip
