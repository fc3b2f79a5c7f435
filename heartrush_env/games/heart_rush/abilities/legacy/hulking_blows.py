"""Hulking Blows."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.held import strikes_heavily
from heartrush_env.games.heart_rush.abilities.unit import ability, figure, later, options
from heartrush_env.games.heart_rush.engine.strikes import is_own_attack
from heartrush_env.games.heart_rush.rules.abilities import ON_REVEAL, Aim, memo_for, open_pick, remember, remember_now
from heartrush_env.games.heart_rush.rules.dice import add_ability_bonus, kept_dice, sum_of
from heartrush_env.games.heart_rush.rules.stances import is_able_to_attack, may_attack
from heartrush_env.games.heart_rush.rules.terms import ATTACK
from heartrush_env.tabletop.rule import compiled

FACTOR = figure("hulking_blows", "dice_factor")
DODGES, STANDS = range(2)
MARKS = 3  # the memo is this times the target, plus one more than its answer


@ability(
    "hulking_blows", on=[ON_REVEAL], aim=Aim.ENEMY, rulings=["R-169", "R-258"],
    picks=[later(options("dodge", "stand"))],
)  # fmt: skip
class HulkingBlows:
    """The target gives up its attacks and is safe from the owner's, or the dice of the owner's attack count twice.

    The memo names this round's target and the target's answer.
    """

    def may(fight, i, slot, target):
        return strikes_heavily(fight, i, target) and is_able_to_attack(fight, i) and may_attack(fight, i, target)

    def do(fight, log, i, slot, target):
        open_pick(fight, target, i, slot, 0)

    def may_pick(fight, i, slot, who, part, picked):
        return picked == STANDS or has_attack(fight, who)

    def picked(fight, log, i, slot, who, part, picked):
        remember_now(fight, i, slot, MARKS * who + 1 + picked)

    def engagement_ends(fight, i, slot):
        remember(fight, i, slot, 0)

    def refrains_for(fight, i, slot, other):
        return memo_for(fight, i, slot, 1) == MARKS * other + 1 + DODGES

    def bars(fight, i, slot, striker, target):
        return striker == i and memo_for(fight, i, slot, 1) == MARKS * target + 1 + DODGES

    def rolled(fight, i, slot, kind, other, roll):
        stands = memo_for(fight, i, slot, 1) == MARKS * other + 1 + STANDS
        if kind == ATTACK and stands and is_own_attack(fight, i):
            more = (FACTOR - 1) * np.int64(sum_of(roll, roll.count, kept_dice(roll)))
            add_ability_bonus(roll.pool, more)
            roll.total += more


@compiled
def has_attack(fight, i):
    """Return whether fighter i can attack any enemy in this engagement."""
    if not is_able_to_attack(fight, i):
        return False
    fighter = fight.fighters[i]
    for place in range(fighter.enemy_count):
        if may_attack(fight, i, fighter.enemies[place]):
            return True
    return False
