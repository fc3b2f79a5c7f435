"""Eye of the Storm."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figure
from heartrush_env.games.heart_rush.engine.strikes import add_open
from heartrush_env.games.heart_rush.rules.abilities import memo, remember
from heartrush_env.games.heart_rush.rules.terms import FROM_OPPORTUNITY

FURTHER = figure("eye_of_the_storm", "opportunity_attacks") - 1


@ability("eye_of_the_storm", needs="cells", rulings=["R-211"])
class EyeOfTheStorm:
    """The owner strikes twice at a creature that leaves its reach.

    The memo is one more than the creature that is about to leave.
    """

    def escapes(fight, i, slot, mover, enemy, leaves):
        """Remember a creature that is about to leave the owner's reach; this lets no creature escape."""
        if enemy == i:
            remember(fight, i, slot, mover + 1 if leaves else 0)
        return False

    def attacked(fight, i, slot, striker, target, cause, damage):
        if striker != i or cause != FROM_OPPORTUNITY or memo(fight, i, slot) != target + 1:
            return
        remember(fight, i, slot, 0)
        if fight.kept_count > 0 and fight.mover == target:  # in the inner window of an opening
            for _ in range(FURTHER):
                add_open(fight, i, target, fight.exchange.stance)
