"""Provoking Strike."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.unit import ability, figures, options
from heartrush_env.games.heart_rush.rules.abilities import (
    ON_ENGAGEMENT,
    answer,
    begin_again,
    memo_for,
    remember_now,
    version,
)
from heartrush_env.games.heart_rush.rules.actions.stance import may_commit, may_commit_to_any
from heartrush_env.games.heart_rush.rules.conditions import inflict_from
from heartrush_env.games.heart_rush.rules.terms import (
    AGGRAVATED,
    ATTACKING_STANCES,
    FROM_ATTACK,
    FROM_EXTRA,
    FROM_FOLLOW_UP,
    STANCES,
)

LEVELS = figures("provoking_strike", "aggravated")


@ability(
    "provoking_strike", on=[ON_ENGAGEMENT], per_round=(1, 1), rulings=["R-213", "R-258"],
    picks=[options(*STANCES[:ATTACKING_STANCES])],
)  # fmt: skip
class ProvokingStrike:
    """The owner shows its stance before others choose, and aggravates the enemies that its attacks damage.

    The memo of the round is one more than the stance.
    """

    def may(fight, i, slot, target):
        return may_commit_to_any(fight, i)

    def may_pick(fight, i, slot, target, part, picked):
        return may_commit(fight, i, picked)

    def do(fight, log, i, slot, target):
        remember_now(fight, i, slot, answer(fight, i, 0) + 1)

    def engagement_ends(fight, i, slot):
        begin_again(fight, i, slot)

    def commits(fight, i, slot, stance):
        shown = memo_for(fight, i, slot, 1)
        return np.int64(shown) - 1 if 0 < shown <= ATTACKING_STANCES else stance

    def damaged(fight, i, slot, log, victim, striker, cause, damage):
        by_attack = cause == FROM_ATTACK or cause == FROM_FOLLOW_UP or cause == FROM_EXTRA
        enemy = fight.fighters[victim].team != fight.fighters[i].team
        if striker == i and by_attack and enemy and damage > 0 and memo_for(fight, i, slot, 1) > 0:
            inflict_from(fight, i, victim, AGGRAVATED, LEVELS[version(fight, i, slot)])
