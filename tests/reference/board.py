"""The map: squares, distances, lines of sight and cover, all in whole numbers and by brute force."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, product
from math import gcd, hypot
from typing import NamedTuple

WALL_LIKE = "#o+"
"""Walls, pillars and closed doors: no fighter enters them and no line of sight passes."""

COSTS = {".": 1, ",": 2, ":": 2, "l": 1, "h": 2, "s": 2, "^": 1, "v": 1, "~": 1, "w": 4, "/": 1}
DECLARED_COVER = {"l": 1, ":": 1, "h": 2, "s": 3}
HEIGHTS = {"^": 1, "v": -1}
NO_LINE = 4
"""With all four lines blocked, the target is out of sight."""

STEPS = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
"""The eight directions, clockwise from north."""

DIRECTIONS = ("n", "ne", "e", "se", "s", "sw", "w", "nw")
"""The names of the directions."""

Square = tuple[int, int]
Point = tuple[int, int]
"""A point of the plane in halves of a square's side, so that centres are whole numbers too."""
Line = tuple[int, int, int]
"""The points with a * x + b * y = c."""


class Ratio(NamedTuple):
    """Any point of the plane, as whole numbers: x / below, y / below."""

    x: int
    y: int
    below: int


class Space(NamedTuple):
    """The squares that a body fills: the top-left one and the number of squares on a side."""

    x: int
    y: int
    side: int

    @property
    def place(self) -> Square:
        """The top-left square."""
        return (self.x, self.y)

    @property
    def squares(self) -> tuple[Square, ...]:
        """All squares, row by row."""
        return _squares_of(self)

    @property
    def corners(self) -> list[Point]:
        """The four corners."""
        left, top, right, bottom = 2 * self.x, 2 * self.y, 2 * (self.x + self.side), 2 * (self.y + self.side)
        return [(left, top), (right, top), (left, bottom), (right, bottom)]

    @property
    def centre(self) -> Point:
        """The centre."""
        return (2 * self.x + self.side, 2 * self.y + self.side)

    def moved(self, dx: int, dy: int) -> Space:
        """Return the space shifted by some squares."""
        return Space(self.x + dx, self.y + dy, self.side)

    def overlaps(self, other: Space) -> bool:
        """Return whether the two spaces share a square."""
        return bool(set(self.squares) & set(other.squares))


def square_distance(one: Square, other: Square) -> int:
    """Return the distance of two squares; a diagonal step costs as much as a straight one (R-14)."""
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


def lies_between(space: Space, one: Space, other: Space) -> bool:
    """Return whether a line between a corner of one space and a corner of the other crosses the inside of `space`."""
    return any(
        crosses_inside(start, end, square) for start in one.corners for end in other.corners for square in space.squares
    )


@cache
def distance(one: Space, other: Space) -> int:
    """Return the distance between the nearest squares of two spaces; 0 if they share a square."""
    return min(square_distance(a, b) for a, b in product(one.squares, other.squares))


def crosses_inside(start: Point, end: Point, square: Square, unit: int = 2) -> bool:
    """Return whether the line crosses the inside of the square, which is `unit` wide; its rim does not count."""
    left, top = unit * square[0], unit * square[1]
    right, bottom = left + unit, top + unit
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


