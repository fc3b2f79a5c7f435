"""The ability of the Goblin Scout: Gang Up."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figure
from heartrush_env.games.heart_rush.rules.cover import is_flanked

ADVANTAGE = figure("goblin_scout.gang_up", "advantage")


@ability("goblin_scout.gang_up", rulings=["R-221"], needs="cells")
class GangUp:
    """The owner's attacks on a flanked target have advantage."""

    def attack(fight, i, slot, target, stance):
        return ADVANTAGE if is_flanked(fight, target, i) else 0
