"""Environment: single steps and their obstacles, sidesteps, and changes of place.

The length and the path of a dash are determined in paths.py.
"""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.conditions import lose, may_still_move
from heartrush_env.games.heart_rush.rules.cover import forget_cover, in_sight
from heartrush_env.games.heart_rush.rules.environment import in_water
from heartrush_env.games.heart_rush.rules.hooks import with_abilities
from heartrush_env.games.heart_rush.rules.parts import bearer_of
from heartrush_env.games.heart_rush.rules.sheet import has
from heartrush_env.games.heart_rush.rules.space import (
    DROP,
    ENTRY_COST,
    ROUGH_COST,
    WHOLE_ROW,
    cell_at,
    distance,
    distance_from,
    gap,
    has_bits,
)
from heartrush_env.games.heart_rush.rules.speed import squares_per_dash, unheld_speed
from heartrush_env.games.heart_rush.rules.terms import (
    BURNING,
    FRIGHTENED,
    GRAPPLING,
    NOBODY,
    STANDING,
)
from heartrush_env.tabletop.rule import compiled, inlined, rule

#                  N NE  E SE  S SW  W NW
STEP_X = np.array([0, 1, 1, 1, 0, -1, -1, -1])
STEP_Y = np.array([-1, -1, 0, 1, 1, 1, 0, -1])
DIRECTIONS = 8
COMPASS = ("n", "ne", "e", "se", "s", "sw", "w", "nw")

PASSING_COST = 2  # squares of movement to pass through another fighter's space
SIZES_TO_PASS = 2  # size difference at which enemies may pass each other
DEEPEST_CLIMB = 20  # feet


# One step.


@inlined
def overlaps(x, y, side, other):
    """Return whether a space at x, y, `side` squares wide and high, shares a square with the other fighter's space."""
    return gap(x, side, other.x, other.side) == 0 and gap(y, side, other.y, other.side) == 0


@rule("Environment > Moving Through Others", "R-60", "R-61", hot=True)
def is_body(fight, i, k):
    """Return whether k is in i's way: k stands, has its space to itself, is not carried, and does not carry i."""
    other = fight.fighters[k]
    if k == i or other.status != STANDING or not other.bulky or bearer_of(fight, k) != NOBODY:
        return False
    return k != bearer_of(fight, i)


@rule("Environment > Moving Through Others", "R-60", hot=True)
def bars_way(fight, i, k):
    """Return whether enemy k blocks i: enemies less than two sizes apart do; tiny fighters pass every fighter."""
    fighter, other = fight.fighters[i], fight.fighters[k]
    if not fighter.bulky or fighter.team == other.team or not is_body(fight, i, k) or hooks.passes(fight, i, k):
        return False
    return abs(fighter.size_rank - other.size_rank) < SIZES_TO_PASS


@rule("Environment > Moving Through Others", "R-60", hot=True)
def bars_stop(fight, i, k):
    """Return whether fighter k's space keeps i from ending its movement there; tiny fighters share spaces."""
    return fight.fighters[i].bulky and is_body(fight, i, k)


@compiled
def has_wall(fight, i, x, y):
    """Return whether fighter i's space at x, y would include a wall, a pillar, a closed door or the map's edge."""
    side = fight.fighters[i].side
    if x < 0 or y < 0:
        return True
    for row in range(y + 1, y + side + 1):
        if has_bits(fight.walls[row], x, x + side - 1):
            return True
    return False


@compiled
def drop_squares(fight, i, x, y):
    """Return the number of drop squares in fighter i's space at x, y."""
    side = fight.fighters[i].side
    squares = 0
    for square_y in range(y, y + side):
        for square_x in range(x, x + side):
            squares += cell_at(fight, square_x, square_y) == DROP
    return squares


@rule("Environment > Drops")
def is_in_drop(fight, i, x, y):
    """Return whether fighter i's whole space at x, y is over a drop, so that it falls in."""
    side = fight.fighters[i].side
    return drop_squares(fight, i, x, y) == side * side


@rule("Environment > Drops", "R-72")
def falls(fight, j):
    """Return whether the last step of a push took j over the edge: its whole space is on drops, and was not before."""
    other = fight.fighters[j]
    if other.pushed == 0 or not is_in_drop(fight, j, other.x, other.y):
        return False
    return not is_in_drop(fight, j, other.x - other.pushed_x, other.y - other.pushed_y)


@rule("Environment > Drops")
def is_footing(fight, i, x, y):
    """Return whether i may choose to stand at x, y: on no wall, and on no drop or, if i is in a drop, on drops only."""
    if has_wall(fight, i, x, y):
        return False
    if is_in_drop(fight, i, fight.fighters[i].x, fight.fighters[i].y):
        return is_in_drop(fight, i, x, y)
    return drop_squares(fight, i, x, y) == 0


