"""Indomitable Fortitude."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figure
from heartrush_env.games.heart_rush.rules.healing import heal

HEAL = figure("indomitable_fortitude", "heal")


@ability("indomitable_fortitude")
class IndomitableFortitude:
    """The owner heals as a round starts, if it has more than 0 hit points."""

    def round_starts(fight, i, slot, log):
        if fight.fighters[i].hp > 0:
            heal(fight, log, i, i, HEAL)
