"""Space: squares of 5 feet, a diagonal counting as one; reach, ranges, cover, and paths.

Without a map, all fighters are within reach of one another, and no fighter is too crowded to shoot.
"""

from functools import partial

import numpy as np

from heartrush_env.games.heretics.book import rule
from heartrush_env.games.heretics.rules.conditions import has
from heartrush_env.games.heretics.rules.fighters import in_two_hands, is_able
from heartrush_env.games.heretics.terms import BLIND, MOST_SQUARES, SHIELD_WALL
from heartrush_env.games.heretics.weapons import NO_ITEM, REACH
from heartrush_env.tabletop.choosing import NOBODY
from heartrush_env.tabletop.grids import squares as grid
from heartrush_env.tabletop.grids.squares import HELD, WIDTH, new_distances
from heartrush_env.tabletop.rule import compiled, only_with

HEADING = "Space"
MAP = "walls"  # the field of fights on maps
on_map = partial(only_with, MAP)
SIDE = 2 * MOST_SQUARES + 1  # width of the area around a fighter whose squares a move can name
AROUND = range(-MOST_SQUARES, MOST_SQUARES + 1)
STEPS = tuple((dx, dy) for dy in AROUND for dx in AROUND)  # to the east and to the south
SQUARE_NAMES = tuple(f"{dx},{dy}" for dx, dy in STEPS)
HIDDEN = 4  # number of blocked lines at which no line of sight is left
BLIND_SQUARES = 2  # how far the blind see


@on_map(False)
@compiled
def has_map(fight):
    """Return whether the fight is on a map."""
    return True


@on_map(-1)
@compiled
def mover_of(fight):
    """Return the fighter that makes the last move that has begun; NOBODY without a map."""
    return np.int64(fight.mover)


@on_map(0)
@compiled
def column_of(fight, i):
    """Return the column in which a fighter is; 0 without a map."""
    return np.int64(fight.fighters[i].x)


@on_map(0)
@compiled
def row_of(fight, i):
    """Return the row in which a fighter is; 0 without a map."""
    return np.int64(fight.fighters[i].y)


@on_map(1)
@rule(HEADING, "R-8")
def distance(fight, i, j):
    """Return the distance, in squares, between two fighters."""
    return max(abs(column_of(fight, i) - column_of(fight, j)), abs(row_of(fight, i) - row_of(fight, j)))


@compiled
def in_shield_wall(fight, i):
    """Return whether a retainer with the order "shield wall" holds a shield beside another such shield."""
    fighter, count = fight.fighters[i], 0
    for j in range(fight.n if fighter.order == SHIELD_WALL and fighter.shield else 0):
        count += j != i and is_shielded_retainer(fight, j, np.int64(fighter.team)) and distance(fight, i, j) <= 1
    return count > 0


@compiled
def is_shielded_retainer(fight, i, team):
    """Return whether a fighter is an able retainer of a side, with a shield, that has not routed."""
    fighter = fight.fighters[i]
    mate = fighter.team == team and is_able(fight, i) and not fighter.routed
    return mate and fighter.shield and fighter.commander != NOBODY


@rule(HEADING, "R-9")
def melee_squares(fight, i):
    """Return a fighter's melee range in squares: 2 with a reach weapon in two hands, else 1."""
    fighter = fight.fighters[i]
    reaches = fighter.held != NO_ITEM and REACH[fighter.held] and in_two_hands(fighter)
    return 2 if fight.rules.melee_range == 1 or reaches else 1


@on_map(False)
@rule(HEADING, "R-10")
def is_crowded(fight, i, target):
    """Return whether an able enemy has fighter i in its melee range, so that i cannot shoot at the target."""
    for j in range(fight.n):
        if fight.fighters[j].team != fight.fighters[i].team and is_able(fight, j):
            counts = fight.rules.ranged_lock == 0 or j == target
            if counts and distance(fight, i, j) <= melee_squares(fight, j):
                return True
    return False


@on_map(0)
@compiled
def blocked_lines(fight, i, target):
    """Return how many of the lines from the center of i's square to the target's four corners meet a wall."""
    if has_looked(fight, i) and has_looked(fight, target):
        return np.int64(fight.fighters[i].blocked[target])
    x, y, to_x, to_y = column_of(fight, i), row_of(fight, i), column_of(fight, target), row_of(fight, target)
    return grid.blocked_corners(fight, x, y, to_x, to_y)


@on_map(True)
@compiled
def has_looked(fight, i):
    """Return whether the lines from a fighter were counted from its square; in a rebuilt position they may not be."""
    fighter = fight.fighters[i]
    return fighter.x == fighter.from_x and fighter.y == fighter.from_y


