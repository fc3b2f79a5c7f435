"""Executing Special Maneuvers: what all of them ask for, and who still takes hold when they come to effect."""

from __future__ import annotations

from heartrush_env.core.rule import rule
from heartrush_env.heart_rush.rules.space import next_to
from heartrush_env.heart_rush.rules.stances import beats
from heartrush_env.heart_rush.rules.terms import STANDING

MIGHT_OR_AGILITY = 4  # in a contest, beside the abilities: whichever is expected to be higher


@rule("Combat > Other Offensive Actions > Executing Special Maneuvers")
def may_maneuver(fight, i, target):
    """A maneuver takes the place of an attack, by a stance that beats that of a target right beside."""
    if not fight.rules.maneuvers or not next_to(fight, i, target):
        return False
    return beats(fight, fight.fighters[i].stance, fight.fighters[target].stance)


@rule("Combat > Other Offensive Actions > Grappling", "R-33")
def takes_hold(fight, i, target):
    """A fighter that is out, or no longer beside its target, takes hold of nobody."""
    return fight.fighters[i].status == STANDING and next_to(fight, i, target)
