"""Tumble."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import DIRECTION, ability, dice, later
from heartrush_env.games.heart_rush.engine.strikes import is_own_attack
from heartrush_env.games.heart_rush.rules.abilities import (
    ON_REVEAL,
    is_destined,
    memo_for,
    open_pick,
    remember,
    remember_now,
)
from heartrush_env.games.heart_rush.rules.actions.sidestep import step_out_of_turn, steps_out_of_turn
from heartrush_env.games.heart_rush.rules.agility import is_free_step
from heartrush_env.games.heart_rush.rules.dice import add_bonus_dice
from heartrush_env.games.heart_rush.rules.terms import AGILITY, ATTACK

DIE = int(dice("tumble", "attack_dice")[1, 1])
TUMBLED, READY = 1, 2  # the memo in the round of a use; READY while the die waits for an attack


@ability("tumble", on=[ON_REVEAL], needs="cells", rulings=["R-207", "R-258"], picks=[later(DIRECTION)])
class Tumble:
    """In agility stance, the owner takes the sidestep of its stance right after the reveal.

    In the destiny version, its next attack of the engagement has a further die.
    """

    def may(fight, i, slot, target):
        return fight.fighters[i].stance == AGILITY and steps_out_of_turn(fight, i) != 0

    def do(fight, log, i, slot, target):
        remember_now(fight, i, slot, READY if is_destined(fight, i, slot) else TUMBLED)
        open_pick(fight, i, i, slot, 0)

    def may_pick(fight, i, slot, who, part, picked):
        return steps_out_of_turn(fight, who) >> picked & 1 == 1

    def picked(fight, log, i, slot, who, part, picked):
        step_out_of_turn(fight, log, who, picked)

    def engagement_ends(fight, i, slot):
        remember(fight, i, slot, 0)

    def stays(fight, i, slot, mover):
        return mover == i and is_free_step(fight) and memo_for(fight, i, slot, 1) > 0

    def attack(fight, i, slot, target, stance):
        if memo_for(fight, i, slot, 1) == READY and is_own_attack(fight, i):
            add_bonus_dice(fight.pool, 1, DIE)
        return 0

    def rolled(fight, i, slot, kind, other, roll):
        if kind == ATTACK and memo_for(fight, i, slot, 1) == READY and is_own_attack(fight, i):
            remember_now(fight, i, slot, TUMBLED)
