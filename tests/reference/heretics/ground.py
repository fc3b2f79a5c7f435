"""The ground of a fight, by sections 3 and 18 of the rule text: squares, paths and lines of sight."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction
from typing import Any

Square = tuple[int, int]
DIRECTIONS = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))  # N NE E SE S SW W NW
HAZARDS = {"^": 4, "*": 6}  # the die of each
HAZARD_DICE = {"^": "small_dice", "*": "fire_dice"}  # the keys of a battlefield that give them more dice


def apart(one: Square, other: Square) -> int:
    """Return how many squares two squares are apart; a diagonal counts as one."""
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


class Ground:
    """A map."""

    def __init__(self, field: Mapping[str, Any]) -> None:
        rows, exits = field["map"], field.get("exits")
        self.rows = list(rows)
        self.counted: dict[tuple[Square, Square], int] = {}  # the blocked lines from square to square
        self.dice = {glyph: field.get(key, 1) for glyph, key in HAZARD_DICE.items()}
        self.squares = [(x, y) for y, row in enumerate(rows) for x in range(len(row))]
        self.walls = {(x, y) for x, y in self.squares if rows[y][x] == "#"}
        self.barred = {(x, y) for x, y in self.squares if rows[y][x] in "#~"}
        last_x, last_y = len(rows[0]) - 1, len(rows) - 1
        edge = [(x, y) for x, y in self.squares if x in (0, last_x) or y in (0, last_y)]
        given = edge if exits is None else [(x, y) for x, y in exits]
        self.exits = [square for square in given if square not in self.barred]

    def hazard(self, square: Square) -> tuple[int, int]:
        """Return the number of dice of the hazard on a square and their sides, 0 and 0 without one."""
        glyph = self.rows[square[1]][square[0]]
        return self.dice.get(glyph, 0), HAZARDS.get(glyph, 0)

    def is_open(self, square: Square) -> bool:
        """Return whether a fighter could stand on a square."""
        return square in self.squares and square not in self.barred

    def neighbours(self, square: Square) -> list[Square]:
        """Return the squares that one step leads to, in the order of directions (R-38)."""
        x, y = square
        found = []
        for dx, dy in DIRECTIONS:
            beside = [(x + dx, y), (x, y + dy)]
            passes = dx == 0 or dy == 0 or any(it not in self.walls for it in beside)
            if passes and self.is_open((x + dx, y + dy)):
                found.append((x + dx, y + dy))
        return found

    def distances(self, start: Square, enemies: Collection[Square]) -> dict[Square, int]:
        """Return the steps to every square that can be reached past these enemies."""
        steps, edge = {start: 0}, [start]
        while edge:
            square = edge.pop(0)
            for after in self.neighbours(square):
                if after not in steps and after not in enemies:
                    steps[after] = steps[square] + 1
                    edge.append(after)
        return steps

    def path(self, start: Square, goal: Square, enemies: Collection[Square]) -> list[Square] | None:
        """Return the squares of the shortest path whose directions come first, or None; the goal may be taken."""
        steps = self.distances(goal, set(enemies) - {goal, start})
        if start not in steps:
            return None
        path = [start]
        while path[-1] != goal:
            path.append(next(it for it in self.neighbours(path[-1]) if steps.get(it) == steps[path[-1]] - 1))
        return path

    def blocked_lines(self, start: Square, goal: Square) -> int:
        """Return how many of the lines from the center of one square to the corners of another walls block (R-11)."""
        if (start, goal) not in self.counted:
            corners = [(goal[0] + dx, goal[1] + dy) for dx in (0, 1) for dy in (0, 1)]
            blocked = [any(_crosses(start, corner, wall) for wall in self.walls) for corner in corners]
            self.counted[start, goal] = sum(blocked)
        return self.counted[start, goal]


def _crosses(start: Square, corner: Square, wall: Square) -> bool:
    """Return whether the line from the center of a square to a corner goes through the inside of a wall."""
    begin, end = Fraction(0), Fraction(1)
    for axis in (0, 1):
        origin = start[axis] + Fraction(1, 2)
        slope = corner[axis] - origin  # never 0, as it is a half
        times = sorted(((wall[axis] - origin) / slope, (wall[axis] + 1 - origin) / slope))
        begin, end = max(begin, times[0]), min(end, times[1])
    return begin < end
