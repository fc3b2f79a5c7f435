"""Savior."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figure
from heartrush_env.games.heart_rush.rules.abilities import show_ability
from heartrush_env.games.heart_rush.rules.terms import NOBODY
from heartrush_env.games.heart_rush.state.events import RUSH_EVENT, tell

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
            show_ability(fight, i, slot)
            tell(fight, log, RUSH_EVENT, i, NOBODY, 0, fight.fighters[i].rush)
