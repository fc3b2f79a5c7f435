"""Moving a fighter to another square and writing the event.

Fighters change squares on a map only in this way.
"""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.rules.movement import bars_stop, is_carried_by, is_footing, overlaps, place
from heartrush_env.games.heart_rush.rules.parts import bearer_of
from heartrush_env.games.heart_rush.rules.space import gap, on_map
from heartrush_env.games.heart_rush.rules.terms import GRAPPLED, GRAPPLING, NOBODY
from heartrush_env.games.heart_rush.state.events import BY_BEARER, BY_SIDESTEP, MOVE, tell_square
from heartrush_env.tabletop.rule import compiled


@compiled
def go(fight, log, i, x, y, how):
    """Move fighter i with its riders and parts to square (x, y), and write the events."""
    bring(fight, log, i, np.int64(NOBODY), x, y, how)


@compiled
def bring(fight, log, i, other, x, y, how):
    """Move fighter i with its riders and parts to square (x, y), and write the events, which name another fighter."""
    place(fight, i, x, y)
    tell_square(fight, log, MOVE, i, other, how, x, y)
    tell_carried(fight, log, i)


@on_map(False)
@compiled
def may_trade_places(fight, i, j):
    """Return whether fighters i and j fit into each other's places, with no third body there, and none is carried."""
    one, other = fight.fighters[i], fight.fighters[j]
    if bearer_of(fight, i) != NOBODY or bearer_of(fight, j) != NOBODY or is_held_or_holds(one, other):
        return False
    if gap(other.x, one.side, one.x, other.side) == 0 and gap(other.y, one.side, one.y, other.side) == 0:
        return False
    if not is_footing(fight, i, other.x, other.y) or not is_footing(fight, j, one.x, one.y):
        return False
    for k in range(fight.n):
        if k != i and k != j:
            if bars_stop(fight, i, k) and overlaps(other.x, other.y, one.side, fight.fighters[k]):
                return False
            if bars_stop(fight, j, k) and overlaps(one.x, one.y, other.side, fight.fighters[k]):
                return False
    return True


@compiled
def is_held_or_holds(one, other):
    """Return whether either of two fighters holds a creature or is held by one."""
    return (one.afflicted | other.afflicted) & (1 << GRAPPLING | 1 << GRAPPLED) != 0


@on_map(None)
@compiled
def trade_places(fight, log, i, j):
    """Move fighters i and j to each other's places."""
    one, other = fight.fighters[i], fight.fighters[j]
    x, y = np.int64(one.x), np.int64(one.y)
    go(fight, log, i, np.int64(other.x), np.int64(other.y), BY_SIDESTEP)
    go(fight, log, j, x, y, BY_SIDESTEP)


@compiled
def tell_carried(fight, log, i):
    """Report that the riders and parts of a fighter have moved along with it."""
    if fight.recording:
        for climber in range(fight.n):
            if is_carried_by(fight, climber, i):
                rider, bearer = fight.fighters[climber], bearer_of(fight, climber)
                tell_square(fight, log, MOVE, climber, bearer, BY_BEARER, rider.x, rider.y)
