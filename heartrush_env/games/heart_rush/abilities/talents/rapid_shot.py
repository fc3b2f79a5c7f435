"""Rapid Shot."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.own_dice import add_own_dice
from heartrush_env.games.heart_rush.abilities.unit import ability, dice
from heartrush_env.games.heart_rush.engine.strikes import add_extra, makes_attack
from heartrush_env.games.heart_rush.rules.abilities import ON_PHASE, Aim, fighter_named, memo_for, remember_now
from heartrush_env.games.heart_rush.rules.actions.attack import is_attacker
from heartrush_env.games.heart_rush.rules.conditions import modifiers
from heartrush_env.games.heart_rush.rules.sheet import halved
from heartrush_env.games.heart_rush.rules.stances import may_attack
from heartrush_env.games.heart_rush.rules.terms import ATTACK, MOST_FIGHTERS, NOBODY, RANGED
from heartrush_env.games.heart_rush.rules.weapons import type_against
from heartrush_env.tabletop.rule import compiled

DICE = dice("rapid_shot", "attack_dice")
ROLLED = 2 * MOST_FIGHTERS  # added to the memo, one more than the second target, once the attack is rolled


@ability("rapid_shot", on=[ON_PHASE], aim=Aim.ENEMY, rulings=["R-224"])
class RapidShot:
    """The owner's attack with a ranged weapon has extra dice, and half of it goes against each of two targets.

    A use names the second target, which is the memo.
    """

    def may(fight, i, slot, target):
        ready = is_attacker(fight, i) and type_against(fight, i, target) == RANGED and memo_for(fight, i, slot, 1) == 0
        return ready and may_attack(fight, i, target) and other_target(fight, i, target) != NOBODY

    def do(fight, log, i, slot, target):
        remember_now(fight, i, slot, 1 + target)

    def attack(fight, i, slot, target, stance):
        second = second_target(fight, i, slot, target)
        if second == NOBODY:
            return 0
        add_own_dice(fight, i, slot, DICE)
        return penalty(fight, i, stance, target, second)

    def rolled(fight, i, slot, kind, other, roll):
        second = second_target(fight, i, slot, other)
        if kind == ATTACK and second != NOBODY:
            remember_now(fight, i, slot, ROLLED + 1 + second)
            roll.total = halved(np.int64(roll.total))

    def attacked(fight, i, slot, striker, target, cause, damage):
        """Add the attack on the second target after all attacks that others have added to this one."""
        number = memo_for(fight, i, slot, 1)
        if striker == i and number > ROLLED:
            remember_now(fight, i, slot, ROLLED)
            second = fighter_named(fight, number - ROLLED)
            if second != NOBODY:
                add_extra(fight, i, second, True)


@compiled
def second_target(fight, i, slot, target):
    """Return the second target of an attack that has the target, or NOBODY if it is not a rapid shot."""
    named = memo_for(fight, i, slot, 1) - 1
    if named < 0 or named >= MOST_FIGHTERS or not makes_attack(fight, i):
        return np.int64(NOBODY)
    return named if named != target else other_target(fight, i, target)


@compiled
def other_target(fight, i, target):
    """Return the first creature except the target that fighter i may attack, or NOBODY."""
    fighter = fight.fighters[i]
    for place in range(fighter.enemy_count):
        j = fighter.enemies[place]
        if j != target and may_attack(fight, i, j):
            return np.int64(j)
    return np.int64(NOBODY)


@compiled
def penalty(fight, i, stance, target, second):
    """Return the levels by which an attack on the second target is worse than one on the first; 0 if it is not."""
    recording = fight.recording
    fight.recording = False
    worse = modifiers(fight, i, ATTACK, stance, second, RANGED) - modifiers(fight, i, ATTACK, stance, target, RANGED)
    fight.recording = recording
    return min(0, worse)
