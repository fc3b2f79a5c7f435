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
        self._across = width + 1
        self._may = [
            (
                int(dy) * self._across + int(dx),
                self._bits(zip(*np.nonzero(self._steps(free, walls, k))[::-1], strict=True)),
            )
            for k, (dx, dy) in enumerate(zip(STEP_X, STEP_Y, strict=True))
        ]
        self._way = lru_cache(maxsize=4096)(self._find_way)
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
        shut = self._bits(closed)
        found = [self._way(self._bits(squares), shut, most) for squares in starts]
        return np.stack(found) if found else np.zeros((0, *self.shape))

    def _find_way(self, front: int, shut: int, most: int) -> Grid:
        """Return the steps to every square from the nearest of `front`; sets of squares are the bits of a number."""
        reached, open_ = [front], ~(shut | front)
        while front and len(reached) <= most:
            entered = 0
            for shift, may in self._may:
                entered |= (front << shift if shift > 0 else front >> -shift) & may
            front = entered & open_
            open_ &= ~front
            reached.append(front)
        steps = np.arange(len(reached)) - FAR
        found: Grid = FAR + np.tensordot(steps, self._flags(reached), 1)
        found.flags.writeable = False
        return found

    def near(self, squares: Flags, reach: int) -> Flags:
        """Return the squares within `reach` squares of some."""
        for axis in (0, 1):
            found = squares.copy()
            lines, wider = np.moveaxis(squares, axis, 0), np.moveaxis(found, axis, 0)
            for steps in range(1, reach + 1):
                wider[steps:] |= lines[:-steps]
                wider[:-steps] |= lines[steps:]
            squares = found
        return squares

    def _bits(self, squares: Iterable[Square]) -> int:
        """Return a set of squares as the bits of a number, with an empty column behind each row."""
        found = 0
        for x, y in squares:
            found |= 1 << int(y) * self._across + int(x)
        return found

    def _flags(self, sets: Sequence[int]) -> Flags:
        """Return sets of squares as flags, (sets, rows, columns)."""
        count = self.shape[0] * self._across
        length = (count + 7) // 8
        held = np.frombuffer(b"".join(bits.to_bytes(length, "little") for bits in sets), np.uint8)
        flags = np.unpackbits(held.reshape(-1, length), axis=1, count=count, bitorder="little")
        found: Flags = flags.reshape(-1, self.shape[0], self._across)[:, :, :-1].view(np.bool_)
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
