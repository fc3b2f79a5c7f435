"""Tough as Nails."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figure

THRESHOLD = figure("tough_as_nails", "threshold")


@ability("tough_as_nails")
class ToughAsNails:
    """It takes more damage to wound the owner; a creature that cannot be wounded is unaffected."""

    def begin(fight, i, slot):
        if fight.fighters[i].wound_threshold > 0:
            fight.fighters[i].wound_threshold += THRESHOLD
