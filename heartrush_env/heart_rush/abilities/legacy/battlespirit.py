"""Battlespirit."""

from __future__ import annotations

from heartrush_env.heart_rush.abilities.unit import ability, figure

FACTOR = figure("battlespirit", "factor")


@ability("battlespirit")
class Battlespirit:
    """The rush points of each round start count twice."""

    def gains_rush(fight, i, slot):
        return fight.fighters[i].rush * (FACTOR - 1)
