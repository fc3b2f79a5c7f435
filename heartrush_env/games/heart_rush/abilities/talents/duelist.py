"""Duelist."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figures
from heartrush_env.games.heart_rush.rules.abilities import MINUTE, ON_ACTION, Aim, memo_for, remember_now, version

ADVANTAGE = figures("duelist", "advantage")
DISADVANTAGE = figures("duelist", "disadvantage")


@ability("duelist", on=[ON_ACTION], aim=Aim.ENEMY, rulings=["R-120"])
class Duelist:
    """For a minute, the owner has advantage against one rival, and disadvantage on defense against all others."""

    def do(fight, log, i, slot, target):
        remember_now(fight, i, slot, 1 + target)

    def attack(fight, i, slot, target, stance):
        return ADVANTAGE[version(fight, i, slot)] if memo_for(fight, i, slot, MINUTE) == 1 + target else 0

    def defense(fight, i, slot, striker, stance):
        rival = memo_for(fight, i, slot, MINUTE)
        if rival == 0:
            return 0
        return ADVANTAGE[version(fight, i, slot)] if rival == 1 + striker else -DISADVANTAGE[version(fight, i, slot)]
