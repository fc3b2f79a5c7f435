"""Other Offensive Actions > Climb On."""

from __future__ import annotations

from heartrush_env.heart_rush.engine.pushing import step_onto
from heartrush_env.heart_rush.rules.choices import Contest, maneuver
from heartrush_env.heart_rush.rules.contests import sizes_larger
from heartrush_env.heart_rush.rules.maneuvers.core import MIGHT_OR_AGILITY, takes_hold
from heartrush_env.heart_rush.rules.taking_damage import climb_up
from heartrush_env.heart_rush.rules.terms import NOBODY

SIZES_TO_CLIMB = 2


@maneuver(
    "climb_on",
    words="climb on {target}: a contest",
    tells="{fighter} tries to climb on {target}",
    heading="Combat > Other Offensive Actions > Climb On",
    contest=Contest(MIGHT_OR_AGILITY, MIGHT_OR_AGILITY),
)
class ClimbOn:
    """A fighter climbs on a creature at least two sizes larger, and is in the nearest square of it."""

    def may(fight, i, target, detail):
        return fight.fighters[i].climbing == NOBODY and sizes_larger(fight, i, target) >= SIZES_TO_CLIMB

    def do(fight, log, i, target, detail):
        if takes_hold(fight, i, target):
            climb_up(fight, i, target)
            step_onto(fight, log, i, target)