@rule("Environment > Diagonals", "R-65")
def cuts_corner(fight, i, x, y, dx, dy):
    """Return whether a diagonal step passes between two walls, which is forbidden."""
    return dx != 0 and dy != 0 and has_wall(fight, i, x + dx, y) and has_wall(fight, i, x, y + dy)


@compiled
def is_barred(fight, i, x, y):
    """Return whether an enemy keeps fighter i from entering this place."""
    for k in range(fight.n):
        if bars_way(fight, i, k) and overlaps(x, y, fight.fighters[i].side, fight.fighters[k]):
            return True
    return False


@rule("Environment > Movement")
def is_enterable(fight, i, x, y, dx, dy):
    """Return whether i may step from x, y by dx, dy: onto footing, without passing an enemy or cutting a corner."""
    if not is_footing(fight, i, x + dx, y + dy) or cuts_corner(fight, i, x, y, dx, dy):
        return False
    return not is_barred(fight, i, x + dx, y + dy)


@rule("Environment > Movement")
def is_stoppable(fight, i, x, y):
    """Return whether fighter i may stay at x, y: it has footing there, and no body except its mount's is in the way."""
    return is_footing(fight, i, x, y) and is_vacant(fight, i, x, y)


@compiled
def is_vacant(fight, i, x, y):
    """Return whether no other fighter prevents fighter i from staying at a place."""
    for k in range(fight.n):
        if bars_stop(fight, i, k) and overlaps(x, y, fight.fighters[i].side, fight.fighters[k]):
            return False
    return True


@rule("Environment > Difficult Terrain")
def step_cost(fight, i, x, y):
    """Return the cost of entering a place, in squares: the cost of its worst square, at least 2 if a body is there.

    For a fighter that glides, only deep water costs more than 1.
    """
    side, glides = fight.fighters[i].side, hooks.glides(fight, i)
    cost = ROUGH_COST if is_roughened(fight, i, x, y) else 1
    for square_y in range(y, y + side):
        for square_x in range(x, x + side):
            cost = max(cost, ENTRY_COST[cell_at(fight, square_x, square_y)])
    if glides:
        return cost if cost > ROUGH_COST else np.int64(1)
    for k in range(fight.n):
        if is_body(fight, i, k) and overlaps(x, y, side, fight.fighters[k]):
            cost = max(cost, PASSING_COST)
    return cost


@with_abilities(False)
@compiled
def is_roughened(fight, i, x, y):
    """Return whether an ability makes the ground in fighter i's space at x, y difficult for it."""
    for k in range(fight.n):
        squares = hooks.roughens(fight, k, i)
        if squares > 0 and distance_from(fight, i, x, y, k) <= squares:
            return True
    return False


@rule("Environment > Drops", "R-66")
def may_climb_out(fight, i, dx, dy):
    """Return whether a fighter can climb out of a drop of up to 20 feet by a dash of this single step."""
    fighter = fight.fighters[i]
    x, y = fighter.x + dx, fighter.y + dy
    if fight.drop > DEEPEST_CLIMB or not is_in_drop(fight, i, fighter.x, fighter.y) or is_in_drop(fight, i, x, y):
        return False
    if has_wall(fight, i, x, y) or cuts_corner(fight, i, fighter.x, fighter.y, dx, dy):
        return False
    return is_vacant(fight, i, x, y)


@rule("Conditions > Frightened", "R-77")
def dreads(fight, i, x, y):
    """Return whether fear keeps the fighter from a place because the place is closer to the visible source of fear."""
    fighter = fight.fighters[i]
    if not has(fighter, FRIGHTENED):
        return False
    source = fighter.source[FRIGHTENED]
    if fight.fighters[source].status != STANDING or not in_sight(fight, i, source):
        return False
    return distance_from(fight, i, x, y, source) < distance(fight, i, source)


# Sidesteps.


@rule("Combat > The Action Phase > Actions You Can Take > Sidestep", "R-18", "R-47")
def may_rush_aside(fighter):
    """Return whether the fighter has a rush point to pay for a movement, and confusion does not forbid moving."""
    return fighter.rush > 0 and may_still_move(fighter)


@compiled
def may_sidestep(fight, i, direction):
    """Return whether fighter i may sidestep in this direction."""
    return legal_sidesteps(fight, i) >> direction & 1 == 1