@on_map(None)
@rule(HEADING, "R-11")
def look_around(fight, i):
    """Count the blocked lines between fighter i, which is new on its square, and each other fighter, both ways."""
    x, y = column_of(fight, i), row_of(fight, i)
    fight.fighters[i].from_x = x
    fight.fighters[i].from_y = y
    for j in range(fight.n):
        to_x, to_y = column_of(fight, j), row_of(fight, j)
        fight.fighters[i].blocked[j] = grid.blocked_corners(fight, x, y, to_x, to_y)
        fight.fighters[j].blocked[i] = grid.blocked_corners(fight, to_x, to_y, x, y)


@on_map(True)
@rule(HEADING, "R-11")
def is_near(fight, x, y, to_x, to_y, squares):
    """Return whether the second of two squares is at most this many squares from the first, and in sight from there."""
    return max(abs(to_x - x), abs(to_y - y)) <= squares and grid.blocked_corners(fight, x, y, to_x, to_y) < HIDDEN


@compiled
def sees_square(fight, i, x, y, squares):
    """Return whether a square is at most this many squares from fighter i, and in its sight."""
    return is_near(fight, column_of(fight, i), row_of(fight, i), x, y, squares)


@compiled
def in_sight(fight, i, target):
    """Return whether there is a line of sight from fighter i to the target."""
    return blocked_lines(fight, i, target) < HIDDEN


@rule("Conditions", "R-29")
def sees(fight, i, target):
    """Return whether fighter i sees the target: in a line of sight and, if i is blind, within 10 feet."""
    near = distance(fight, i, target) <= BLIND_SQUARES or not has(fight.fighters[i], BLIND)
    return near and in_sight(fight, i, target)


@on_map(False)
@compiled
def is_exit(fight, x, y):
    """Return whether fighters can leave the map from a square."""
    return fight.exits[y] >> x & 1 != 0


@compiled
def is_free(fight, x, y):
    """Return whether no able fighter is in a square."""
    for j in range(fight.n):
        if is_able(fight, j) and fight.fighters[j].x == x and fight.fighters[j].y == y:
            return False
    return True


@compiled
def square_behind(fight, i, target):
    """Return the column and the row of the square straight behind the target, seen from fighter i."""
    return 2 * column_of(fight, target) - column_of(fight, i), 2 * row_of(fight, target) - row_of(fight, i)


@on_map(False)
@compiled
def can_be_pushed(fight, i, target):
    """Return whether the square straight behind the target, seen from fighter i, can be entered and is free."""
    x, y = square_behind(fight, i, target)
    return grid.can_enter(fight, x, y) and is_free(fight, x, y)


@on_map(None)
@compiled
def put_behind(fight, i, target):
    """Move the target one square straight away from fighter i."""
    fight.fighters[target].x, fight.fighters[target].y = square_behind(fight, i, target)
    look_around(fight, target)


@compiled
def mark_fighters(fight, team, but, distances):
    """Mark the squares of a side's able fighters, except for fighter `but`, as HELD in `distances`."""
    for j in range(fight.n):
        if j != but and fight.fighters[j].team == team and is_able(fight, j):
            distances[row_of(fight, j) * WIDTH + column_of(fight, j)] = HELD


@rule(HEADING, "R-8")
def find_ends(fight, i, squares, distances):
    """Write 1 or more for each square on which fighter i can end a move of at most `squares`, its own included."""
    team = np.int64(fight.fighters[i].team)
    mark_fighters(fight, 1 - team, NOBODY, distances)
    grid.flood(fight, column_of(fight, i), row_of(fight, i), squares, distances)
    mark_fighters(fight, team, i, distances)


@on_map(None)
@compiled
def write_squares(fight, i, squares, exits_only, masks, start):
    """Mark the squares on which fighter i may end a move, its own included; with `exits_only`, mark only exits."""
    distances = new_distances()
    find_ends(fight, i, squares, distances)
    for line in range(SIDE * SIDE):
        x, y = square_of(fight, i, line)
        is_end = grid.is_on_map(fight, x, y) and distances[y * WIDTH + x] > 0
        masks[np.uint64(start + line)] |= is_end and (not exits_only or is_exit(fight, x, y))


@compiled
def square_of(fight, i, line):
    """Return the column and the row that a line of a pick names for fighter i."""
    return column_of(fight, i) + line % SIDE - MOST_SQUARES, row_of(fight, i) + line // SIDE - MOST_SQUARES


@on_map(False)
@compiled
def reaches_exit(fight, i, squares):
    """Return whether fighter i can end a move on an exit square."""
    distances = new_distances()
    find_ends(fight, i, squares, distances)
    for y in range(fight.height):
        for x in range(fight.width):
            if distances[y * WIDTH + x] > 0 and is_exit(fight, x, y):
                return True
    return False
