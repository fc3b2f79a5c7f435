"""The map: its squares, how far apart spaces are, lines of sight and cover, all in whole numbers and by brute force."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import NamedTuple

WALL_LIKE = "#o+"
"""Nobody enters these and no line passes: walls, pillars, closed doors."""

COSTS = {".": 1, ",": 2, "l": 1, "h": 2, "s": 2, "^": 1, "v": 1, "~": 1, "w": 4, "/": 1}
DECLARED_COVER = {"l": 1, "h": 2, "s": 3}
HEIGHTS = {"^": 1, "v": -1}
NO_LINE = 4
"""So many blocked lines: out of sight."""

STEPS = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
"""The eight directions, from north on, clockwise."""

DIRECTIONS = ("n", "ne", "e", "se", "s", "sw", "w", "nw")
"""What they are called."""

Square = tuple[int, int]
Point = tuple[int, int]
"""A point of the plane in halves of a square's side, so that centres are whole numbers too."""


class Space(NamedTuple):
    """The squares that a body fills: the top-left one and how many there are on a side."""

    x: int
    y: int
    side: int

    @property
    def place(self) -> Square:
        """The top-left square."""
        return (self.x, self.y)

    @property
    def squares(self) -> tuple[Square, ...]:
        """All its squares, row by row."""
        return _squares_of(self)

    @property
    def corners(self) -> list[Point]:
        """Its four corners."""
        left, top, right, bottom = 2 * self.x, 2 * self.y, 2 * (self.x + self.side), 2 * (self.y + self.side)
        return [(left, top), (right, top), (left, bottom), (right, bottom)]

    @property
    def centre(self) -> Point:
        """Its middle."""
        return (2 * self.x + self.side, 2 * self.y + self.side)

    def moved(self, dx: int, dy: int) -> Space:
        """The same space elsewhere."""
        return Space(self.x + dx, self.y + dy, self.side)

    def overlaps(self, other: Space) -> bool:
        """Whether they share a square."""
        return bool(set(self.squares) & set(other.squares))


def square_distance(one: Square, other: Square) -> int:
    """A diagonal step costs as much as a straight one (R-14)."""
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


@cache
def distance(one: Space, other: Space) -> int:
    """From the nearest square of one to the nearest square of the other; 0 when they share one."""
    return min(square_distance(a, b) for a, b in product(one.squares, other.squares))


def crosses_inside(start: Point, end: Point, square: Square) -> bool:
    """Whether the line goes through the inside of the square; touching its rim is not enough."""
    left, top = 2 * square[0], 2 * square[1]
    right, bottom = left + 2, top + 2
    if max(start[0], end[0]) <= left or min(start[0], end[0]) >= right:
        return False
    if max(start[1], end[1]) <= top or min(start[1], end[1]) >= bottom:
        return False
    along = (end[0] - start[0], end[1] - start[1])
    turns = [
        along[0] * (y - start[1]) - along[1] * (x - start[0])
        for x, y in ((left, top), (right, top), (left, bottom), (right, bottom))
    ]
    return min(turns) < 0 < max(turns)


@cache
def _squares_of(space: Space) -> tuple[Square, ...]:
    return tuple((space.x + dx, space.y + dy) for dy, dx in product(range(space.side), repeat=2))


