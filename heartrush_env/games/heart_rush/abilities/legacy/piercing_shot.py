"""Piercing Shot."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.carried_on import go_on, may_go_on, use_what_is_left, would_hurt
from heartrush_env.games.heart_rush.abilities.held import HEAVY_DIE
from heartrush_env.games.heart_rush.abilities.unit import ability
from heartrush_env.games.heart_rush.rules.abilities import ON_SECOND_ROLL, memo, remember
from heartrush_env.games.heart_rush.rules.attack_rolls import damage_type_in, weapon_die
from heartrush_env.games.heart_rush.rules.cover import center, crosses
from heartrush_env.games.heart_rush.rules.space import distance
from heartrush_env.games.heart_rush.rules.terms import MAP_SIDE, NO_STANCE, NOBODY, PIERCING, RANGED
from heartrush_env.games.heart_rush.rules.weapons import type_against
from heartrush_env.tabletop.rule import compiled

FLIES = 1  # the memo, before there is any damage


@ability("piercing_shot", on=[ON_SECOND_ROLL], needs="cells", rulings=["R-223"])
class PiercingShot:
    """Damage of the owner's heavy piercing bow flies on along its line to the next creature, which defends against it.

    What gets through flies on to the next, until nothing is left or the range ends.
    """

    def may(fight, i, slot, target):
        o = fight.exchange.target if i == fight.exchange.striker else fight.exchange.striker
        heavy = weapon_die(fight, i, o) == HEAVY_DIE and type_against(fight, i, o) == RANGED
        if not heavy or damage_type_in(fight, i, NO_STANCE) != PIERCING or memo(fight, i, slot) != 0:
            return False
        return would_hurt(fight, i) and next_in_line(fight, i, o) != NOBODY

    def do(fight, log, i, slot, target):
        remember(fight, i, slot, FLIES)

    def attacked(fight, i, slot, striker, target, cause, damage):
        if striker == i and memo(fight, i, slot) > 0:
            go_on(fight, i, slot, next_in_line(fight, i, target), damage)

    def resumes(fight, i, slot, target, roll):
        use_what_is_left(fight, i, slot, target, roll)


@compiled
def next_in_line(fight, i, target):
    """Return the nearest enemy behind the target on the line through both centers, or NOBODY."""
    ax, ay = center(fight.fighters[i])
    bx, by = center(fight.fighters[target])
    ex, ey = bx + MAP_SIDE * (bx - ax), by + MAP_SIDE * (by - ay)
    best, nearest = np.int64(NOBODY), distance(fight, i, target)
    for place in range(fight.fighters[i].enemy_count):
        j = fight.fighters[i].enemies[place]
        away = distance(fight, i, j)
        if away <= distance(fight, i, target) or (best != NOBODY and away >= nearest):
            continue
        if may_go_on(fight, i, j) and is_crossed(fight, j, bx, by, ex, ey):
            best, nearest = np.int64(j), away
    return best


@compiled
def is_crossed(fight, j, ax, ay, bx, by):
    """Return whether a line between two points, in half squares, crosses fighter j's space."""
    other = fight.fighters[j]
    for y in range(other.y, other.y + other.side):
        for x in range(other.x, other.x + other.side):
            if crosses(ax, ay, bx, by, x, y):
                return True
    return False
