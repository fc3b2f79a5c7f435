"""Feint."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figures, options
from heartrush_env.games.heart_rush.rules.abilities import (
    ON_ACTION,
    ON_PHASE,
    Aim,
    answer,
    memo_for,
    remember_now,
)
from heartrush_env.games.heart_rush.rules.agility import is_free_step
from heartrush_env.games.heart_rush.rules.choices import Cost
from heartrush_env.games.heart_rush.rules.costs import can_pay, is_free, spend_action, spend_rush
from heartrush_env.games.heart_rush.rules.movement import may_rush_aside
from heartrush_env.games.heart_rush.rules.space import next_to
from heartrush_env.games.heart_rush.rules.terms import AGILITY, STANDING
from heartrush_env.tabletop.rule import compiled

ADVANTAGE = int(figures("feint", "advantage")[0])
TIMES = figures("feint", "per_round")
BY_ACTION, BY_RUSH = range(2)
SPENT = 32  # added to the memo once the free step of the stance is spent; the rest is one more than the target


@ability(
    "feint", on=[ON_ACTION, ON_PHASE], aim=Aim.ENEMY, per_round=(int(TIMES[0]), int(TIMES[1])), rulings=["R-207"],
    picks=[options("the action", "a rush point")],
    left_out="the movement that the third feint of its destiny version may bring about",
)  # fmt: skip
class Feint:
    """In place of a sidestep, the owner gets advantage on its next attack or defense roll against one creature.

    The memo of the round is the creature, and whether the free step of the agility stance has been spent on it.
    """

    def may(fight, i, slot, target):
        if not next_to(fight, i, target):
            return False
        fighter = fight.fighters[i]
        if fight.occasion == ON_ACTION:
            return can_pay(fight, i, Cost.STEP) or may_rush_aside(fighter)
        in_phase = fight.phase == AGILITY and fighter.stance == AGILITY and not fighter.stepped
        return in_phase and fighter.status == STANDING and memo_for(fight, i, slot, 1) < SPENT

    def asks(fight, i, slot, target, part):
        return fight.occasion == ON_ACTION

    def may_pick(fight, i, slot, target, part, picked):
        fighter = fight.fighters[i]
        return can_pay(fight, i, Cost.STEP) if picked == BY_ACTION else may_rush_aside(fighter)

    def do(fight, log, i, slot, target):
        spent = memo_for(fight, i, slot, 1) // SPENT
        if fight.occasion != ON_ACTION:
            spent = 1
        elif answer(fight, i, 0) == BY_ACTION:
            if not is_free(fight, i, Cost.STEP, True):
                spend_action(fight.fighters[i])
        else:
            spend_rush(fight, log, i)
        remember_now(fight, i, slot, SPENT * spent + target + 1)

    def attack(fight, i, slot, target, stance):
        return ADVANTAGE if feints_at(fight, i, slot, target) else 0

    def defense(fight, i, slot, striker, stance):
        return ADVANTAGE if feints_at(fight, i, slot, striker) else 0

    def rolled(fight, i, slot, kind, other, roll):
        if feints_at(fight, i, slot, other):
            remember_now(fight, i, slot, memo_for(fight, i, slot, 1) // SPENT * SPENT)

    def stays(fight, i, slot, mover):
        return mover == i and is_free_step(fight) and memo_for(fight, i, slot, 1) >= SPENT


@compiled
def feints_at(fight, i, slot, other):
    """Return whether the owner's next roll against a creature has the advantage of its feint."""
    return memo_for(fight, i, slot, 1) % SPENT == other + 1
