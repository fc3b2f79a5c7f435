"""Bulwark Infinitum."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figure
from heartrush_env.games.heart_rush.rules.abilities import BANKED_DICE

FACTOR = figure("bulwark_infinitum", "factor")


@ability("bulwark_infinitum")
class BulwarkInfinitum:
    """The owner's Eternal Fortitude banks twice as many dice."""

    def improves(fight, i, slot, what, amount):
        return amount * FACTOR if what == BANKED_DICE else amount
