"""Grasping Growth."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.unit import ability, figures, later, options
from heartrush_env.games.heart_rush.rules.abilities import (
    ON_ACTION,
    Aim,
    answer,
    is_destined,
    memo,
    note,
    notes,
    open_pick,
    remember,
)
from heartrush_env.games.heart_rush.rules.action_phase import is_able
from heartrush_env.games.heart_rush.rules.checks import roll_check
from heartrush_env.games.heart_rush.rules.conditions import inflict, lose_levels
from heartrush_env.games.heart_rush.rules.costs import spend_action
from heartrush_env.games.heart_rush.rules.cover import is_within
from heartrush_env.games.heart_rush.rules.sheet import has
from heartrush_env.games.heart_rush.rules.space import plays_on_map, within
from heartrush_env.games.heart_rush.rules.stances import has_action_left
from heartrush_env.games.heart_rush.rules.terms import CHECK, MIGHT, MOST_FIGHTERS, RESTRAINED, STANDING, USE
from heartrush_env.games.heart_rush.state.events import tell_check
from heartrush_env.tabletop.rule import compiled

RANGE, RADIUS, HOLDS = (
    int(figures("grasping_growth", key)[0]) for key in ("range_ft", "radius_ft", "restrained")
)  # fmt: skip
FEET_MORE, LEVELS_MORE, NUMBER_MORE = (
    int(figures("grasping_growth", key)[1]) for key in ("radius_bonus_ft", "levels_bonus", "cn_bonus")
)  # fmt: skip
WIDER, TIGHTER, TOUGHER = range(3)  # what is larger in the destiny version
LARGER, BREAKS_FREE = range(2)  # the parts


@ability(
    "grasping_growth", on=[ON_ACTION], aim=Aim.ENEMY, rulings=["R-58", "R-238"],
    picks=[
        options("a larger radius", "one more level", "a higher number"),
        later(options("tear loose"), optional=True),
    ],
    left_out="points at which no enemy is",
)  # fmt: skip
class GraspingGrowth:
    """Enemies around an enemy in range are restrained until they tear loose by their action and a might check.

    They are asked at once and as each round starts. In the destiny version, the radius, the condition or the number of
    the check is larger. The memo is the set of the enemies in the growth, and one more than what is larger.
    """

    def may(fight, i, slot, target):
        return is_within(fight, i, target, RANGE)

    def asks(fight, i, slot, target, part):
        return is_destined(fight, i, slot)

    def may_pick(fight, i, slot, who, part, picked):
        if part == LARGER:
            return picked != WIDER or plays_on_map(fight)
        return notes(fight, i, slot, who) and is_able(fight, who) and has_action_left(fight.fighters[who])

    def auto(fight, i, slot, who, part):
        return TIGHTER if part == LARGER else 0

    def do(fight, log, i, slot, target):
        remember(fight, i, slot, (answer(fight, i, LARGER) + 1) << MOST_FIGHTERS)
        feet = RADIUS + FEET_MORE * is_larger(fight, i, slot, WIDER)
        for j in range(fight.n):
            other = fight.fighters[j]
            near = other.status == STANDING and within(fight, target, j, feet)
            enemy = near and other.team != fight.fighters[i].team
            if enemy and inflict(fight, i, j, RESTRAINED, levels_of(fight, i, slot)) > 0:
                note(fight, i, slot, j, True)
                open_pick(fight, j, i, slot, BREAKS_FREE)

    def round_starts(fight, i, slot, log):
        for j in range(fight.n):
            if notes(fight, i, slot, j):
                note(fight, i, slot, j, has(fight.fighters[j], RESTRAINED))
                if notes(fight, i, slot, j):
                    open_pick(fight, j, i, slot, BREAKS_FREE)

    def picked(fight, log, i, slot, who, part, picked):
        spend_action(fight.fighters[who])
        number = np.int64(fight.fighters[i].heart_max) + NUMBER_MORE * is_larger(fight, i, slot, TOUGHER)
        success = roll_check(fight, who, CHECK, MIGHT, i, 0, fight.attack_roll) >= number
        tell_check(fight, log, who, USE, success)
        if success:
            note(fight, i, slot, who, False)
            lose_levels(fight.fighters[who], RESTRAINED, levels_of(fight, i, slot))


@compiled
def is_larger(fight, i, slot, what):
    """Return whether this is what is larger in the destiny version."""
    return memo(fight, i, slot) >> MOST_FIGHTERS == what + 1


@compiled
def levels_of(fight, i, slot):
    """Return the levels of restrained that the growth gives."""
    return HOLDS + LEVELS_MORE * is_larger(fight, i, slot, TIGHTER)