class Board:
    """The ground of a fight as it is now: doors may open and close."""

    def __init__(self, rows: Sequence[str], drop: int = 10, light: str = "bright") -> None:
        self.rows = [list(row) for row in rows]
        self.width, self.height = len(rows[0]), len(rows)
        self.drop = drop
        self.light = light
        self._covers: dict[tuple[Space, Space], tuple[int, int]] = {}

    def glyph(self, square: Square) -> str:
        """What the square is; everything outside the map is wall."""
        x, y = square
        return self.rows[y][x] if 0 <= x < self.width and 0 <= y < self.height else "#"

    def is_wall_like(self, square: Square) -> bool:
        """Wall, pillar, closed door or outside."""
        return self.glyph(square) in WALL_LIKE

    def set_door(self, square: Square, glyph: str) -> None:
        """Open or close a door."""
        self.rows[square[1]][square[0]] = glyph
        self._covers.clear()

    def fits(self, space: Space) -> bool:
        """Whether no square of the space is wall-like or outside."""
        return not any(self.is_wall_like(square) for square in space.squares)

    def wholly_on_drops(self, space: Space) -> bool:
        """Whether there is nothing to stand on."""
        return all(self.glyph(square) == "v" for square in space.squares)

    def all_places(self, side: int) -> list[Space]:
        """Every place for a space of that side, row by row."""
        columns, rows = range(self.width - side + 1), range(self.height - side + 1)
        return [Space(x, y, side) for y, x in product(rows, columns)]

    def passes_corner(self, space: Space, dx: int, dy: int) -> bool:
        """A diagonal step needs that not both ways around the corner are walled (R-65)."""
        return dx == 0 or dy == 0 or self.fits(space.moved(dx, 0)) or self.fits(space.moved(0, dy))

    # ---- height and water

    def height_of(self, space: Space) -> int:
        """The largest height over the space."""
        return max(HEIGHTS.get(self.glyph(square), 0) for square in space.squares)

    def water_of(self, space: Space) -> int:
        """2 with any square in deep water, else 1 with any in shallow water, else 0."""
        glyphs = {self.glyph(square) for square in space.squares}
        return 2 if "w" in glyphs else 1 if "~" in glyphs else 0

    # ---- lines

    def is_blocked(self, start: Point, end: Point, attacker: Space, target: Space) -> bool:
        """Whether a line crosses the inside of what blocks, or runs along an edge between two squares that block."""
        free = {*attacker.squares, *target.squares}

        def blocks(square: Square) -> bool:
            return self.is_wall_like(square) and square not in free

        low = [min(start[axis], end[axis]) // 2 for axis in (0, 1)]
        high = [max(start[axis], end[axis]) // 2 for axis in (0, 1)]
        nearby = product(range(low[0] - 1, high[0] + 1), range(low[1] - 1, high[1] + 1))
        if any(blocks(square) and crosses_inside(start, end, square) for square in nearby):
            return True
        if start[0] == end[0] and start[0] % 2 == 0:
            x = start[0] // 2
            return any(
                blocks((x - 1, y)) and blocks((x, y))
                for y in range(low[1], high[1] + 1)
                if max(2 * y, min(start[1], end[1])) < min(2 * y + 2, max(start[1], end[1]))
            )
        if start[1] == end[1] and start[1] % 2 == 0:
            y = start[1] // 2
            return any(
                blocks((x, y - 1)) and blocks((x, y))
                for x in range(low[0], high[0] + 1)
                if max(2 * x, min(start[0], end[0])) < min(2 * x + 2, max(start[0], end[0]))
            )
        return False

    def blocked_lines(self, attacker: Space, target: Space) -> int:
        """Of the lines to the target's corners, as many as are blocked from the attacker's best point (R-62)."""
        return self._cover(attacker, target)[0]

    def declared_cover(self, attacker: Space, target: Space) -> int:
        """The best cover that terrain declares for the target, but for what the attacker stands at (R-63)."""
        return self._cover(attacker, target)[1]

    def _cover(self, attacker: Space, target: Space) -> tuple[int, int]:
        if (attacker, target) not in self._covers:
            blocked, declared = self._count_blocked(attacker, target), self._find_declared(attacker, target)
            self._covers[attacker, target] = (blocked, declared)
        return self._covers[attacker, target]

    def _count_blocked(self, attacker: Space, target: Space) -> int:
        points = [*attacker.corners, attacker.centre]
        return min(
            sum(self.is_blocked(point, corner, attacker, target) for corner in target.corners) for point in points
        )

    def _find_declared(self, attacker: Space, target: Space) -> int:
        start, end = attacker.centre, target.centre
        counting = list(target.squares)
        for square in product(range(self.width), range(self.height)):
            if crosses_inside(start, end, square) and distance(attacker, Space(*square, 1)) > 1:
                counting.append(square)
        return max(DECLARED_COVER.get(self.glyph(square), 0) for square in counting)

    def in_sight(self, attacker: Space, target: Space) -> bool:
        """Whether one line at least is free."""
        return self.blocked_lines(attacker, target) < NO_LINE

    def cover(self, attacker: Space, target: Space) -> int:
        """Levels of disadvantage on shots, three at most as long as there is a line."""
        return min(3, max(self.blocked_lines(attacker, target), self.declared_cover(attacker, target)))
