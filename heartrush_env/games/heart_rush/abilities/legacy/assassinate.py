"""Assassinate."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figure, parts
from heartrush_env.games.heart_rush.rules.abilities import ON_PHASE, memo_for, remember_now
from heartrush_env.games.heart_rush.rules.actions.attack import is_attacker
from heartrush_env.games.heart_rush.rules.terms import ATTACK

PARTS = parts("assassinate", "threshold")[0]
FACTOR = figure("assassinate", "factor")
ARMED, NOW = 1, 2  # memo values: it applies to the next attack roll, or to the one just made


@ability("assassinate", on=[ON_PHASE], rulings=["R-142"])
class Assassinate:
    """The owner's next attack of the round deals double damage if it deals at least half of the target's hit points."""

    def may(fight, i, slot, target):
        """Return whether the owner attacks in this phase."""
        return is_attacker(fight, i)

    def do(fight, log, i, slot, target):
        remember_now(fight, i, slot, ARMED)

    def rolled(fight, i, slot, kind, other, roll):
        if kind == ATTACK:
            remember_now(fight, i, slot, NOW if memo_for(fight, i, slot, 1) == ARMED else 0)

    def multiplies(fight, i, slot, target, damage):
        deadly = memo_for(fight, i, slot, 1) == NOW and damage * PARTS >= fight.fighters[target].hp
        return damage * FACTOR if deadly else damage
