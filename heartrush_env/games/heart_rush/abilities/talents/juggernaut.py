"""Juggernaut."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figures
from heartrush_env.games.heart_rush.rules.abilities import version
from heartrush_env.games.heart_rush.rules.terms import FEET

LESS = figures("juggernaut", "forced_reduction_ft") // FEET


@ability("juggernaut", rulings=["R-202"], left_out="how much it carries")
class Juggernaut:
    """Equipment does not slow the owner: the speed with which it begins a fight includes this.

    In the destiny version, it is pushed less far.
    """

    def pushed(fight, i, slot, squares):
        return max(0, squares - LESS[version(fight, i, slot)])
