"""Death Mark."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, dice
from heartrush_env.games.heart_rush.rules.abilities import (
    ON_PHASE,
    WITH_ROUND,
    Aim,
    is_destined,
    memo,
    memo_for,
    remember,
    remember_now,
)
from heartrush_env.games.heart_rush.rules.actions.attack import is_attacker
from heartrush_env.games.heart_rush.rules.dice import add_bonus_dice
from heartrush_env.games.heart_rush.rules.space import next_to
from heartrush_env.games.heart_rush.rules.stances import may_attack
from heartrush_env.games.heart_rush.rules.terms import ATTACK, MOST_FIGHTERS, STRIKE
from heartrush_env.tabletop.rule import compiled

DICE = dice("death_mark", "die")
HAS_ATTACKED = 2 * MOST_FIGHTERS  # added to the memo once the owner has attacked in the round of the mark


@ability("death_mark", on=[ON_PHASE], aim=Aim.ENEMY, rulings=["R-128"])
class DeathMark:
    """In place of an attack, the owner marks an adjacent creature; attacks on it have an extra die."""

    def may(fight, i, slot, target):
        return is_attacker(fight, i) and next_to(fight, i, target) and may_attack(fight, i, target)

    def do(fight, log, i, slot, target):
        remember_now(fight, i, slot, 1 + target)

    def refrains(fight, i, slot):
        """Return whether a mark of the base version takes the place of the owner's attack this round."""
        return not is_destined(fight, i, slot) and memo_for(fight, i, slot, 1) > 0

    def attack_of(fight, i, slot, striker, target, stance):
        if memo(fight, i, slot) % WITH_ROUND % HAS_ATTACKED == 1 + target:
            add_bonus_dice(fight.pool, 1, DICE[1 if is_larger(fight, i, slot) else 0, 1])
        return 0

    def rolled(fight, i, slot, kind, other, roll):
        """Record an attack in the round of the mark, which keeps the mark's die small."""
        marked = memo_for(fight, i, slot, 1)
        if kind == ATTACK and 0 < marked < HAS_ATTACKED:
            remember(fight, i, slot, memo(fight, i, slot) + HAS_ATTACKED)


@compiled
def is_larger(fight, i, slot):
    """Return whether the mark's die is larger.

    It is larger in the destiny version, unless the owner attacks in the round of the mark.
    """
    if not is_destined(fight, i, slot) or memo(fight, i, slot) % WITH_ROUND >= HAS_ATTACKED:
        return False
    return memo_for(fight, i, slot, 1) == 0 or fight.fighters[i].deed != STRIKE
