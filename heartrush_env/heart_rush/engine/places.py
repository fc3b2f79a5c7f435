"""Moving to another square and writing its event: the only way in which fighters change places on a map."""

from __future__ import annotations

from heartrush_env.core.rule import compiled
from heartrush_env.heart_rush.engine.events import BY_BEARER, MOVE, tell_square
from heartrush_env.heart_rush.rules.movement import is_carried_by, place
from heartrush_env.heart_rush.rules.terms import NOBODY


@compiled
def go(match, log, i, x, y, how):
    """Move fighter i and all its riders to a place."""
    place(match, i, x, y)
    tell_square(match, log, MOVE, i, NOBODY, how, x, y)
    tell_carried(match, log, i)


@compiled
def tell_carried(match, log, i):
    """Move the riders of a fighter along with it."""
    if match.recording:
        for climber in range(match.n):
            if is_carried_by(match, climber, i):
                rider = match.fighters[climber]
                tell_square(match, log, MOVE, climber, rider.climbing, BY_BEARER, rider.x, rider.y)
