"""Executing Special Maneuvers > Core Maneuver Rules: the requirements of all maneuvers."""

from __future__ import annotations

from heartrush_env.core.rule import rule
from heartrush_env.heart_rush.rules.space import next_to
from heartrush_env.heart_rush.rules.stances import beats

MIGHT_OR_AGILITY = 4  # in a contest, beside the abilities: whichever is expected to be higher


@rule("Combat > Other Offensive Actions > Executing Special Maneuvers > Core Maneuver Rules")
def may_maneuver(fight, i, target):
    """A maneuver replaces an attack; it needs a stance that beats that of an adjacent target."""
    if not fight.rules.maneuvers or not next_to(fight, i, target):
        return False
    return beats(fight, fight.fighters[i].stance, fight.fighters[target].stance)
