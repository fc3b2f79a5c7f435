"""The ability of the Skeleton: Mindless."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability
from heartrush_env.games.heart_rush.rules.terms import MENTAL


@ability("skeleton.mindless")
class Mindless:
    """The owner does not suffer from mental conditions."""

    def suffers(fight, i, slot, condition, source, given):
        return -given if condition in MENTAL else 0
