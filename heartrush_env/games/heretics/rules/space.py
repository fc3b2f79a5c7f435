"""Space: squares of 5 feet, a diagonal counting as one; reach, ranges, cover, and paths.

Without a map everyone is within everyone's reach, and no fighter is too crowded to shoot.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from heartrush_env.games.heretics.book import rule
from heartrush_env.games.heretics.rules.fighters import is_able, reaches_ten_feet
from heartrush_env.games.heretics.terms import HEIGHT, MOST_SQUARES, WIDTH
from heartrush_env.tabletop.arrays import workspace
from heartrush_env.tabletop.choosing import NOBODY
from heartrush_env.tabletop.rule import compiled, only_with

HEADING = "Space"
MAP = "walls"  # the field of fights on maps
on_map = partial(only_with, MAP)

# The eight steps in the order of the rule text: N NE E SE S SW W NW.
STEP_X = np.array([0, 1, 1, 1, 0, -1, -1, -1])
STEP_Y = np.array([-1, -1, 0, 1, 1, 1, 0, -1])
FAR_AWAY, HELD = 127, -1  # in place of a distance
SIDE = 2 * MOST_SQUARES + 1  # of the squares around a fighter that a move can name
AROUND = range(-MOST_SQUARES, MOST_SQUARES + 1)
SQUARE_NAMES = tuple(f"{dx},{dy}" for dy in AROUND for dx in AROUND)  # steps to the east and to the south
SQUARE_CORNERS = 4
HIDDEN = 4  # blocked lines that leave no line of sight

new_distances = workspace((WIDTH * HEIGHT,), np.int8)
new_queue = workspace((WIDTH * HEIGHT,), np.int16)


@on_map(1)
@rule(HEADING, "R-8")
def distance(fight, i, j):
    """Return the squares from one fighter to another."""
    one, other = fight.fighters[i], fight.fighters[j]
    return max(abs(np.int64(one.x) - np.int64(other.x)), abs(np.int64(one.y) - np.int64(other.y)))


@rule(HEADING, "R-9")
def melee_squares(fight, i):
    """Return the squares of a fighter's melee range: 2 with a reach weapon in two hands, else 1."""
    return 2 if reaches_ten_feet(fight, fight.fighters[i]) else 1


@on_map(False)
@rule(HEADING, "R-10")
def is_crowded(fight, i, target):
    """Return whether an able enemy has fighter i in its melee range, so that it cannot shoot at the target."""
    for j in range(fight.n):
        if fight.fighters[j].team != fight.fighters[i].team and is_able(fight, j):
            counts = fight.rules.ranged_lock == 0 or j == target
            if counts and distance(fight, i, j) <= melee_squares(fight, j):
                return True
    return False


# --------------------------------------------------------------------------------------------------- cover and sight


@on_map(0)
@rule(HEADING, "R-11")
def blocked_lines(fight, i, target):
    """Return how many of the lines from the center of i's square to the target's four corners meet a wall."""
    one, other = fight.fighters[i], fight.fighters[target]
    blocked = 0
    if not has_walls_between(fight, one, other):
        return blocked
    for corner in range(SQUARE_CORNERS):
        x, y = np.int64(other.x) + corner % 2, np.int64(other.y) + corner // 2
        blocked += meets_wall(fight, 2 * np.int64(one.x) + 1, 2 * np.int64(one.y) + 1, 2 * x, 2 * y)
    return blocked


@compiled
def has_walls_between(fight, one, other):
    """Return whether there is a wall in the rectangle that two fighters span."""
    left, right = min(np.int64(one.x), np.int64(other.x)), max(np.int64(one.x), np.int64(other.x))
    columns = (1 << right - left + 1) - 1
    for row in range(min(np.int64(one.y), np.int64(other.y)), max(np.int64(one.y), np.int64(other.y)) + 1):
        if fight.walls[row] >> left & columns != 0:
            return True
    return False