@rule("Combat > The Action Phase > Actions You Can Take > Sidestep", "R-78")
def is_free_to_sidestep(fight, i):
    """Return whether fighter i may sidestep, if there is a square for it: nothing carries it, slows it or keeps it."""
    fighter = fight.fighters[i]
    speed = unheld_speed(fight, i) if has(fighter, GRAPPLING) else squares_per_dash(fight, i)
    if speed < 1 or bearer_of(fight, i) != NOBODY or (fighter.shot and fighter.squares_moved >= speed // 2):
        return False
    return not hooks.stays(fight, i)


@rule("Combat > The Action Phase > Actions You Can Take > Sidestep")
def legal_sidesteps(fight, i):
    """Return the directions of fighter i's legal sidesteps, one bit each; a grappler may step and drag its captive."""
    fighter = fight.fighters[i]
    if not is_free_to_sidestep(fight, i):
        return 0
    steps = sound_steps(fight, i) & ~taken_steps(fight, i)
    if has(fighter, FRIGHTENED):
        for d in range(DIRECTIONS):
            if dreads(fight, i, fighter.x + STEP_X[d], fighter.y + STEP_Y[d]):
                steps &= ~(1 << d)
    return steps


@rule("Environment > Diagonals", "R-65")
def sound_steps(fight, i):
    """Return the directions, one bit each, in which one step leads to good footing and cuts no corner.

    This gives the result of is_footing and cuts_corner, but uses rows of bits because every window checks all eight
    directions.
    """
    fighter = fight.fighters[i]
    down = is_in_drop(fight, i, fighter.x, fighter.y)
    walls = bad = np.int64(0)
    for line in range(3):
        row, last = np.int64(fighter.y) + line, np.int64(fighter.y) + line + fighter.side
        walled = unsound = np.int64(0)
        while row < last:
            walled |= fight.walls[row]
            unsound |= fight.walls[row] | (WHOLE_ROW ^ fight.drops[row] if down else fight.drops[row])
            row += 1
        walls |= three_places(walled, fighter) << 3 * line
        bad |= three_places(unsound, fighter) << 3 * line
    steps = 0
    for d in range(DIRECTIONS):
        beside, across = 4 + STEP_X[d], 4 + 3 * STEP_Y[d]
        cut = STEP_X[d] != 0 and STEP_Y[d] != 0 and walls >> beside & walls >> across & 1 == 1
        if bad >> (across + STEP_X[d]) & 1 == 0 and not cut:
            steps |= 1 << d
    return steps


@inlined
def three_places(squares, fighter):
    """Return 3 bits: whether the fighter's space touches a row's `squares` one step west, here, and one step east."""
    places = squares
    for k in range(1, fighter.side):
        places |= squares >> k
    return (places << 1 | 1) >> np.int64(fighter.x) & 7  # everything west of the map is wall


@compiled
def taken_steps(fight, i):
    """Return the directions, one bit each, in which one step leads to an occupied place."""
    fighter = fight.fighters[i]
    steps = 0
    for k in range(fight.n):
        if bars_stop(fight, i, k) and distance(fight, i, k) <= 1:
            for d in range(DIRECTIONS):
                x, y = fighter.x + STEP_X[d], fighter.y + STEP_Y[d]
                steps |= overlaps(x, y, fighter.side, fight.fighters[k]) << d
    return steps


# Changes of place.


@rule("Environment > Movement")
def place(fight, i, x, y):
    """Move fighter i with its riders and parts to another place; water there puts out fire."""
    shift(fight, i, x - fight.fighters[i].x, y - fight.fighters[i].y)
    for j in range(fight.n):
        if fight.fighters[j].side > 1 and is_carried_by(fight, j, i):
            draw_in(fight, j)
    for j in range(fight.n):
        if j == i or is_carried_by(fight, j, i):
            forget_cover(fight, j)
            if in_water(fight, j) > 0:
                put_out(fight.fighters[j])


@rule("Environment > Water")
def put_out(fighter):
    """Put out the fire on a fighter that is in water."""
    lose(fighter, BURNING)


@compiled
def shift(fight, i, dx, dy):
    """Move fighter i with its riders and parts this many squares east and south."""
    for j in range(fight.n):
        if j == i or is_carried_by(fight, j, i):
            fight.fighters[j].x += dx
            fight.fighters[j].y += dy


@compiled
def draw_in(fight, i):
    """Move a large climber back onto its moving bearer if a push has left the climber half off."""
    fighter = fight.fighters[i]
    bearer = fight.fighters[bearer_of(fight, i)]
    spare = bearer.side - fighter.side
    dx = min(max(np.int64(fighter.x), bearer.x), bearer.x + spare) - fighter.x
    dy = min(max(np.int64(fighter.y), bearer.y), bearer.y + spare) - fighter.y
    shift(fight, i, dx, dy)


@compiled
def is_carried_by(fight, j, i):
    """Return whether fighter j rides on i or is a part of it, directly or through other riders or parts."""
    bearer = bearer_of(fight, j)
    while bearer != NOBODY and bearer != i:
        bearer = bearer_of(fight, bearer)
    return bearer == i
