"""The ability of the Bandit: Dirty Fighter."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figure
from heartrush_env.games.heart_rush.rules.sheet import has
from heartrush_env.games.heart_rush.rules.terms import OFF_BALANCED, PRONE

ADVANTAGE = figure("bandit.dirty_fighter", "advantage")


@ability("bandit.dirty_fighter")
class DirtyFighter:
    """The owner's attacks on off-balanced or prone targets have advantage."""

    def attack(fight, i, slot, target, stance):
        other = fight.fighters[target]
        return ADVANTAGE if has(other, OFF_BALANCED) or has(other, PRONE) else 0
