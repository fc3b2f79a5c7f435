"""Bloodblade."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.own_dice import add_own_dice
from heartrush_env.games.heart_rush.abilities.unit import ability, dice, figures
from heartrush_env.games.heart_rush.rules.abilities import (
    ON_ACTION,
    ON_PHASE,
    memo_for,
    remember,
    remember_now,
    version,
)
from heartrush_env.games.heart_rush.rules.actions.attack import attacks_next
from heartrush_env.games.heart_rush.rules.healing import pay_in_blood
from heartrush_env.games.heart_rush.rules.terms import ATTACK

COST = figures("bloodblade", "hp_cost")
DICE = dice("bloodblade", "attack_dice")


@ability("bloodblade", on=[ON_ACTION, ON_PHASE], rulings=["R-121", "R-156", "R-122"])
class Bloodblade:
    """The owner pays some hit points to add a die to its next attack roll of the round."""

    def may(fight, i, slot, target):
        alive = fight.fighters[i].hp > COST[version(fight, i, slot)]
        return alive and memo_for(fight, i, slot, 1) == 0 and attacks_next(fight, i)

    def do(fight, log, i, slot, target):
        pay_in_blood(fight, i, COST[version(fight, i, slot)])
        remember_now(fight, i, slot, 1)

    def attack(fight, i, slot, target, stance):
        if memo_for(fight, i, slot, 1) == 1:
            add_own_dice(fight, i, slot, DICE)
        return 0

    def rolled(fight, i, slot, kind, other, roll):
        if kind == ATTACK and memo_for(fight, i, slot, 1) == 1:
            remember(fight, i, slot, 0)
