"""Battlespirit."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figure

FACTOR = figure("battlespirit", "factor")


@ability("battlespirit", rulings=["R-152"])
class Battlespirit:
    """The rush points that the owner gains as a round starts count twice."""

    def counts_rush(fight, i, slot, points):
        return points * FACTOR
