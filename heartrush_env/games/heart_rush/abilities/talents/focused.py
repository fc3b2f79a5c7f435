"""Focused."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figures
from heartrush_env.games.heart_rush.rules.abilities import version

KEEP = figures("focused", "keep")


@ability("focused")
class Focused:
    """The owner keeps some unspent rush points for the next round."""

    def keeps_rush(fight, i, slot):
        return KEEP[version(fight, i, slot)]
