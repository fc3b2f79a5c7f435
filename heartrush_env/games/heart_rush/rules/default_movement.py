"""Environment > Default Movement: the engine's movement of fighters whose movement no player decides.

It moves a fighter toward the nearest enemy and opens doors in its path.
"""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.rules.action_phase import is_able
from heartrush_env.games.heart_rush.rules.boards import ENDS, REACHED_AT, new_boards
from heartrush_env.games.heart_rush.rules.conditions import is_charmed_by, may_still_move
from heartrush_env.games.heart_rush.rules.cover import in_sight
from heartrush_env.games.heart_rush.rules.destinations import destination
from heartrush_env.games.heart_rush.rules.movement import DIRECTIONS, STEP_X, STEP_Y
from heartrush_env.games.heart_rush.rules.paths import FAR, KEYS, QUEUE, dash_budget, find_ends, new_notes
from heartrush_env.games.heart_rush.rules.sheet import attack_type
from heartrush_env.games.heart_rush.rules.space import (
    CLOSED_DOOR,
    DROP,
    IS_WALL,
    OPEN_DOOR,
    cell_at,
    distance,
    distance_from,
    is_locked,
    on_map,
)
from heartrush_env.games.heart_rush.rules.terms import MAP_SIDE, MELEE, NOBODY, RANGED, STANDING
from heartrush_env.games.heart_rush.rules.weapons import REACH, half_speed_left, weapon_range
from heartrush_env.tabletop.arrays import fill
from heartrush_env.tabletop.rule import compiled, inlined, rule


@on_map(-1)
@rule("Environment > Default Movement", "R-73")
def default_dash(fight, i):
    """Return the number of i's default dash, which ends in or nearest to weapon range of an enemy, or -1 for none."""
    fighter = fight.fighters[i]
    if not fighter.dash or not may_still_move(fighter) or not is_able(fight, i) or has_prey(fight, i):
        return -1
    budget = dash_budget(fight, i)
    weapon = REACH if attack_type(fighter) == MELEE else weapon_range(fight, i, NOBODY)
    if attack_type(fighter) == RANGED:
        budget = min(budget, half_speed_left(fight, i))
    if budget < 1:
        return -1
    boards, notes = new_boards(), new_notes()
    find_ends(fight, i, boards, budget)
    by_steps = fighter.side == 1 and count_steps(fight, i, notes)
    best, least = -1, shortfall(fight, i, fighter.x, fighter.y, weapon)
    if by_steps:
        least = notes[KEYS, np.int64(fighter.y) * MAP_SIDE + fighter.x]
    for cost in range(1, budget + 1):
        for y in range(fight.height):
            ends = boards[ENDS, y + 1] & boards[REACHED_AT + cost, y + 1]
            for x in range(fight.width if ends else 0):
                if ends >> x & 1:
                    short = notes[KEYS, y * MAP_SIDE + x] if by_steps else shortfall(fight, i, x, y, weapon)
                    if short < least:
                        best, least = destination(x - fighter.x, y - fighter.y), short
    return best


@compiled
def shortfall(fight, i, x, y, weapon):
    """Return how far, in squares, the nearest standing enemy would be beyond the range `weapon` if i were at x, y."""
    fighter = fight.fighters[i]
    least = 2 * MAP_SIDE
    for spot in range(fighter.enemy_count):
        e = fighter.enemies[spot]
        if fight.fighters[e].status == STANDING:
            least = min(least, distance_from(fight, i, x, y, e))
    return max(0, least - weapon)


@compiled
def has_prey(fight, i):
    """Return whether an enemy that fighter i may target is within its weapon's range."""
    fighter = fight.fighters[i]
    for spot in range(fighter.enemy_count):
        e = fighter.enemies[spot]
        near = fight.fighters[e].status == STANDING and distance(fight, i, e) <= weapon_range(fight, i, e)
        if near and not is_charmed_by(fighter, e) and in_sight(fight, i, e):
            return True
    return False


# Doors in the path.


