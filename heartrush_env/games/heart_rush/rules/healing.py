"""Taking Damage > Wounds: healing in a fight, and hit points lost without damage."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.taking_damage import healing_ceiling, wake
from heartrush_env.games.heart_rush.rules.terms import NOBODY, STANDING, UNCONSCIOUS
from heartrush_env.games.heart_rush.state.events import HEAL_EVENT, tell
from heartrush_env.tabletop.rule import compiled, rule


@rule("Combat > Taking Damage > Wounds", "R-111", "R-124")
def heal(fight, log, i, source, amount):
    """Heal a fighter by an amount, at most to its maximum minus its wounds, and wake it if it now has hit points.

    Returns the hit points gained.
    """
    fighter = fight.fighters[i]
    if fighter.status != STANDING and fighter.status != UNCONSCIOUS:
        return np.int64(0)
    wanted = max(0, hooks.heals(fight, i, np.int64(amount)))
    gained = np.int64(max(0, min(wanted, healing_ceiling(fighter) - fighter.hp)))
    lay_at_zero = fighter.hp <= 0
    if gained > 0:
        fighter.hp += gained
        number = tell(fight, log, HEAL_EVENT, i, source, 0, gained)
        if number != NOBODY:
            log.events[number].after = fighter.hp
    if lay_at_zero:
        wake(fighter)
    return gained


@compiled
def pay_in_blood(fight, i, amount):
    """Spend a fighter's hit points. This is not damage: it cannot be shrugged off and marks no wound."""
    fight.fighters[i].hp -= amount
