"""One with War."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figure
from heartrush_env.games.heart_rush.rules.abilities import EFFECTS

PER_POINT = figure("one_with_war", "picks_per_rush")


@ability("one_with_war", rulings=["R-199"])
class OneWithWar:
    """The owner's Battle Spirited brings two effects for each point, and one more for each further pick of this."""

    def improves(fight, i, slot, what, amount):
        return amount + PER_POINT - 1 if what == EFFECTS else amount
