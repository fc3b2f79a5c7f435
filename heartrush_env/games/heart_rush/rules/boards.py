"""Boards: rows of bits, in the format of space.py, that mark places on the map for one fighter.

A bit of a board for fighter i represents the whole space that i would have with its top-left square there, so large
creatures need no loops of their own.
"""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.hooks import with_abilities
from heartrush_env.games.heart_rush.rules.movement import bars_stop, bars_way, dreads, is_body, is_in_drop
from heartrush_env.games.heart_rush.rules.sheet import has
from heartrush_env.games.heart_rush.rules.space import WHOLE_ROW
from heartrush_env.games.heart_rush.rules.terms import FASTEST, FRIGHTENED, ROWS
from heartrush_env.tabletop.arrays import workspace
from heartrush_env.tabletop.memory import copy_numbers
from heartrush_env.tabletop.rule import compiled, inlined, rule

# The first five boards mark obstacles. The next two mark where a dash can get to and where it may end, and one marks
# the places that enemies threaten. Each cost has two more: the places first reached at it, and where one step leads to
# from them. A new set of boards is empty.
WALLS, SHUT, TAKEN, SLOW, SLOWEST, REACHED, ENDS, WATCHED, REACHED_AT = range(9)
LED_TO = REACHED_AT + FASTEST + 1
BOARDS = LED_TO + FASTEST + 1
new_boards = workspace((BOARDS, ROWS), np.int64)


# Steps from place to place.


@rule("Environment > Difficult Terrain", hot=True)
def affordable(boards, cost, row):
    """Return the places of a row that a dash enters at this total cost, by a step from a place reached for less."""
    places = boards[LED_TO + cost - 1, row] & ~boards[SLOW, row]
    if cost >= 2:
        places |= boards[LED_TO + cost - 2, row] & boards[SLOW, row] & ~boards[SLOWEST, row]
    if cost >= 4:
        places |= boards[LED_TO + cost - 4, row] & boards[SLOWEST, row]
    return places


@rule("Environment > Diagonals", "R-65", hot=True)
def one_step(boards, row, above, here, below):
    """Return the places of a row that are one step away from given places above, on and below it.

    Only corners are checked, not whether the places themselves are blocked, so the result holds for steps to or from
    the given places.
    """
    return beside(here) | one_step_across(boards, row, row - 1, above) | one_step_across(boards, row, row + 1, below)


@inlined
def one_step_across(boards, row, other, places):
    """Return the places of a row one step from places in row `other`: straight, or diagonally past a free corner."""
    return places | (beside(places) & ~boards[WALLS, other]) | beside(places & ~boards[WALLS, row])


@inlined
def led_to(boards, board, row):
    """Return the places of a row that are one step from the places on a board and are not on the board SHUT."""
    above, here, below = boards[board, row - 1], boards[board, row], boards[board, row + 1]
    return one_step(boards, row, above, here, below) & ~boards[SHUT, row]


@inlined
def beside(places):
    """Return the places to the left and to the right of the given places."""
    return places << 1 | places >> 1


# Obstacles.


@compiled
def survey(fight, i, boards):
    """Fill the boards of obstacles: walls, fear, other fighters, and cost."""
    fighter = fight.fighters[i]
    survey_ground(fight, boards, is_in_drop(fight, i, fighter.x, fighter.y))
    survey_bodies(fight, i, boards)
    survey_roughened(fight, i, boards)
    if hooks.glides(fight, i):
        copy_numbers(fight.slowest, 0, boards[SLOW], 0, ROWS)
    if fighter.side > 1:
        widen(boards, fighter.side)
    if has(fighter, FRIGHTENED):
        for y in range(fight.height):
            for x in range(fight.width):
                boards[SHUT, y + 1] |= np.int64(dreads(fight, i, x, y)) << x


@inlined
def survey_ground(fight, boards, down):
    """Fill the boards with the obstacles of the ground; `down` says whether the fighter is in a drop."""
    copy_numbers(fight.walls, 0, boards[WALLS], 0, ROWS)
    copy_numbers(fight.slow, 0, boards[SLOW], 0, ROWS)
    copy_numbers(fight.slowest, 0, boards[SLOWEST], 0, ROWS)
    for row in range(ROWS):
        boards[SHUT, row] = fight.walls[row] | (WHOLE_ROW ^ fight.drops[row] if down else fight.drops[row])


@inlined
def survey_bodies(fight, i, boards):
    """Mark the obstacles that other fighters pose to fighter i on each of their squares."""
    for k in range(fight.n):
        if is_body(fight, i, k):
            mark_body(fight, boards, SLOW, k)
            if bars_stop(fight, i, k):
                mark_body(fight, boards, TAKEN, k)
            if bars_way(fight, i, k):
                mark_body(fight, boards, SHUT, k)


@with_abilities(None)
@compiled
def survey_roughened(fight, i, boards):
    """Mark the squares that abilities of others make difficult for fighter i."""
    for k in range(fight.n):
        around = hooks.roughens(fight, k, i)
        if around > 0:
            mark_around(fight, boards, SLOW, k, around)


@inlined
def mark_body(fight, boards, board, k):
    """Mark fighter k's squares on a board."""
    mark_around(fight, boards, board, k, 0)


@inlined
def mark_around(fight, boards, board, k, around):
    """Mark fighter k's squares on a board, and those that are at most `around` squares away."""
    other = fight.fighters[k]
    left = np.int64(other.x) - around
    squares = (np.int64(1) << np.int64(other.side) + 2 * around) - 1
    squares = squares << left if left >= 0 else squares >> -left
    first, last = np.int64(other.y) + 1 - around, np.int64(other.y) + other.side + around
    for row in range(max(1, first), min(last, np.int64(fight.height)) + 1):
        boards[board, row] |= squares


@compiled
def widen(boards, side):
    """Widen obstacles from squares to places: an obstacle on a square affects each place whose space includes it."""
    for board in range(WALLS, SLOWEST + 1):
        for row in range(ROWS):
            squares = boards[board, row]
            for k in range(1, side):
                boards[board, row] |= squares >> k
        for row in range(ROWS):
            for k in range(1, min(side, ROWS - row)):
                boards[board, row] |= boards[board, row + k]
