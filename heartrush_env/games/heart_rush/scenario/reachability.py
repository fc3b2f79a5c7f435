"""A check for fighters that can reach no enemy on a map; a scenario with any of them is loaded with a warning.

A fighter can reach an enemy if it can get close enough for its weapon. Doors count as open. The check has no false
alarms: it assumes a line of sight wherever free squares connect both ends.
"""

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from heartrush_env.games.heart_rush.scenario import catalog
from heartrush_env.games.heart_rush.scenario.battlefield import Battlefield
from heartrush_env.games.heart_rush.scenario.sheets import FighterSheet

Squares = NDArray[np.bool_]  # (rows, columns)
Areas = NDArray[np.int64]  # (rows, columns): the number of each square's area, -1 for none

DOORS = ("closed_door", "open_door")
AROUND = tuple((dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy)


def out_of_reach(field: Battlefield, sheets: Sequence["FighterSheet"]) -> list[str]:
    """Return the agents that can reach no enemy."""
    ground = [[field.terrain(x, y) for x in range(field.width)] for y in range(field.height)]
    walls = np.array([[square.blocks_way and square.id not in DOORS for square in row] for row in ground])
    drops = np.array([[square.fall for square in row] for row in ground])
    opaque = np.array([[square.blocks_line and square.id not in DOORS for square in row] for row in ground])
    sight = areas(~opaque, None)
    ways = {side: areas(_room(~(walls | drops), side), _room(~walls, side)) for side in {s.side for s in sheets}}

    def area(sheet: "FighterSheet") -> tuple[int, int]:
        """Return the area that a fighter can move in, as (width of its space, number of the area)."""
        assert sheet.at is not None, "on a map everybody stands somewhere"
        return sheet.side, int(ways[sheet.side][sheet.at[1], sheet.at[0]])

    @cache
    def space(side: int, number: int, at: tuple[int, int]) -> Squares:
        """Return the squares that a body can cover anywhere in its area, or at `at` if it has no area."""
        begins = (ways[side] == number) & (number >= 0)
        begins[at[1], at[0]] = True
        return _grown(begins, 0, side - 1)

    def reaches(sheet: "FighterSheet", other: "FighterSheet") -> bool:
        """Return whether one fighter can get the other into range, wherever both move."""
        if area(sheet) == area(other) and area(sheet)[1] >= 0:
            return True
        assert sheet.at is not None and other.at is not None
        own, there = space(*area(sheet), sheet.at), space(*area(other), other.at)
        seen = np.isin(sight, np.unique(sight[own & (sight >= 0)]))
        return bool((_grown(own, *[_carries(sheet)] * 2) & there & seen).any())

    return [
        sheet.agent
        for sheet in sheets
        if not any(reaches(sheet, other) for other in sheets if other.team != sheet.team)
    ]


def _carries(sheet: "FighterSheet") -> int:
    """Return the longest maximum range of a fighter's weapons, in squares."""
    weapons = [sheet.weapon] if sheet.spare is None else [sheet.weapon, sheet.spare.weapon]
    return max(catalog.furthest(weapon) for weapon in weapons)


def _room(free: Squares, side: int) -> Squares:
    """Return the top-left squares of all completely free spaces of this width."""
    rows, columns = free.shape
    room = np.zeros_like(free)
    if min(rows, columns) >= side:
        windows = np.lib.stride_tricks.sliding_window_view(free, (side, side))
        room[: rows - side + 1, : columns - side + 1] = windows.all(axis=(2, 3))
    return room


def areas(free: Squares, corners: Squares | None) -> Areas:
    """Assign a number to each area of free squares that are connected by steps in all eight directions.

    With `corners`, a diagonal step requires one of the two squares beside it to be in `corners` (R-65).
    """
    found = np.full(free.shape, -1)
    rows, columns = free.shape
    for number, start in enumerate(zip(*np.nonzero(free), strict=True)):
        if found[start] >= 0:
            continue
        found[start], waiting = number, [start]
        while waiting:
            y, x = waiting.pop()
            for dx, dy in AROUND:
                there = y + dy, x + dx
                if not (0 <= there[0] < rows and 0 <= there[1] < columns) or found[there] >= 0 or not free[there]:
                    continue
                if dx and dy and corners is not None and not (corners[y, x + dx] or corners[y + dy, x]):
                    continue
                found[there] = number
                waiting.append(there)
    return found


def _grown(squares: Squares, before: int, behind: int) -> Squares:
    """Return the squares, extended by `before` to the north and west and by `behind` to the south and east."""
    grown = np.zeros_like(squares)
    for y, x in zip(*np.nonzero(squares), strict=True):
        grown[max(0, y - before) : y + behind + 1, max(0, x - before) : x + behind + 1] = True
    return grown
