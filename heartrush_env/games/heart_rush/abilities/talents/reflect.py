"""Reflect."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figures, parts
from heartrush_env.games.heart_rush.rules.abilities import ON_DAMAGE, Aim, fighter_named, memo, remember, version
from heartrush_env.games.heart_rush.rules.cover import is_within
from heartrush_env.games.heart_rush.rules.hits import strike_back
from heartrush_env.games.heart_rush.rules.taking_damage import pending_hit
from heartrush_env.games.heart_rush.rules.terms import FROM_ABILITY, NOBODY

RANGE = int(figures("reflect", "range_ft")[0])
PARTS = parts("reflect", "factor")


@ability("reflect", on=[ON_DAMAGE], aim=Aim.ENEMY, rulings=["R-96", "R-110"])
class Reflect:
    """The next damage that the owner takes also hurts an enemy."""

    def may(fight, i, slot, target):
        """Return whether the owner is about to be hit and the target is within range."""
        return pending_hit(fight, i) != NOBODY and is_within(fight, i, target, RANGE)

    def do(fight, log, i, slot, target):
        remember(fight, i, slot, 1 + target)

    def damaged(fight, i, slot, log, victim, striker, cause, damage):
        target = fighter_named(fight, memo(fight, i, slot))
        if victim == i and damage > 0 and target != NOBODY:
            remember(fight, i, slot, 0)
            strike_back(fight, target, i, FROM_ABILITY, damage // PARTS[version(fight, i, slot)])
