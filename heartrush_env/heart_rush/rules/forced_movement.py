"""Forced movement: pushes, what stops them, falls, and the places that follow from a push or a maneuver.

Not here: the dice of collisions, saves and falls, and what becomes of holds, which the engine rolls and settles.
"""

from __future__ import annotations

import numpy as np

from heartrush_env.core.rule import compiled, inlined, rule
from heartrush_env.heart_rush.rules.movement import (
    bars_stop,
    cuts_corner,
    dreads,
    falls,
    has_wall,
    is_enterable,
    is_in_drop,
    is_stoppable,
    is_vacant,
    overlaps,
    place,
)
from heartrush_env.heart_rush.rules.space import gap, on_map
from heartrush_env.heart_rush.rules.speed import squares_per_dash
from heartrush_env.heart_rush.rules.terms import MAP_SIDE, NOBODY

FEET = 5  # a square
FEET_PER_SIZE = 5  # of a push
SIZES_TO_SPLIT = 2  # of difference between who collides, at most
HEAVY_SHIELD = 2  # its bonus
SWING = 2  # squares past an opponent


@inlined
def sign(number):
    """-1, 0 or 1."""
    if number == 0:
        return 0
    return 1 if number > 0 else -1


@rule("Environment > Forced Movement", "R-71")
def push_direction(match, i, j):
    """Directly away from fighter i, in the nearest of the eight directions; nowhere if their centers are one."""
    fighter, other = match.fighters[i], match.fighters[j]
    east = 2 * (np.int64(other.x) - fighter.x) + other.side - fighter.side  # half squares from center to center
    south = 2 * (np.int64(other.y) - fighter.y) + other.side - fighter.side
    if abs(east) >= 2 * abs(south):
        return sign(east), 0
    if abs(south) >= 2 * abs(east):
        return 0, sign(south)
    return sign(east), sign(south)


@rule("Environment > Forced Movement", "R-71")
def push_squares(match, i, j, feet):
    """Squares of a push of so many feet: five feet more for each size that j is smaller than i, less where larger."""
    smaller = np.int64(match.fighters[i].size_rank) - match.fighters[j].size_rank
    return max(0, feet + FEET_PER_SIZE * smaller) // FEET


@rule("Environment > Forced Movement", "R-16", "R-71")
def push(match, i, j, squares):
    """Push fighter j away from i until something stops it or it goes over the edge of a drop.

    Returns the squares that it moved, those that were left when it was stopped, the creature that stopped it or nobody,
    and whether it was a wall.
    """
    other = match.fighters[j]
    dx, dy = push_direction(match, i, j)
    other.pushed_x, other.pushed_y, other.pushed = dx, dy, 0
    if dx == 0 and dy == 0:
        return 0, 0, NOBODY, False
    for moved in range(squares):
        x, y = np.int64(other.x) + dx, np.int64(other.y) + dy
        if stops_push(match, j, dx, dy):
            return moved, squares - moved, NOBODY, True
        blocker = first_in_way(match, j, x, y)
        if blocker != NOBODY:
            return moved, squares - moved, blocker, False
        place(match, j, x, y)
        other.pushed = moved + 1
        if falls(match, j):
            return moved + 1, 0, NOBODY, False
    return squares, 0, NOBODY, False


@rule("Environment > Forced Movement", "R-65", "R-71")
def stops_push(match, j, dx, dy):
    """Walls stop a push, corners too, and so does the edge of a drop who is down in it."""
    other = match.fighters[j]
    if has_wall(match, j, other.x + dx, other.y + dy) or cuts_corner(match, j, other.x, other.y, dx, dy):
        return True
    return is_in_drop(match, j, other.x, other.y) and not is_in_drop(match, j, other.x + dx, other.y + dy)


@compiled
def first_in_way(match, j, x, y):
    """The first creature in agent order that keeps fighter j from this place."""
    for k in range(match.n):
        if bars_stop(match, j, k) and overlaps(x, y, match.fighters[j].side, match.fighters[k]):
            return k
    return NOBODY


@rule("Environment > Forced Movement", "R-71")
def shares_collision(match, j, blocker):
    """A creature at most two sizes off takes half of a collision, unless it holds a heavy shield against an enemy."""
    other, stopper = match.fighters[j], match.fighters[blocker]
    if abs(np.int64(other.size_rank) - stopper.size_rank) > SIZES_TO_SPLIT:
        return False
    return other.team == stopper.team or stopper.shield < HEAVY_SHIELD


@rule("Environment > Forced Movement", "R-71", hot=True)
def own_share(damage):
    """Of what is shared who was pushed takes the larger half."""
    return (damage + 1) // 2


@rule("Environment > Forced Movement", "R-79")
def are_in_hold(match, i, k):
    """Whether one of these two holds the other: what hurts one who is pushed or in the way hurts both."""
    return match.fighters[i].grappling == k or match.fighters[k].grappling == i


@on_map(0)
@rule("Weapons > Might Bonus > Melee", "R-70", "R-77")
def follow_push(match, i, dx, dy, squares):
    """Fighter i goes where its push went, as far as it may; returns the squares that it moved."""
    fighter = match.fighters[i]
    x, y = np.int64(fighter.x), np.int64(fighter.y)
    moved = 0
    for k in range(1, squares + 1):
        if not is_enterable(match, i, x, y, dx, dy) or dreads(match, i, x + dx, y + dy):
            break
        x, y = x + dx, y + dy
        if is_vacant(match, i, x, y):
            moved = k
    place(match, i, np.int64(fighter.x) + moved * dx, np.int64(fighter.y) + moved * dy)
    return moved


@on_map(False)
@rule("Combat > Other Offensive Actions > Stunt", "R-69", "R-77")
def swing_past(match, i, j):
    """Ten feet straight past an adjacent creature of one square, for who can walk as far; returns whether it did."""
    fighter, other = match.fighters[i], match.fighters[j]
    dx, dy = push_direction(match, i, j)
    x, y = np.int64(fighter.x) + SWING * dx, np.int64(fighter.y) + SWING * dy
    if fighter.side > 1 or other.side > 1 or (dx == 0 and dy == 0) or fighter.climbing != NOBODY:
        return False
    if squares_per_dash(match, i) < SWING or not is_stoppable(match, i, x, y) or dreads(match, i, x, y):
        return False
    if cuts_corner(match, i, fighter.x, fighter.y, dx, dy) or cuts_corner(match, i, x - dx, y - dy, dx, dy):
        return False
    place(match, i, x, y)
    return True


@on_map(None)
@rule("Combat > Other Offensive Actions > Climb On")
def get_onto(match, i, bearer):
    """A climber's place is the square of the climbed creature that is nearest to where it was."""
    fighter, other = match.fighters[i], match.fighters[bearer]
    best_x, best_y, least = np.int64(other.x), np.int64(other.y), 2 * MAP_SIDE
    for y in range(other.y, other.y + other.side - fighter.side + 1):
        for x in range(other.x, other.x + other.side - fighter.side + 1):
            far = max(gap(x, fighter.side, fighter.x, fighter.side), gap(y, fighter.side, fighter.y, fighter.side))
            if far < least:
                best_x, best_y, least = np.int64(x), np.int64(y), far
    place(match, i, best_x, best_y)