@on_map(-1)
@rule("Environment > Default Movement", "R-73")
def default_door(fight, i):
    """Return the direction of the closed door that blocks the default movement; -1 for none."""
    fighter = fight.fighters[i]
    if fighter.side > 1 or not fighter.interaction or not is_able(fight, i):
        return -1
    if not stands_by_closed_door(fight, i) or has_prey(fight, i):
        return -1
    notes = new_notes()
    if not count_steps(fight, i, notes):
        return -1
    best, least = -1, notes[KEYS, np.int64(fighter.y) * MAP_SIDE + fighter.x]
    for doors in (False, True):  # a door blocks the path if it is nearer to an enemy than every open square
        for d in range(DIRECTIONS):
            x, y = fighter.x + STEP_X[d], fighter.y + STEP_Y[d]
            if not is_passage(fight, x, y) or cuts_solid_corner(fight, fighter.x, fighter.y, d):
                continue
            if (cell_at(fight, x, y) == CLOSED_DOOR) == doors and notes[KEYS, y * MAP_SIDE + x] < least:
                best, least = d if doors else -1, notes[KEYS, y * MAP_SIDE + x]
    return best


@compiled
def stands_by_closed_door(fight, i):
    """Return whether a closed door is adjacent to fighter i, whose space is one square."""
    for d in range(DIRECTIONS):
        if cell_at(fight, fight.fighters[i].x + STEP_X[d], fight.fighters[i].y + STEP_Y[d]) == CLOSED_DOOR:
            return True
    return False


@compiled
def count_steps(fight, i, notes):
    """Write the number of steps from each square to a square next to an enemy, for a fighter of one square.

    Closed doors count as open, and bodies do not block. Squares no nearer than the fighter's own may be left out.
    Returns whether the counts are usable: the map has doors, and the fighter has a path from its own square.
    """
    if not has_doors(fight):
        return False
    keys, queue = notes[KEYS], notes[QUEUE]
    fill(keys, FAR)
    own = np.int64(fight.fighters[i].y) * MAP_SIDE + fight.fighters[i].x
    first, last = 0, queue_places_beside_enemies(fight, i, notes)
    while first < last and keys[own] == FAR:
        here = np.int64(queue[first])
        first += 1
        for d in range(DIRECTIONS):
            x, y = here % MAP_SIDE + STEP_X[d], here // MAP_SIDE + STEP_Y[d]
            if not is_passage(fight, x, y) or keys[y * MAP_SIDE + x] < FAR:
                continue
            if cuts_solid_corner(fight, here % MAP_SIDE, here // MAP_SIDE, d):
                continue
            keys[y * MAP_SIDE + x] = keys[here] + 1
            queue[last] = y * MAP_SIDE + x
            last += 1
    return keys[own] < FAR


@compiled
def queue_places_beside_enemies(fight, i, notes):
    """Queue the squares within one square of a standing enemy of fighter i; return their number."""
    number = 0
    for spot in range(fight.fighters[i].enemy_count):
        enemy = fight.fighters[fight.fighters[i].enemies[spot]]
        if enemy.status != STANDING:
            continue
        for y in range(enemy.y - REACH, enemy.y + enemy.side + REACH):
            for x in range(enemy.x - REACH, enemy.x + enemy.side + REACH):
                if is_passage(fight, x, y) and notes[KEYS, y * MAP_SIDE + x] == FAR:
                    notes[KEYS, y * MAP_SIDE + x] = 0
                    notes[QUEUE, number] = y * MAP_SIDE + x
                    number += 1
    return number


@compiled
def has_doors(fight):
    """Return whether any square of the map is a door."""
    for y in range(fight.height):
        for x in range(fight.width):
            terrain = cell_at(fight, x, y)
            if terrain == CLOSED_DOOR or terrain == OPEN_DOOR:
                return True
    return False


@inlined
def is_passage(fight, x, y):
    """Return whether the square can be walked on once the doors are open."""
    return not is_solid(fight, x, y) and cell_at(fight, x, y) != DROP


@inlined
def is_solid(fight, x, y):
    """Return whether a square is a wall, a pillar or a locked door."""
    terrain = cell_at(fight, x, y)
    return IS_WALL[terrain] == 1 and (terrain != CLOSED_DOOR or is_locked(fight, x, y))


@compiled
def cuts_solid_corner(fight, x, y, d):
    """Return whether a diagonal step from a square passes between two walls, pillars or locked doors."""
    if STEP_X[d] == 0 or STEP_Y[d] == 0:
        return False
    return is_solid(fight, x + STEP_X[d], y) and is_solid(fight, x, y + STEP_Y[d])
