"""Cleave."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.carried_on import LEFT, go_on, may_go_on, use_what_is_left, would_hurt
from heartrush_env.games.heart_rush.abilities.held import strikes_heavily
from heartrush_env.games.heart_rush.abilities.unit import ability
from heartrush_env.games.heart_rush.rules.abilities import ON_SECOND_ROLL, Aim, fighter_named, memo, remember
from heartrush_env.games.heart_rush.rules.attack_rolls import damage_type_in
from heartrush_env.games.heart_rush.rules.terms import NO_STANCE, NOBODY, SLASHING
from heartrush_env.tabletop.rule import compiled


@ability("cleave", on=[ON_SECOND_ROLL], aim=Aim.ENEMY, rulings=["R-223"])
class Cleave:
    """Damage of the owner's heavy slashing weapon goes on to another creature in reach, which defends against it.

    What gets through goes on to the next, until nothing is left.
    """

    def may(fight, i, slot, target):
        slashes = strikes_heavily(fight, i, target) and damage_type_in(fight, i, NO_STANCE) == SLASHING
        if not slashes or memo(fight, i, slot) != 0:
            return False
        return would_hurt(fight, i) and may_go_on(fight, i, target)

    def do(fight, log, i, slot, target):
        remember(fight, i, slot, 1 + target)

    def attacked(fight, i, slot, striker, target, cause, damage):
        number = memo(fight, i, slot)
        if striker == i and number > 0:
            named = fighter_named(fight, number) if number < LEFT else next_in_reach(fight, i)
            go_on(fight, i, slot, named, damage)

    def resumes(fight, i, slot, target, roll):
        use_what_is_left(fight, i, slot, target, roll)


@compiled
def next_in_reach(fight, i):
    """Return the next creature to which damage goes on, or NOBODY; the earlier slot comes first."""
    fighter = fight.fighters[i]
    for place in range(fighter.enemy_count):
        if may_go_on(fight, i, fighter.enemies[place]):
            return np.int64(fighter.enemies[place])
    return np.int64(NOBODY)
