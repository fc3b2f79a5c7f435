"""Space: the map in squares, and distance.

A fighter's place is the top-left square of its space, which is `side` squares wide and high. On the map, x points right
and y points down. Functions that fights without a map also call are marked `on_map(value)`; without a map, they return
that value.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from heartrush_env.games.heart_rush.rules.terms import FEET, MAP_SIDE, ROWS, STANDING
from heartrush_env.tabletop.rule import compiled, inlined, only_with, rule

on_map = partial(only_with, "cells")

(
    FLOOR, WALL, PILLAR, ROUGH, LIGHT_COVER, HEAVY_COVER, SUPERIOR_COVER, HEIGHT, DROP, SHALLOW, DEEP, CLOSED_DOOR,
    OPEN_DOOR, RUBBLE,
) = range(14)  # fmt: skip
# fmt: off
#                         .  #  o  ,  l  h  s  ^  v  ~  w  +  /  :
ENTRY_COST   = np.array([ 1, 0, 0, 2, 1, 2, 2, 1, 1, 1, 4, 0, 1, 2])  # squares of movement
IS_WALL      = np.array([ 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0])  # blocks entry and lines
COVER_GIVEN  = np.array([ 0, 0, 0, 0, 1, 2, 3, 0, 0, 0, 0, 0, 0, 1])  # cover levels declared by the terrain
HEIGHT_GIVEN = np.array([ 0, 0, 0, 0, 0, 0, 0, 1,-1, 0, 0, 0, 0, 0])
WATER_DEPTH  = np.array([ 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0])
# fmt: on

OPENS, COLLAPSES, DROPS = range(3)  # effects of objects
UNKNOWN = -1  # cover that has not been computed
ROUGH_COST = 2  # squares of movement; only deep water costs more
WHOLE_ROW = (1 << MAP_SIDE + 4) - 1  # a row with all bits set


@inlined
def cell_at(fight, x, y):
    """Return the terrain of a square; everything outside the map is wall."""
    if x < 0 or y < 0 or x >= fight.width or y >= fight.height:
        return np.int64(WALL)
    return np.int64(fight.cells[np.int64(y) * MAP_SIDE + x])


@compiled
def is_locked(fight, x, y):
    """Return whether an object that has yet to be opened holds this square shut."""
    for k in range(fight.object_count):
        thing = fight.objects[k]
        if thing.effect == OPENS and not thing.used and thing.x == x and thing.y == y:
            return True
    return False


@compiled
def read_map(fight):
    """Record a new or changed map in rows of bits, and forget all known cover.

    A row is an integer with a bit for each square, from the west. Row 0 is north of the map; squares outside the map
    are walls.
    """
    outside = WHOLE_ROW & ~((1 << np.int64(fight.width)) - 1)
    for row in range(ROWS):
        fight.walls[row] = outside if 1 <= row <= fight.height else WHOLE_ROW
        fight.drops[row] = fight.slow[row] = fight.slowest[row] = fight.covering[row] = 0
    for y in range(fight.height):
        for x in range(fight.width):
            terrain = fight.cells[y * MAP_SIDE + x]
            square = np.int64(1) << x
            fight.walls[y + 1] |= square * IS_WALL[terrain]
            fight.drops[y + 1] |= square * (terrain == DROP)
            fight.slow[y + 1] |= square * (ENTRY_COST[terrain] > 1)
            fight.slowest[y + 1] |= square * (ENTRY_COST[terrain] > ROUGH_COST)
            fight.covering[y + 1] |= square * (COVER_GIVEN[terrain] > 0)
    fight.cover[:] = UNKNOWN


@on_map(0)
@compiled
def square_of(fight, i):
    """Return the index of a fighter's square; 0 without a map."""
    return np.int64(fight.fighters[i].y) * MAP_SIDE + fight.fighters[i].x


@inlined
def has_bits(row, first, last):
    """Return whether a row has any of the squares from the first to the last."""
    return (row >> np.int64(first)) & ((np.int64(2) << np.int64(last - first)) - 1) != 0


@inlined
def gap(first, first_side, second, second_side):
    """Return the gap between two intervals on one axis: 0 if they overlap, 1 if they touch."""
    return max(0, second - first - first_side + 1, first - second - second_side + 1)


@rule("Environment > Distance", "R-14")
def distance_from(fight, i, x, y, j):
    """Return the distance in squares between fighter j and i's space at x, y; diagonals count as 1."""
    side, other = fight.fighters[i].side, fight.fighters[j]
    return max(gap(x, side, other.x, other.side), gap(y, side, other.y, other.side))


@compiled
def distance(fight, i, j):
    """Return the distance in squares between two fighters."""
    return distance_from(fight, i, fight.fighters[i].x, fight.fighters[i].y, j)


@compiled
def distance_to_square(fight, i, x, y):
    """Return the distance in squares between a fighter and a square of the map."""
    fighter = fight.fighters[i]
    return max(gap(fighter.x, fighter.side, x, 1), gap(fighter.y, fighter.side, y, 1))


@inlined
def covers_square(fighter, x, y):
    """Return whether a square belongs to the fighter's space."""
    return fighter.x <= x < fighter.x + fighter.side and fighter.y <= y < fighter.y + fighter.side


@on_map(False)
@compiled
def plays_on_map(fight):
    """Return whether the fight has a map."""
    return True


@on_map(True)
@rule("Environment > Distance", "R-14")
def next_to(fight, i, j):
    """Return whether two fighters are adjacent: their squares touch, corners included; always True without a map."""
    return distance(fight, i, j) <= 1


@on_map(True)
@compiled
def within(fight, i, j, feet):
    """Return whether two fighters are at most `feet` apart; always True without a map."""
    return distance(fight, i, j) * FEET <= feet


@compiled
def standing_beside(fight, i, of_its_team):
    """Return how many standing fighters of i's own team, or of all others if not `of_its_team`, are adjacent to it."""
    found = 0
    for j in range(fight.n):
        other = fight.fighters[j]
        if j != i and other.status == STANDING and (other.team == fight.fighters[i].team) == of_its_team:
            found += next_to(fight, i, j)
    return found


@on_map(False)
@compiled
def is_beside_wall(fight, i):
    """Return whether any square next to fighter i's space is a wall, a pillar, a closed door or off the map."""
    fighter = fight.fighters[i]
    for y in range(fighter.y - 1, fighter.y + fighter.side + 1):
        for x in range(fighter.x - 1, fighter.x + fighter.side + 1):
            if IS_WALL[cell_at(fight, x, y)]:
                return True
    return False
