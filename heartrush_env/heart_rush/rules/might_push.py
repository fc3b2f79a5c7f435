"""Weapons > Might Bonus > Melee: who pushes whom by beating it, and how the pusher may follow."""

from __future__ import annotations

import numpy as np

from heartrush_env.core.rule import rule
from heartrush_env.heart_rush.rules.movement import dreads
from heartrush_env.heart_rush.rules.sheet import attack_type, has
from heartrush_env.heart_rush.rules.space import on_map
from heartrush_env.heart_rush.rules.speed import squares_per_dash
from heartrush_env.heart_rush.rules.stances import beats
from heartrush_env.heart_rush.rules.terms import MELEE, MIGHT, NOBODY, PRONE, STANDING, STRIKE

MIGHT_PUSH = 10  # feet
SHOVE_PUSH = 5


@rule("Weapons > Might Bonus > Melee")
def pushes_by_might(match, i):
    """An attack in might with a melee weapon, or bare hands, pushes a target whose stance it beats."""
    fighter = match.fighters[i]
    if fighter.deed != STRIKE or fighter.stance != MIGHT or attack_type(fighter) != MELEE:
        return False
    return beats(match, MIGHT, match.fighters[fighter.target].stance)


@rule("Combat > Other Offensive Actions > Grappling", "R-80")
def holds_target(match, i):
    """Who holds the creature that it would push may squeeze it instead."""
    return match.fighters[i].grappling == match.fighters[i].target


@rule("Combat > Other Offensive Actions > Grappling", "R-80")
def squeeze_dice(match, i, held):
    """Six-sided dice of a squeeze: one, and one more for each size that the holder is larger."""
    return 1 + max(0, np.int64(match.fighters[i].size_rank) - match.fighters[held].size_rank)


@on_map(False)
@rule("Weapons > Might Bonus > Melee", "R-77")
def may_follow(match, i):
    """Who has pushed by might and can walk may follow the one it pushed, unless that frightens it."""
    fighter = match.fighters[i]
    if fighter.has_pushed == NOBODY or fighter.follow_squares == 0 or fighter.status != STANDING:
        return False
    if dreads(match, i, fighter.x + fighter.follow_x, fighter.y + fighter.follow_y):
        return False
    return not has(fighter, PRONE) and fighter.climbing == NOBODY and squares_per_dash(match, i) > 0
