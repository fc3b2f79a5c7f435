"""Environment > Forced Movement: pulls, by which abilities bring a creature nearer."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.forced_movement import (
    COLLISION_DIE,
    collide,
    fall_with_riders,
    first_in_way,
    hurt_by_collision,
    push_direction,
    stops_push,
    tell_collision,
)
from heartrush_env.games.heart_rush.rules.hits import LAST_RANK
from heartrush_env.games.heart_rush.rules.maneuvers.climb_on import end_climb_out_of_reach, end_contacts_out_of_reach
from heartrush_env.games.heart_rush.rules.maneuvers.grapple import drag
from heartrush_env.games.heart_rush.rules.movement import falls, place
from heartrush_env.games.heart_rush.rules.parts import body_of
from heartrush_env.games.heart_rush.rules.places import tell_carried
from heartrush_env.games.heart_rush.rules.space import distance, on_map
from heartrush_env.games.heart_rush.rules.terms import FEET, NOBODY
from heartrush_env.games.heart_rush.state.events import BY_DRAGGING, MOVE, tell_square
from heartrush_env.tabletop.rule import compiled, rule


@on_map(None)
@rule("Environment > Forced Movement", "R-240")
def pull(fight, log, i, j, feet):
    """Move fighter j toward i, until it is next to i, something stops it, or it falls; its hits come last."""
    other = fight.fighters[j]
    squares = hooks.pushed(fight, j, np.int64(feet // FEET if body_of(fight, j) == NOBODY else 0))
    squares = min(squares, distance(fight, i, j) - 1)
    moved, stopped, blocker, by_wall = 0, False, np.int64(NOBODY), False
    x, y = np.int64(other.x), np.int64(other.y)
    while moved < squares and distance(fight, i, j) > 1 and not stopped:
        dx, dy = push_direction(fight, i, j)
        by_wall = stops_push(fight, j, -dx, -dy)
        if not by_wall:
            blocker = np.int64(first_in_way(fight, j, other.x - dx, other.y - dy))
        stopped = by_wall or blocker != NOBODY
        if not stopped:
            x, y = np.int64(other.x), np.int64(other.y)
            place(fight, j, x - dx, y - dy)
            tell_square(fight, log, MOVE, j, i, BY_DRAGGING, other.x, other.y)
            moved += 1
            other.pushed_x, other.pushed_y, other.pushed = -dx, -dy, moved
            if falls(fight, j):
                break
    end_pull(fight, log, j, moved, x, y)
    if stopped:
        tell_collision(fight, log, i, j, blocker, by_wall)
        own, part = collide(fight, COLLISION_DIE, j, squares - moved, blocker, by_wall)
        hurt_by_collision(fight, i, j, own, blocker, part, LAST_RANK)
    if falls(fight, j):
        fall_with_riders(fight, log, i, j, LAST_RANK)
    other.pushed = 0


@compiled
def end_pull(fight, log, j, moved, x, y):
    """Take along those that fighter j carries and holds, and end the holds and climbs that its way has broken.

    If it has moved at all, x, y is its last place but one.
    """
    if moved > 0:
        tell_carried(fight, log, j)
        end_climb_out_of_reach(fight, j)
        drag(fight, log, j, x, y)
        end_contacts_out_of_reach(fight)
