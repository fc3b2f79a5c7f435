"""Pack."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figure
from heartrush_env.games.heart_rush.rules.space import standing_beside

ADVANTAGE = figure("pack", "advantage")


@ability("pack")
class Pack:
    """The owner's attacks have advantage while an ally is adjacent to it."""

    def attack(fight, i, slot, target, stance):
        return ADVANTAGE if standing_beside(fight, i, True) > 0 else 0
