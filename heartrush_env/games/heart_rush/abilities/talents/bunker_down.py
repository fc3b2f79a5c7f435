"""Bunker Down."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.unit import ability, parts
from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.abilities import (
    ON_ACTION,
    ON_ENGAGEMENT,
    ON_PHASE,
    ON_REVEAL,
    memo_for,
    remember,
    remember_now,
    version,
)
from heartrush_env.games.heart_rush.rules.dice import add_ability_bonus, kept_dice, sum_of
from heartrush_env.games.heart_rush.rules.terms import DEFENSE, DEFENSIVE, NO_STANCE
from heartrush_env.games.heart_rush.rules.weapons import forbid_dashes
from heartrush_env.tabletop.rule import compiled

PUSHED = parts("bunker_down", "push_factor")
ATTACKED, DOWN = 1, 2  # the memo of the round


@ability(
    "bunker_down", on=[ON_ACTION], destined_on=[ON_ACTION, ON_ENGAGEMENT, ON_REVEAL, ON_PHASE],
    rulings=["R-212", "R-258"],
)  # fmt: skip
class BunkerDown:
    """Behind its shield, the owner neither dashes nor attacks in this round, is defensive, and holds its ground.

    The dice of its defense rolls count as their maximum, and it is pushed half as far.

    In the destiny version, it may do so even once stances are shown, as long as it has not attacked in the engagement.
    """

    def may(fight, i, slot, target):
        fighter = fight.fighters[i]
        ready = fighter.shield > 0 and memo_for(fight, i, slot, 1) == 0
        return ready and (fighter.stance != NO_STANCE or hooks.commits(fight, i, np.int64(NO_STANCE)) == NO_STANCE)

    def do(fight, log, i, slot, target):
        remember_now(fight, i, slot, DOWN)
        forbid_dashes(fight, i)
        fighter = fight.fighters[i]
        if fighter.stance != NO_STANCE:
            fighter.stance = fighter.reveals[0] = DEFENSIVE

    def attacked(fight, i, slot, striker, target, cause, damage):
        if striker == i and fight.engaged and memo_for(fight, i, slot, 1) == 0:
            remember_now(fight, i, slot, ATTACKED)

    def engagement_ends(fight, i, slot):
        if memo_for(fight, i, slot, 1) == ATTACKED:
            remember(fight, i, slot, 0)

    def commits(fight, i, slot, stance):
        return np.int64(DEFENSIVE) if memo_for(fight, i, slot, 1) == DOWN else stance

    def bars(fight, i, slot, striker, target):
        return striker == i and memo_for(fight, i, slot, 1) == DOWN

    def pushed(fight, i, slot, squares):
        return squares // PUSHED[version(fight, i, slot)] if memo_for(fight, i, slot, 1) == DOWN else squares

    def rolled(fight, i, slot, kind, other, roll):
        if kind == DEFENSE and memo_for(fight, i, slot, 1) == DOWN:
            more = most_of(roll.pool) - handful_of(roll)
            add_ability_bonus(roll.pool, more)
            roll.total += more


@compiled
def most_of(pool):
    """Return the most that the dice of a pool can show, without bonus dice."""
    most = np.int64(0)
    for k in range(pool.count):
        most += np.int64(pool.sides[k])
    return most


@compiled
def handful_of(roll):
    """Return the sum of the dice that count in a roll, without bonus dice."""
    bonus = np.int64(0)
    for k in range(roll.count - roll.pool.bonus_count, roll.count):
        bonus += np.int64(roll.results[k])
    return np.int64(sum_of(roll, roll.count, kept_dice(roll))) - bonus
