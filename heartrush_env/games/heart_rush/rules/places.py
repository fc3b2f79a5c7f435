"""Moving a fighter to another square and writing the event.

Fighters change squares on a map only in this way.
"""

from __future__ import annotations

from heartrush_env.games.heart_rush.rules.movement import is_carried_by, place
from heartrush_env.games.heart_rush.rules.parts import bearer_of
from heartrush_env.games.heart_rush.rules.terms import NOBODY
from heartrush_env.games.heart_rush.state.events import BY_BEARER, MOVE, tell_square
from heartrush_env.tabletop.rule import compiled


@compiled
def go(fight, log, i, x, y, how):
    """Move fighter i with its riders and parts to square (x, y), and write the events."""
    place(fight, i, x, y)
    tell_square(fight, log, MOVE, i, NOBODY, how, x, y)
    tell_carried(fight, log, i)


@compiled
def tell_carried(fight, log, i):
    """Report that the riders and parts of a fighter have moved along with it."""
    if fight.recording:
        for climber in range(fight.n):
            if is_carried_by(fight, climber, i):
                rider, bearer = fight.fighters[climber], bearer_of(fight, climber)
                tell_square(fight, log, MOVE, climber, bearer, BY_BEARER, rider.x, rider.y)
