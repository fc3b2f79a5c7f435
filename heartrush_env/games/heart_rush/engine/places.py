"""Moving a fighter to another square and writing the event.

Fighters change squares on a map only in this way.
"""

from __future__ import annotations

from heartrush_env.games.heart_rush.engine.events import BY_BEARER, MOVE, tell_square
from heartrush_env.games.heart_rush.rules.movement import is_carried_by, place
from heartrush_env.games.heart_rush.rules.parts import bearer_of
from heartrush_env.games.heart_rush.rules.terms import NOBODY
from heartrush_env.tabletop.rule import compiled


@compiled
def go(match, log, i, x, y, how):
    """Move fighter i with its riders and parts to square (x, y), and write the events."""
    place(match, i, x, y)
    tell_square(match, log, MOVE, i, NOBODY, how, x, y)
    tell_carried(match, log, i)


@compiled
def tell_carried(match, log, i):
    """Report that the riders and parts of a fighter have moved along with it."""
    if match.recording:
        for climber in range(match.n):
            if is_carried_by(match, climber, i):
                rider, bearer = match.fighters[climber], bearer_of(match, climber)
                tell_square(match, log, MOVE, climber, bearer, BY_BEARER, rider.x, rider.y)
