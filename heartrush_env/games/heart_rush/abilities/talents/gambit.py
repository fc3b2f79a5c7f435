"""Gambit."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.unit import ability, dice, figures, options
from heartrush_env.games.heart_rush.engine.strikes import is_own_attack
from heartrush_env.games.heart_rush.rules.abilities import (
    ON_ENGAGEMENT,
    answer,
    begin_again,
    is_destined,
    memo,
    remember,
    version,
)
from heartrush_env.games.heart_rush.rules.actions.stance import may_commit, may_commit_to_any
from heartrush_env.games.heart_rush.rules.dice import add_bonus_dice
from heartrush_env.games.heart_rush.rules.sheet import bit
from heartrush_env.games.heart_rush.rules.terms import ATTACKING_STANCES, STANCES, STRIKE

ADVANTAGE = figures("gambit", "advantage")
AGAINST = int(figures("gambit", "foe_defense_disadvantage")[0])
DIE = int(dice("gambit", "attack_dice")[1, 1])
SHOWN = 8  # the memo is this times the set of attackers, plus one more than the stance


@ability(
    "gambit",
    on=[ON_ENGAGEMENT],
    per_round=(1, 1),
    rulings=["R-213", "R-258"],
    picks=[options(*STANCES[:ATTACKING_STANCES])],
)
class Gambit:
    """Before others choose, the owner shows its stance: advantage on its attack, disadvantage for its attackers.

    In the destiny version, its attack has a further die as well. The memo of the round is the stance and the set of
    those that have attacked the owner.
    """

    def may(fight, i, slot, target):
        return may_commit_to_any(fight, i)

    def may_pick(fight, i, slot, target, part, picked):
        return may_commit(fight, i, picked)

    def do(fight, log, i, slot, target):
        remember(fight, i, slot, answer(fight, i, 0) + 1)

    def round_starts(fight, i, slot, log):
        remember(fight, i, slot, 0)

    def engagement_ends(fight, i, slot):
        begin_again(fight, i, slot)

    def commits(fight, i, slot, stance):
        shown = memo(fight, i, slot) % SHOWN
        return np.int64(shown) - 1 if 0 < shown <= ATTACKING_STANCES else stance

    def attack(fight, i, slot, target, stance):
        if memo(fight, i, slot) == 0 or not fight.engaged or not is_own_attack(fight, i):
            return 0
        if is_destined(fight, i, slot):
            add_bonus_dice(fight.pool, 1, DIE)
        return ADVANTAGE[version(fight, i, slot)]

    def attacked(fight, i, slot, striker, target, cause, damage):
        shown = memo(fight, i, slot)
        if target == i and shown > 0 and fight.engaged:
            remember(fight, i, slot, (shown // SHOWN | bit(striker)) * SHOWN + shown % SHOWN)

    def defense_of(fight, i, slot, defender, striker, stance):
        shown, fighter = memo(fight, i, slot), fight.fighters[defender]
        if shown == 0 or not fight.engaged:
            return 0
        chosen = fighter.deed == STRIKE and fighter.target == i
        return -AGAINST if chosen or shown // SHOWN & bit(defender) else 0
