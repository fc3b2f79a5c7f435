"""A map of squares as the captain sees it: lines of sight from everywhere, and the ways of several fighters at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartrush_env.tabletop.grids.squares import STEP_X, STEP_Y

Grid = NDArray[np.float64]  # (rows, columns)
Flags = NDArray[np.bool_]  # (rows, columns)
Square = tuple[int, int]  # column and row
FAR = 99.0  # the length of a way that does not exist


class Ground:
    """A map, with derived maps that are computed on demand."""

    def __init__(self, rows: Sequence[str], exits: Iterable[Square] | None) -> None:
        """Read the rows of a map, and the squares from which fighters leave it; by default all at its edge."""
        glyphs = np.array([list(row) for row in rows])
        self.wall = glyphs == "#"
        self.open = ~self.wall & (glyphs != "~")
        self.harm: Grid = np.select([glyphs == "^", glyphs == "*"], [2.5, 3.5], 0.0)  # mean damage of a hazard
        self.shape = height, width = glyphs.shape
        self.row, self.column = np.mgrid[:height, :width]
        edge = (self.column == 0) | (self.column == width - 1) | (self.row == 0) | (self.row == height - 1)
        self.exits = [(x, y) for x, y in zip(self.column[edge].tolist(), self.row[edge].tolist(), strict=True)]
        self.exits = [(x, y) for x, y in (self.exits if exits is None else exits) if self.open[y, x]]
        free, walls = np.pad(self.open, 1), np.pad(self.wall, 1, constant_values=True)
        self._may = np.stack([self._steps(free, walls, k) for k in range(len(STEP_X))])
        self._sights: dict[Square, Grid] = {}

    def _steps(self, free: Flags, walls: Flags, k: int) -> Flags:
        """Return the squares that a step in direction `k` may enter."""
        x, y, dx, dy = self.column + 1, self.row + 1, -STEP_X[k], -STEP_Y[k]
        found: Flags = free[y, x] & free[y + dy, x + dx] & ~(walls[y, x + dx] & walls[y + dy, x])
        return found

    def gap(self, at: Square) -> Grid:
        """Return the distance of every square from one, as fighters reach and shoot."""
        found: Grid = np.maximum(abs(self.column - at[0]), abs(self.row - at[1])).astype(np.float64)
        return found

    @cached_property
    def narrow(self) -> Flags:
        """The squares that a single fighter closes, with closed ground on two opposite sides."""
        free = np.pad(self.open, 1)
        across, along = free[:-2, 1:-1] | free[2:, 1:-1], free[1:-1, :-2] | free[1:-1, 2:]
        found: Flags = self.open & ~(across & along)
        return found

    def ways(self, starts: Sequence[Sequence[Square]], closed: Iterable[Square], most: int) -> Grid:
        """Return the steps to every square from the nearest square of each start; FAR above `most`.

        The result has an axis for starts, then one for rows and one for columns.
        """
        height, width = self.shape
        found = np.full((len(starts), height, width), FAR)
        front = np.zeros((len(starts), height + 2, width + 2), np.bool_)  # with a margin
        fresh = np.ones(self.shape, np.bool_)
        for x, y in closed:
            fresh[y, x] = False
        open_ = np.broadcast_to(fresh, found.shape).copy()
        for k, squares in enumerate(starts):
            for x, y in squares:
                found[k, y, x], front[k, y + 1, x + 1], open_[k, y, x] = 0, True, False
        for steps in range(1, most + 1):
            entered = np.zeros_like(open_)
            for may, dx, dy in zip(self._may, STEP_X, STEP_Y, strict=True):
                entered |= front[:, 1 - dy : 1 - dy + height, 1 - dx : 1 - dx + width] & may
            entered &= open_
            if not entered.any():
                break
            found[entered] = steps
            open_ &= ~entered
            front[:, 1:-1, 1:-1] = entered
        return found

    def blocked(self, target: Square) -> Grid:
        """Return how many of the four lines from every square to the corners of the target's square meet a wall."""
        if target not in self._sights:
            ys, xs = np.nonzero(self.wall)
            found = np.zeros(self.shape)
            start = 2 * np.stack([self.column, self.row])[..., None] + 1  # the centers, in half squares
            for corner in ((0, 0), (0, 1), (1, 0), (1, 1)):
                end = 2 * (np.array(target) + corner)
                found += _meets(start, end, 2 * np.stack([xs, ys])).any(axis=-1)
            self._sights[target] = found
        return self._sights[target]


def _meets(start: Any, end: Any, squares: Any) -> Any:
    """Return whether lines, (2, rows, columns, 1) to (2,), pass inside of squares of side 2, (2, walls)."""
    low, high = np.minimum(start, end[:, None, None, None]), np.maximum(start, end[:, None, None, None])
    apart = ((high <= squares[:, None, None]) | (low >= squares[:, None, None] + 2)).any(axis=0)
    before = behind = False
    for dx, dy in ((0, 0), (2, 0), (0, 2), (2, 2)):
        turn = (end[0] - start[0]) * (squares[1] + dy - start[1]) - (end[1] - start[1]) * (squares[0] + dx - start[0])
        before, behind = before | (turn > 0), behind | (turn < 0)
    return before & behind & ~apart


@lru_cache(maxsize=64)
def ground(rows: tuple[str, ...], exits: tuple[Square, ...] | None) -> Ground:
    """Return the ground of a map, read once."""
    return Ground(rows, exits)
