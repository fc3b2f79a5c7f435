"""Relentless."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability


@ability("relentless", rulings=["R-151"])
class Relentless:
    """All heart dice of the owner's attacks and defenses have the full size."""

    def heart(fight, i, slot, die):
        return fight.fighters[i].heart_max
