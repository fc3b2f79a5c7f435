"""Power Strike."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability
from heartrush_env.games.heart_rush.engine.strikes import is_own_attack
from heartrush_env.games.heart_rush.rules.abilities import ON_ENGAGEMENT, memo_for, remember, remember_now


@ability("power_strike", on=[ON_ENGAGEMENT], rulings=["R-178"])
class PowerStrike:
    """In the owner's next attack of the round, dice above half of their size count for Brutal Attacks."""

    def may(fight, i, slot, target):
        """Return whether the ability is not waiting for an attack already."""
        return memo_for(fight, i, slot, 1) == 0

    def do(fight, log, i, slot, target):
        remember_now(fight, i, slot, 1)

    def explodes(fight, i, slot, sides, least):
        return sides // 2 + 1 if memo_for(fight, i, slot, 1) == 1 and is_own_attack(fight, i) else least

    def attacked(fight, i, slot, striker, target, cause, damage):
        if striker == i:
            remember(fight, i, slot, 0)
