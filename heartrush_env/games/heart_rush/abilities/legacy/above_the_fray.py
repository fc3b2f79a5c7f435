"""Above the Fray."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figure
from heartrush_env.games.heart_rush.rules.abilities import memo_for, remember_now, show_ability

TIMES = figure("above_the_fray", "per_round")


@ability("above_the_fray", rulings=["R-234"])
class AboveTheFray:
    """Once a round, an object interaction, a sidestep or help that would cost the action is free, as every trip is.

    The memo of the round is how often that was so.
    """

    def spares_action(fight, i, slot, mover, helps, pays):
        made = memo_for(fight, i, slot, 1)
        if mover != i or made >= TIMES:
            return False
        if pays:
            remember_now(fight, i, slot, made + 1)
            show_ability(fight, i, slot)
        return True
