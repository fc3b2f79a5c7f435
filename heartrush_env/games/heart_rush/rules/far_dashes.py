"""The Action Phase > Dash: dashes that go on to a place that is too far away for the action table (R-281)."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.rules.boards import ENDS, new_boards
from heartrush_env.games.heart_rush.rules.destinations import columns_near, offset, steps_to
from heartrush_env.games.heart_rush.rules.paths import cost_of_reaching, dash_budget, find_ends
from heartrush_env.games.heart_rush.rules.terms import NEAR
from heartrush_env.tabletop.rule import compiled, inlined


@compiled
def goes_on_from(fight, i, number):
    """Return whether a dash of fighter i to the place with this number may go on to one too far away for the table."""
    east, south = steps_to(number)
    if max(abs(east), abs(south)) != NEAR or dash_budget(fight, i) <= NEAR:
        return False
    boards = new_boards()
    find_ends(fight, i, boards, dash_budget(fight, i))
    x, y = fight.fighters[i].x + east, fight.fighters[i].y + south
    for row in range(max(0, y - NEAR), min(fight.height, y + NEAR + 1)):
        if farther_ends(fight, i, boards, x, row):
            return True
    return False


@inlined
def farther_ends(fight, i, boards, x, row):
    """Return the places of a row, a bit each, where i's dash may end: up to NEAR columns from x, but not near i."""
    ends = boards[ENDS, row + 1] & columns_near(x)
    return ends & ~columns_near(fight.fighters[i].x) if abs(row - fight.fighters[i].y) <= NEAR else ends


@compiled
def write_farther(fight, i, number, masks, start):
    """Write 1 for each place to which i's dash may go on from the place with this number; they are numbered from it."""
    boards = new_boards()
    find_ends(fight, i, boards, dash_budget(fight, i))
    east, south = steps_to(number)
    x, y = fight.fighters[i].x + east, fight.fighters[i].y + south
    for row in range(max(0, y - NEAR), min(fight.height, y + NEAR + 1)):
        ends = farther_ends(fight, i, boards, x, row)
        for column in range(max(0, x - NEAR), min(fight.width, x + NEAR + 1) if ends else 0):
            masks[start + offset(column - x, row - y)] = ends >> column & 1


@compiled
def squares_left(fight, i, number):
    """Return the squares of fighter i's dash that are left at the place with this number."""
    budget, boards = dash_budget(fight, i), new_boards()
    find_ends(fight, i, boards, budget)
    east, south = steps_to(number)
    return np.int64(budget - cost_of_reaching(boards, fight.fighters[i].x + east, fight.fighters[i].y + south))
