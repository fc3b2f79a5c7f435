"""The ability of the Wolf: Hamstring."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figure
from heartrush_env.games.heart_rush.rules.conditions import inflict
from heartrush_env.games.heart_rush.rules.stances import beats_target
from heartrush_env.games.heart_rush.rules.terms import OFF_BALANCED

LEVELS = figure("wolf.hamstring", "off_balanced")


@ability("wolf.hamstring")
class Hamstring:
    """A target whose stance the owner's attack beats is left off-balanced, whatever the damage (R-6)."""

    def effect(fight, i, slot, log, target):
        if beats_target(fight, i, target):
            inflict(fight, i, target, OFF_BALANCED, LEVELS)
