"""Weapons > Might Bonus > Melee: who pushes whom by beating it, and how the pusher may follow."""

from __future__ import annotations

from heartrush_env.core.rule import rule
from heartrush_env.heart_rush.rules.sheet import attack_type, has
from heartrush_env.heart_rush.rules.space import on_map, squares_per_dash
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


@on_map(False)
@rule("Weapons > Might Bonus > Melee")
def may_follow(match, i):
    """Who has pushed by might and can walk may follow the one it pushed."""
    fighter = match.fighters[i]
    if fighter.has_pushed == NOBODY or fighter.follow_squares == 0 or fighter.status != STANDING:
        return False
    return not has(fighter, PRONE) and fighter.climbing == NOBODY and squares_per_dash(match, i) > 0
