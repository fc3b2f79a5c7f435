"""Savior."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figure

FACTOR = figure("savior", "death_factor")
RUSH = figure("savior", "rush")


@ability("savior", rulings=["R-226"])
class Savior:
    """The owner dies only at twice the usual hit points below 0, and each of its wounds brings rush points at once."""

    def death_at(fight, i, slot, depth):
        return FACTOR * depth

    def wounded(fight, i, slot, log, victim, striker, rank):
        if victim == i:
            fight.fighters[i].rush += RUSH
