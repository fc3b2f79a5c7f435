"""Space: squares of 5 feet, a diagonal counting as one; reach, ranges, and lines of sight.

Without a map, all fighters are within reach of one another, and no fighter is too crowded to shoot.
"""

import numpy as np

from heartrush_env.games.heretics.book import rule
from heartrush_env.games.heretics.rules.conditions import has
from heartrush_env.games.heretics.rules.fighters import in_two_hands, is_able
from heartrush_env.games.heretics.terms import BLIND, SHIELD_WALL
from heartrush_env.games.heretics.weapons import NO_ITEM, REACH
from heartrush_env.tabletop.choosing import NOBODY
from heartrush_env.tabletop.grids.places import blocked_lines, column_of, on_map, row_of
from heartrush_env.tabletop.grids.visibility import CORNERS
from heartrush_env.tabletop.rule import compiled

HEADING = "Space"
BLIND_SQUARES = 2  # how far the blind see


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


@rule(HEADING, "R-11")
def in_sight(fight, i, target):
    """Return whether there is a line of sight from fighter i to the target: walls block fewer than all four lines."""
    return blocked_lines(fight, i, target) < CORNERS


@rule("Conditions", "R-29")
def sees(fight, i, target):
    """Return whether fighter i sees the target: in a line of sight and, if i is blind, within 10 feet."""
    near = distance(fight, i, target) <= BLIND_SQUARES or not has(fight.fighters[i], BLIND)
    return near and in_sight(fight, i, target)
