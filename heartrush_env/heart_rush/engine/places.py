"""Moving to another square and writing its event: the only way in which fighters change places on a map."""

from __future__ import annotations

import numpy as np

from heartrush_env.core.rule import compiled
from heartrush_env.heart_rush.engine.events import BY_BEARER, MOVE, tell_square
from heartrush_env.heart_rush.rules.movement import is_carried_by, place
from heartrush_env.heart_rush.rules.space import on_map
from heartrush_env.heart_rush.rules.terms import MAP_SIDE, NOBODY


@on_map(0)
@compiled
def square_of(match, i):
    """The number of a fighter's square."""
    return np.int64(match.fighters[i].y) * MAP_SIDE + match.fighters[i].x


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