@compiled
def meets_wall(fight, x, y, to_x, to_y):
    """Return whether a line, in half squares, passes through the inside of a wall's square."""
    for row in range(min(y, to_y) // 2, (max(y, to_y) + 1) // 2):
        for column in range(min(x, to_x) // 2, (max(x, to_x) + 1) // 2):
            if is_wall(fight, column, row) and crosses(x, y, to_x, to_y, 2 * column, 2 * row):
                return True
    return False


@compiled
def crosses(x, y, to_x, to_y, left, top):
    """Return whether a line passes through the inside of the square of side 2 at this corner."""
    if max(x, to_x) <= left or min(x, to_x) >= left + 2 or max(y, to_y) <= top or min(y, to_y) >= top + 2:
        return False
    before, behind = False, False
    for corner in range(SQUARE_CORNERS):
        corner_x, corner_y = left + 2 * (corner % 2), top + 2 * (corner // 2)
        turn = (to_x - x) * (corner_y - y) - (to_y - y) * (corner_x - x)
        before = before or turn > 0
        behind = behind or turn < 0
    return before and behind


@on_map(True)
@compiled
def in_sight(fight, i, target):
    """Return whether there is a line of sight."""
    return blocked_lines(fight, i, target) < HIDDEN


# ------------------------------------------------------------------------------------------------------------ squares


@compiled
def is_on_map(fight, x, y):
    """Return whether there is a square at this place."""
    return x >= 0 and y >= 0 and x < fight.width and y < fight.height


@compiled
def is_wall(fight, x, y):
    """Return whether a square is a wall, or beyond the map."""
    return not is_on_map(fight, x, y) or fight.walls[y] >> x & 1 != 0


@compiled
def can_enter(fight, x, y):
    """Return whether the ground of a square can be entered."""
    return not is_wall(fight, x, y) and fight.water[y] >> x & 1 == 0


@compiled
def is_exit(fight, x, y):
    """Return whether fighters can leave the map from a square."""
    return fight.exits[y] >> x & 1 != 0


@compiled
def fighter_at(fight, x, y):
    """Return the able fighter in a square, or NOBODY."""
    for j in range(fight.n):
        if is_able(fight, j) and fight.fighters[j].x == x and fight.fighters[j].y == y:
            return j
    return NOBODY


@compiled
def is_free(fight, x, y):
    """Return whether a square can be entered and no able fighter is in it."""
    return can_enter(fight, x, y) and fighter_at(fight, x, y) == NOBODY


@rule(HEADING, "R-38")
def can_step(fight, x, y, k):
    """Return whether a step in direction k leads to open ground; a diagonal needs a square beside it free of walls."""
    dx, dy = STEP_X[k], STEP_Y[k]
    if not can_enter(fight, x + dx, y + dy):
        return False
    return dx == 0 or dy == 0 or not (is_wall(fight, x + dx, y) and is_wall(fight, x, y + dy))


@compiled
def mark_fighters(fight, team, but, distances):
    """Note that the squares of a side's able fighters, except for one of them, are held."""
    for j in range(fight.n):
        if j != but and fight.fighters[j].team == team and is_able(fight, j):
            distances[np.int64(fight.fighters[j].y) * WIDTH + np.int64(fight.fighters[j].x)] = HELD


# -------------------------------------------------------------------------------------------------------------- paths


@rule(HEADING, "R-8")
def flood(fight, i, x, y, squares, distances):
    """Note 1 + the steps from a square to each square that fighter i can walk to; 0 or less for all others."""
    queue = new_queue()
    mark_fighters(fight, 1 - np.int64(fight.fighters[i].team), NOBODY, distances)
    queue[0] = y * WIDTH + x
    distances[y * WIDTH + x] = 1
    first, last = 0, 1
    while first < last:
        square = np.int64(queue[first])
        first += 1
        steps = np.int64(distances[square])
        if steps > squares:
            continue
        column, row = square % WIDTH, square // WIDTH
        for k in range(8):
            there = (row + STEP_Y[k]) * WIDTH + column + STEP_X[k]
            if can_step(fight, column, row, k) and distances[there] == 0:
                distances[there] = steps + 1
                queue[last] = there
                last += 1


@on_map(None)
@compiled
def write_squares(fight, i, squares, exits_only, masks, start):
    """Mark the squares around fighter i on which it may end a move, its own included; or only the exits among them."""
    distances = new_distances()
    me = fight.fighters[i]
    own_x, own_y = np.int64(me.x), np.int64(me.y)
    flood(fight, i, own_x, own_y, squares, distances)
    mark_fighters(fight, np.int64(me.team), i, distances)
    for dy in range(-MOST_SQUARES, MOST_SQUARES + 1):
        for dx in range(-MOST_SQUARES, MOST_SQUARES + 1):
            x, y = own_x + dx, own_y + dy
            is_end = is_on_map(fight, x, y) and distances[y * WIDTH + x] > 0
            if is_end and (not exits_only or is_exit(fight, x, y)):
                masks[np.uint64(start + (dy + MOST_SQUARES) * SIDE + dx + MOST_SQUARES)] = 1


@on_map(False)
@compiled
def reaches_exit(fight, i, squares):
    """Return whether fighter i can end a move on an exit square."""
    distances = new_distances()
    me = fight.fighters[i]
    own_x, own_y = np.int64(me.x), np.int64(me.y)
    flood(fight, i, own_x, own_y, squares, distances)
    mark_fighters(fight, np.int64(me.team), i, distances)
    for y in range(fight.height):
        for x in range(fight.width):
            if distances[y * WIDTH + x] > 0 and is_exit(fight, x, y):
                return True
    return False


@on_map(0)
@rule(HEADING, "R-38", "R-15")
def walk(fight, i, line, squares):
    """Move fighter i toward the square that a line names; return the steps that it takes.

    Of the shortest paths it takes the one whose directions come first. If a fighter is in the square by now, it stops
    on the last free square before it.
    """
    me = fight.fighters[i]
    x, y = np.int64(me.x), np.int64(me.y)
    to_x, to_y = x + line % SIDE - MOST_SQUARES, y + line // SIDE - MOST_SQUARES
    distances = new_distances()
    flood(fight, i, to_x, to_y, FAR_AWAY - 1, distances)
    steps, taken, me_x, me_y = 0, 0, x, y
    while steps < squares and distances[y * WIDTH + x] > 1:
        k = first_step(fight, x, y, distances)
        x += STEP_X[k]
        y += STEP_Y[k]
        steps += 1
        if fighter_at(fight, x, y) == NOBODY:
            me_x, me_y, taken = x, y, steps
    if taken > 0:
        me.x = me_x
        me.y = me_y
    return taken


@compiled
def first_step(fight, x, y, distances):
    """Return the first direction in which the distance becomes less."""
    for k in range(8):
        there = (y + STEP_Y[k]) * WIDTH + x + STEP_X[k]
        if can_step(fight, x, y, k) and distances[there] == distances[y * WIDTH + x] - 1:
            return k
    return 0
