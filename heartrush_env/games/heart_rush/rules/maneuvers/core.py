"""Executing Special Maneuvers > Core Maneuver Rules: the requirements of all maneuvers."""

from __future__ import annotations

from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.hooks import with_abilities
from heartrush_env.games.heart_rush.rules.space import next_to
from heartrush_env.games.heart_rush.rules.stances import beats
from heartrush_env.tabletop.rule import compiled, rule


@rule("Combat > Other Offensive Actions > Executing Special Maneuvers > Core Maneuver Rules")
def may_maneuver(fight, i, target):
    """Return whether maneuvers are allowed, the target is adjacent, and the fighter's stance beats the target's."""
    if not fight.rules.maneuvers or not next_to(fight, i, target):
        return False
    return beats(fight, fight.fighters[i].stance, fight.fighters[target].stance)


@with_abilities(False)
@compiled
def may_maneuver_without_win(fight, i, target, deed):
    """Return whether an ability lets the fighter attempt a maneuver even if its stance beats no stance."""
    return fight.rules.maneuvers and next_to(fight, i, target) and hooks.needs_no_win(fight, i, target, deed)
