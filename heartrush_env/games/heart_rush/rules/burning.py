"""Conditions > Burning and Suffocating: damage at the end of each round, or at each exertion."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.dice import add_die, clear_pool, roll
from heartrush_env.games.heart_rush.rules.hits import LAST_RANK, add_hit, start_batch
from heartrush_env.games.heart_rush.rules.sheet import has
from heartrush_env.games.heart_rush.rules.terms import (
    BURNING,
    DEAD,
    DEFEATED,
    FROM_BURNING,
    FROM_SUFFOCATING,
    NOBODY,
    OF_DAMAGE,
    STANDING,
    SUFFOCATING,
)
from heartrush_env.tabletop.rule import compiled, rule

SUFFOCATION_DIE = 6

BURNING_DIE = 6


@rule("Conditions > Suffocating", "R-49")
def suffocate_if(fight, i, exerted):
    """Deal 1d6 damage to fighter i if it is suffocating and has `exerted` itself by moving or acting."""
    if exerted and suffocates(fight, i) and fight.fighters[i].status == STANDING:
        clear_pool(fight.pool)
        add_die(fight.pool, OF_DAMAGE, SUFFOCATION_DIE)
        add_hit(fight, i, NOBODY, FROM_SUFFOCATING, roll(fight.pool, fight, fight.attack_roll), LAST_RANK)


@rule("Conditions > Burning and Suffocating", "R-49", unfolds=True)
def burn_and_suffocate(fight):
    """Deal each fighter 1d6 damage per level of burning, and 1d6 if it is suffocating, at the end of the round."""
    fight.engaged = False
    start_batch(fight)
    for i in range(fight.n):
        fighter = fight.fighters[i]
        if not fighter.afflicted or fighter.status == DEAD or fighter.status == DEFEATED:
            continue
        for condition, cause in ((BURNING, FROM_BURNING), (SUFFOCATING, FROM_SUFFOCATING)):
            burns = condition == BURNING
            levels = np.int64(fighter.levels[BURNING]) if burns else np.int64(suffocates(fight, i))
            if levels > 0:
                die = hooks.burns(fight, i, np.int64(BURNING_DIE)) if burns else np.int64(SUFFOCATION_DIE)
                clear_pool(fight.pool)
                for _ in range(levels):
                    add_die(fight.pool, OF_DAMAGE, die)
                add_hit(fight, i, NOBODY, cause, roll(fight.pool, fight, fight.attack_roll), cause)


@compiled
def suffocates(fight, i):
    """Return whether fighter i suffocates: by the condition, or because of an ability."""
    return has(fight.fighters[i], SUFFOCATING) or hooks.chokes(fight, i)
