"""Dodge and Weave."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figures
from heartrush_env.games.heart_rush.rules.abilities import memo, remember, version
from heartrush_env.games.heart_rush.rules.dice import add_ability_bonus
from heartrush_env.games.heart_rush.rules.terms import DEFENSE

BONUS = figures("dodge_and_weave", "defense")


@ability("dodge_and_weave")
class DodgeAndWeave:
    """Each sidestep of the round, including one spent on rising, adds to the owner's next defense roll."""

    def sidestepped(fight, i, slot, log):
        remember(fight, i, slot, memo(fight, i, slot) + 1)

    def defense(fight, i, slot, striker, stance):
        steps = memo(fight, i, slot)
        if steps > 0:
            add_ability_bonus(fight.pool, steps * BONUS[version(fight, i, slot)])
        return 0

    def rolled(fight, i, slot, kind, other, roll):
        if kind == DEFENSE:
            remember(fight, i, slot, 0)

    def round_starts(fight, i, slot, log):
        remember(fight, i, slot, 0)
