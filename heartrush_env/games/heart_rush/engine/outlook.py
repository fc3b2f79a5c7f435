"""Cover across a map relative to one position, by the rules of the fight, for agents that choose where to stand."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartrush_env.games.heart_rush.engine.setup import lay_ground
from heartrush_env.games.heart_rush.rules.cover import NO_LINE, find_cover
from heartrush_env.games.heart_rush.scenario.battlefield import Battlefield
from heartrush_env.games.heart_rush.state.record import MAP_FIGHT
from heartrush_env.tabletop.kernels import kernel

OTHER, ONE = range(2)  # the two directions: the other fighter's cover, and the first fighter's own


def cover_around(field: Battlefield, x: int, y: int, side: int, other_side: int) -> NDArray[np.int8]:
    """Return cover levels between a fighter and another fighter in each square, with doors as in the scenario.

    `x`, `y` is the top-left square of the fighter's space and `side` its width in squares. `other_side` is the other
    fighter's width. The result has the shape (2, height, width) and is indexed by the other fighter's top-left square:
    first the other fighter's cover against the fighter, then the fighter's cover against the other. 4 is total
    cover; it also marks squares where the other fighter's space does not fit on the map.
    """
    fights = _ground(field)
    one, other = fights[0].fighters[0], fights[0].fighters[1]
    one.x, one.y, one.side, other.side = x, y, side, other_side
    cover = np.full((2, field.height, field.width), NO_LINE, np.int8)
    look_around(fights, cover)
    return cover


@lru_cache(maxsize=64)
def _ground(field: Battlefield) -> Any:
    """Return a fight on this map between two placeholder fighters."""
    fights = np.zeros(1, MAP_FIGHT)
    lay_ground(fights[0], field)
    return fights


@kernel
def look_around(fights, cover):
    """Put fighter 1 into each square; record its cover against fighter 0 and fighter 0's cover against it."""
    fight = fights[0]
    other = fight.fighters[1]
    for y in range(fight.height - other.side + 1):
        for x in range(fight.width - other.side + 1):
            other.x, other.y = x, y
            cover[OTHER, y, x] = find_cover(fight, 0, 1)
            cover[ONE, y, x] = find_cover(fight, 1, 0)
