"""Whirlwind Strike."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability
from heartrush_env.games.heart_rush.engine.strikes import add_extra, has_rolled_attack, makes_attack
from heartrush_env.games.heart_rush.rules.abilities import ON_ROLLS
from heartrush_env.games.heart_rush.rules.attack_rolls import damage_type_in
from heartrush_env.games.heart_rush.rules.engaging import takes_part
from heartrush_env.games.heart_rush.rules.stances import may_target
from heartrush_env.games.heart_rush.rules.terms import MELEE, NO_STANCE, SLASHING, STANDING
from heartrush_env.games.heart_rush.rules.weapons import type_against
from heartrush_env.tabletop.rule import compiled


@ability("whirlwind_strike", on=ON_ROLLS, rulings=["R-133"])
class WhirlwindStrike:
    """The owner's attack with a slashing melee weapon strikes all other enemies in reach with the same roll."""

    def may(fight, i, slot, target):
        """Return whether the owner has rolled its attack with a slashing melee weapon and can reach other enemies."""
        if not makes_attack(fight, i) or not has_rolled_attack(fight, i):
            return False
        o = fight.exchange.target if i == fight.exchange.striker else fight.exchange.striker
        if type_against(fight, i, o) != MELEE or damage_type_in(fight, i, NO_STANCE) != SLASHING:
            return False
        for j in range(fight.n):
            if is_swept(fight, i, j):
                return True
        return False

    def do(fight, log, i, slot, target):
        for j in range(fight.n - 1, -1, -1):  # the extra attack added last is made first
            if is_swept(fight, i, j):
                add_extra(fight, i, j, True)


@compiled
def is_swept(fight, i, j):
    """Return whether fighter j is an enemy in reach that the attack in progress does not strike yet."""
    exchange = fight.exchange
    if j == exchange.striker or j == exchange.target or fight.fighters[j].status != STANDING:
        return False
    return takes_part(fight, j) and may_target(fight, i, j)
