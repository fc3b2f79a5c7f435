"""What no fight on a map can come to, each in a sentence. The first faults are asked by faults.py, with all others."""

from __future__ import annotations

from typing import Any

import numpy as np

from heartrush_env.core.flow import Machine
from heartrush_env.core.rule import entry_point, uncompiled
from heartrush_env.heart_rush.engine.state import MAX_ROUTE
from heartrush_env.heart_rush.rules.cover import NO_LINE, find_cover
from heartrush_env.heart_rush.rules.movement import DIRECTIONS
from heartrush_env.heart_rush.rules.space import CLOSED_DOOR, IS_WALL, OPEN_DOOR, read_map
from heartrush_env.heart_rush.rules.terms import (
    MAP_SIDE,
    MOST_FIGHTERS,
    NOBODY,
    STANDING,
)

DASHES_A_ROUND = 2  # the free one and the action's
_IN_HAND = (
    "natural_weapon", "weapon_die", "attack_type", "damage_type", "weapon_hands", "shield_hands", "shield",
)  # fmt: skip
_LASTING = ("width", "height", "drop", "light")
_ROWS_OF_BITS = ("walls", "drops", "slow", "slowest", "covering")
_DOORS = (CLOSED_DOOR, OPEN_DOOR)


def has_map(match: Any) -> bool:
    """Whether the record is of a fight on a map."""
    return "cells" in match.dtype.names


def ground_faults(match: Any, start: Any, machine: Machine) -> list[str]:
    """Faults of the map, and of what is remembered about it."""
    checks = [
        (all(match[name] == start[name] for name in _LASTING), "the battlefield is another scenario's"),
        (
            all({int(now), int(then)} == set(_DOORS) for now, then in _changed_squares(match, start)),
            "the map has changed where it has no door",
        ),
        (
            0 <= match.path_at <= match.path_length <= MAX_ROUTE
            and all(0 <= direction < DIRECTIONS for direction in match.path[: int(match.path_length)]),
            "the way of the mover is none",
        ),
        (all(NOBODY <= cover <= NO_LINE for cover in match.cover), "a cover is no number of levels"),
    ]
    faults = [fault for sound, fault in checks if not sound]
    return faults or _memory_faults(match) or _body_faults(match, machine) or _cover_faults(match)


def _changed_squares(match: Any, start: Any) -> Any:
    """The terrain now and at the start, wherever they differ."""
    changed = match.cells != start.cells
    return zip(match.cells[changed], start.cells[changed], strict=True)


def _memory_faults(match: Any) -> list[str]:
    anew = np.array([match])
    uncompiled(read_map)(anew.view(np.recarray)[0])
    fresh = all(np.array_equal(match[name], anew[0][name]) for name in _ROWS_OF_BITS)
    return [] if fresh else ["the rows of bits are of another map"]


def _body_faults(match: Any, machine: Machine) -> list[str]:
    """Who is outside the map, in walls, or in the space of another; where these are sound the rest may be asked."""
    n = int(match.n)
    faults = [f"fighter {i}: {fault}" for i in range(n) for fault in _place_faults(match, match.fighters[i])]
    if faults:
        return faults
    on_its_way = int(match.mover) if machine.is_in(match, "dash") else NOBODY  # passing others, struck at
    for i in range(n):
        for j in range(i):
            if on_its_way not in (i, j) and _fill_one_square(match.fighters[i], match.fighters[j]):
                faults.append(f"fighters {j} and {i} stand in each other's space")
    return faults


def _place_faults(match: Any, fighter: Any) -> list[str]:
    x, y, side = int(fighter.x), int(fighter.y), int(fighter.side)
    if not (0 <= x <= match.width - side and 0 <= y <= match.height - side):
        return ["it is outside the map"]
    squares = [int(match.cells[row * MAP_SIDE + column]) for row in range(y, y + side) for column in range(x, x + side)]
    if any(IS_WALL[terrain] for terrain in squares) and fighter.status == STANDING:
        return ["it stands in a wall, a pillar or a closed door"]
    mount = int(fighter.climbing)
    if mount != NOBODY and _apart(fighter, match.fighters[mount]) > 0:
        return ["it is off the creature that it rides"]
    held = int(fighter.grappling)
    if held != NOBODY and _apart(fighter, match.fighters[held]) > 1:
        return ["it holds one who is out of its reach"]
    return []


def _apart(fighter: Any, other: Any) -> int:
    """Squares between two fighters, by the book."""
    gaps = []
    for axis in ("x", "y"):
        first, second = int(fighter[axis]), int(other[axis])
        gaps.append(max(0, second - first - int(fighter.side) + 1, first - second - int(other.side) + 1))
    return max(gaps)


def _fill_one_square(fighter: Any, other: Any) -> bool:
    """Whether two who stand and have their space to themselves share some of it, neither of them riding."""
    if any(one.status != STANDING or not one.bulky or one.climbing != NOBODY for one in (fighter, other)):
        return False
    return _apart(fighter, other) == 0


def _cover_faults(match: Any) -> list[str]:
    pair = int(find_stale_cover(np.array([match])))
    return [] if pair == NOBODY else [f"fighter {pair // MOST_FIGHTERS}: the cover of another is out of date"]


@entry_point
def find_stale_cover(matches):
    """The first pair of fighters whose cover is remembered otherwise than it would be found now, or nobody."""
    match = matches[0]
    for i in range(match.n):
        for j in range(match.n):
            pair = i * MOST_FIGHTERS + j
            known = match.cover[pair]
            if i != j and known != NOBODY and known != find_cover(match, i, j):
                return pair
    return NOBODY


def fighter_faults_on_map(match: Any, i: int, start: Any) -> list[str]:
    """Faults of what a map adds to a fighter."""
    fighter = match.fighters[i]
    fastest = max(int(fighter.sets[k].speed) for k in range(2))
    sets = {_carried(fighter.sets[0]), _carried(fighter.sets[1])}
    checks = [
        (fighter.side == start.side and fighter.bulky == start.bulky, "its size has changed"),
        (
            0 <= fighter.squares_moved <= DASHES_A_ROUND * fastest + _SINGLE_STEPS,
            "it has moved further than a round allows",
        ),
        (0 <= fighter.floor_x < MAP_SIDE and 0 <= fighter.floor_y < MAP_SIDE, "its weapon lies nowhere"),
        (NOBODY <= fighter.has_pushed < match.n, "it has pushed nobody known"),
        (not fighter.squeezes or fighter.grappling != NOBODY, "it may squeeze nobody, for it holds nobody"),
        (
            0 <= fighter.route_length <= MAX_ROUTE
            and all(0 <= direction < DIRECTIONS for direction in fighter.route[: int(fighter.route_length)]),
            "its route is none",
        ),
        (sets == {_carried(start.sets[0]), _carried(start.sets[1])}, "it carries what it never had"),
        (all(fighter[name] == fighter.sets[0][name] for name in _IN_HAND), "it holds what it does not carry in hand"),
    ]
    return [fault for sound, fault in checks if not sound]


_SINGLE_STEPS = 40  # sidesteps, each for a rush point or the action, swinging past and following


def _carried(held: Any) -> tuple[int, ...]:
    return tuple(int(held[name]) for name in held.dtype.names)