class Sight:
    """The lines between the attacker's space and the corners of the target's, past squares that block.

    The number of blocked lines can change only where the point in the attacker's space crosses a line that joins a
    corner of the target with a corner of a blocking square. These lines and the rim of the space cut it into cells.
    Since touching blocks nothing, what is in view from a cell is in view from its corners too, so those are tried.
    (A line along the edge of two squares is blocked, but then so are all lines close to it on either side.)
    """

    def __init__(self, attacker: Space, target: Space, blocking: frozenset[Square]) -> None:
        self.blocking = blocking
        self.left, self.top = 2 * attacker.x, 2 * attacker.y
        self.right, self.bottom = self.left + 2 * attacker.side, self.top + 2 * attacker.side
        self.from_five = [*attacker.corners, attacker.centre]
        self.corners = target.corners

    def points(self) -> Iterator[Ratio]:
        """Yield the points to try: five that usually suffice and, if a line from each is blocked, corners of cells."""
        five = [Ratio(x, y, 1) for x, y in self.from_five]
        yield from five
        if min(self.blocked_from(point) for point in five) > 0:
            yield from self._corners_of_cells()

    def blocked_from(self, point: Ratio) -> int:
        """Return how many of the four lines from this point are blocked."""
        return sum(self._is_blocked(point, corner) for corner in self.corners)

    def _corners_of_cells(self) -> Iterator[Ratio]:
        rim = [(1, 0, self.left), (1, 0, self.right), (0, 1, self.top), (0, 1, self.bottom)]
        seen = [corner for corner in self.corners if self._is_seen_from_rim(corner, rim)]
        lines = {line for corner in seen for line in self._lines_through(corner)}
        tried = {
            point for one, other in combinations([*rim, *sorted(lines)], 2) for point in self._crossing(one, other)
        }
        yield from tried

    def _is_seen_from_rim(self, corner: Point, rim: list[Line]) -> bool:
        """Return whether the corner is visible from the space: any line of sight to it continues to the rim."""
        lines = [*rim, *self._lines_through(corner)]
        return any(
            not self._is_blocked(point, corner)
            for edge, line in product(rim, lines)
            for point in self._crossing(edge, line)
        )

    def _lines_through(self, corner: Point) -> set[Line]:
        """Return the lines through the corner and a corner of a blocking square that meet the space."""
        cx, cy = corner
        found = set()
        for x, y in {(2 * x + dx, 2 * y + dy) for x, y in self.blocking for dx, dy in product((0, 2), repeat=2)}:
            a, b = y - cy, cx - x
            if (a, b) == (0, 0):
                continue
            shared = gcd(a, b) if (a, b) > (0, 0) else -gcd(a, b)
            a, b = a // shared, b // shared
            sides = [
                a * (px - cx) + b * (py - cy) for px, py in product((self.left, self.right), (self.top, self.bottom))
            ]
            if min(sides) <= 0 <= max(sides):
                found.add((a, b, a * cx + b * cy))
        return found

    def _crossing(self, one: Line, other: Line) -> Iterator[Ratio]:
        """Yield the point where two lines cross, if it is within the space."""
        (a, b, c), (d, e, f) = one, other
        below = a * e - d * b
        if below == 0:
            return
        x, y = c * e - f * b, a * f - d * c
        shared = gcd(x, y, below) * (1 if below > 0 else -1)
        point = Ratio(x // shared, y // shared, below // shared)
        if self.left * point.below <= point.x <= self.right * point.below and (
            self.top * point.below <= point.y <= self.bottom * point.below
        ):
            yield point

    def _is_blocked(self, point: Ratio, corner: Point) -> bool:
        """Return whether the line crosses a blocking square's inside or runs along the edge that two of them share."""
        start, unit = (point.x, point.y), 2 * point.below  # all scaled up by `below`
        end = (corner[0] * point.below, corner[1] * point.below)
        return any(
            crosses_inside(start, end, square, unit)
            or ((square[0] - 1, square[1]) in self.blocking and _runs_along(start, end, square, unit, 0))
            or ((square[0], square[1] - 1) in self.blocking and _runs_along(start, end, square, unit, 1))
            for square in self.blocking
        )


def _runs_along(start: Point, end: Point, square: Square, unit: int, axis: int) -> bool:
    """Return whether the line shares more than a point with the square's western (axis 0) or northern (axis 1) edge."""
    first, last = sorted((start[1 - axis], end[1 - axis]))
    begins = unit * square[1 - axis]
    return start[axis] == end[axis] == unit * square[axis] and max(begins, first) < min(begins + unit, last)


class Board:
    """The ground of a fight in its present state: doors may open and close."""

    def __init__(self, rows: Sequence[str], drop: int = 10, light: str = "bright") -> None:
        self.rows = [list(row) for row in rows]
        self.width, self.height = len(rows[0]), len(rows)
        self.drop = drop
        self.light = light
        self._covers: dict[tuple[Space, Space], tuple[int, int]] = {}

    def glyph(self, square: Square) -> str:
        """Return the glyph of the square; everything outside the map is wall."""
        x, y = square
        return self.rows[y][x] if 0 <= x < self.width and 0 <= y < self.height else "#"

    def is_wall_like(self, square: Square) -> bool:
        """Return whether the square is a wall, a pillar, a closed door or outside the map."""
        return self.glyph(square) in WALL_LIKE

    def walled_sides(self, space: Space) -> int:
        """Return on how many of its four sides the space touches a wall-like square."""
        shifted = [space.moved(dx, dy) for dx, dy in ((-1, 0), (1, 0), (0, -1), (0, 1))]
        return sum(any(self.is_wall_like(square) for square in other.squares) for other in shifted)

    def is_in_cone(self, start: Space, aim: Space, space: Space) -> bool:
        """Return whether the centre of the space is in the cone from one centre toward another (R-139).

        At each distance the cone is as wide as it is long: half of the distance to either side of its axis.
        """
        (x, y), (ax, ay), (sx, sy) = start.centre, aim.centre, space.centre
        axis = hypot(ax - x, ay - y)
        if axis == 0:
            return False
        ahead = ((ax - x) * (sx - x) + (ay - y) * (sy - y)) / axis
        aside = abs((ax - x) * (sy - y) - (ay - y) * (sx - x)) / axis
        return ahead > 0 and aside <= ahead / 2 + 1e-9

    def is_beside_wall(self, space: Space) -> bool:
        """Return whether a wall-like square touches the space."""
        columns, rows = range(space.x - 1, space.x + space.side + 1), range(space.y - 1, space.y + space.side + 1)
        return any(self.is_wall_like((x, y)) for y in rows for x in columns)

    def set_door(self, square: Square, glyph: str) -> None:
        """Open or close a door, or change a square in another way."""
        self.rows[square[1]][square[0]] = glyph
        self._covers.clear()

    def fits(self, space: Space) -> bool:
        """Return whether no square of the space is wall-like or outside."""
        return not any(self.is_wall_like(square) for square in space.squares)

    def wholly_on_drops(self, space: Space) -> bool:
        """Return whether every square of the space is a drop."""
        return all(self.glyph(square) == "v" for square in space.squares)

    def all_places(self, side: int) -> list[Space]:
        """Return every place for a space of that side, row by row."""
        columns, rows = range(self.width - side + 1), range(self.height - side + 1)
        return [Space(x, y, side) for y, x in product(rows, columns)]

    def passes_corner(self, space: Space, dx: int, dy: int) -> bool:
        """Return whether a step passes the corner: of a diagonal step's two ways around, one must be open (R-65)."""
        return dx == 0 or dy == 0 or self.fits(space.moved(dx, 0)) or self.fits(space.moved(0, dy))

    # ---- height and water

    def height_of(self, space: Space) -> int:
        """Return the largest height in the space."""
        return max(HEIGHTS.get(self.glyph(square), 0) for square in space.squares)

    def water_of(self, space: Space) -> int:
        """Return 2 if any square is deep water, else 1 if any is shallow water, else 0."""
        glyphs = {self.glyph(square) for square in space.squares}
        return 2 if "w" in glyphs else 1 if "~" in glyphs else 0

    # ---- lines

    def blocked_lines(self, attacker: Space, target: Space) -> int:
        """Return how many lines to the target's corners are blocked from the attacker's best point (R-62)."""
        return self._cover(attacker, target)[0]

    def declared_cover(self, attacker: Space, target: Space) -> int:
        """Return the best cover that terrain declares for the target, except terrain next to the attacker (R-63)."""
        return self._cover(attacker, target)[1]

    def _cover(self, attacker: Space, target: Space) -> tuple[int, int]:
        if (attacker, target) not in self._covers:
            blocked, declared = self._count_blocked(attacker, target), self._find_declared(attacker, target)
            self._covers[attacker, target] = (blocked, declared)
        return self._covers[attacker, target]

    def _count_blocked(self, attacker: Space, target: Space) -> int:
        sight = Sight(attacker, target, self.blocking_near(attacker, target))
        return min(sight.blocked_from(point) for point in sight.points())

    def blocking_near(self, attacker: Space, target: Space) -> frozenset[Square]:
        """Return the blocking squares in or next to the rectangle around both spaces, except squares of the spaces."""
        free = {*attacker.squares, *target.squares}
        columns, rows = (
            range(min(attacker[axis], target[axis]) - 1, max(s[axis] + s.side for s in (attacker, target)) + 1)
            for axis in (0, 1)
        )
        return frozenset(square for square in product(columns, rows) if self.is_wall_like(square)) - free

    def _find_declared(self, attacker: Space, target: Space) -> int:
        start, end = attacker.centre, target.centre
        counting = list(target.squares)
        for square in product(range(self.width), range(self.height)):
            if crosses_inside(start, end, square) and distance(attacker, Space(*square, 1)) > 1:
                counting.append(square)
        return max(DECLARED_COVER.get(self.glyph(square), 0) for square in counting)

    def in_sight(self, attacker: Space, target: Space) -> bool:
        """Return whether at least one line is free."""
        return self.blocked_lines(attacker, target) < NO_LINE

    def cover(self, attacker: Space, target: Space) -> int:
        """Return the levels of disadvantage on shots, three at most while one line is free."""
        return min(3, max(self.blocked_lines(attacker, target), self.declared_cover(attacker, target)))
