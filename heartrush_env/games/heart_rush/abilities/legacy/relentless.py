"""Relentless."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability


@ability("relentless", rulings=["R-151"])
class Relentless:
    """The owner attacks and defends with heart dice of full size, whatever its heart die is now."""

    def heart(fight, i, slot, die):
        return fight.fighters[i].heart_max
