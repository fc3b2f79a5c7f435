"""Speed: the squares of one dash, by equipment and conditions."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.sheet import HELD, SENSELESS, has
from heartrush_env.games.heart_rush.rules.terms import (
    CRIPPLED,
    GRAPPLING,
    PRONE,
    SLOWED,
)
from heartrush_env.tabletop.rule import compiled, rule


@rule("Environment > Speed", "R-281")
def squares_per_dash(fight, i):
    """Return the squares of a dash: half if slowed, at most 1 if crippled or prone, 0 if senseless, held or holding.

    The setting `top_speed` limits it. Abilities may let a fighter move while it holds a creature.
    """
    if has(fight.fighters[i], GRAPPLING):
        left = hooks.speed_of(fight, i, True, np.int64(0))
        return min(left, unheld_speed(fight, i)) if left > 0 else np.int64(0)
    return unheld_speed(fight, i)


@compiled
def unheld_speed(fight, i):
    """Return the squares of one dash, ignoring any creature that the fighter holds."""
    fighter = fight.fighters[i]
    if fighter.afflicted & (SENSELESS | HELD):
        return 0
    speed = min(np.int64(fight.rules.top_speed), hooks.speed_of(fight, i, False, np.int64(fighter.sets[0].speed)))
    if has(fighter, SLOWED):
        speed //= 2
    if has(fighter, CRIPPLED) or has(fighter, PRONE):
        speed = min(1, speed)
    return speed
