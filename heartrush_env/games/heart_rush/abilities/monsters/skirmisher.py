"""An ability of the Skirmisher template: Press the Advantage."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figure
from heartrush_env.games.heart_rush.rules.sheet import has
from heartrush_env.games.heart_rush.rules.terms import OFF_BALANCED

ADVANTAGE = figure("skirmisher.press_the_advantage", "advantage")


@ability("skirmisher.press_the_advantage")
class PressTheAdvantage:
    """The owner's attacks on off-balanced targets have advantage."""

    def attack(fight, i, slot, target, stance):
        return ADVANTAGE if has(fight.fighters[target], OFF_BALANCED) else 0
