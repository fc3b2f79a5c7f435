"""Tactically Savvy."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.unit import DIRECTION, ability, later, options
from heartrush_env.games.heart_rush.rules.abilities import memo, open_pick, remember
from heartrush_env.games.heart_rush.rules.actions.attack import levels_in_words
from heartrush_env.games.heart_rush.rules.actions.sidestep import step_out_of_turn, steps_out_of_turn
from heartrush_env.games.heart_rush.rules.cunning import (
    CUNNING_LEVELS,
    TWO_LEVELS,
    inflict_cunning_levels,
    may_split,
    worst_for,
)
from heartrush_env.games.heart_rush.rules.forced_movement import push_away
from heartrush_env.games.heart_rush.rules.might_push import feet_of_push
from heartrush_env.games.heart_rush.rules.space import on_map, plays_on_map
from heartrush_env.games.heart_rush.rules.terms import (
    AGILITY,
    ATTACKING_STANCES,
    CUNNING,
    FROM_OPPORTUNITY,
    MELEE,
    MIGHT,
    MOST_FIGHTERS,
    STANDING,
)
from heartrush_env.games.heart_rush.rules.weapons import type_against
from heartrush_env.tabletop.rule import compiled

LEVELS, STEP = range(2)  # the parts
BITS_OF_FIGHTER = 4  # of the memo for each fighter
CODES = options(*(levels_in_words(code) for code in range(1, len(CUNNING_LEVELS))))  # option k is the code k + 1


@ability(
    "tactically_savvy", rulings=["R-230"], picks=[later(CODES), later(DIRECTION, optional=True)],
    left_out="the might bonus of missiles and whips, and following those whom allies push",
)  # fmt: skip
class TacticallySavvy:
    """If the owner's side shows all three attacking stances, its allies that hit have the benefits of all of them.

    The memo has a number for each fighter: how many places after it the creature comes that it has hit in this phase,
    or 0.
    """

    def round_starts(fight, i, slot, log):
        remember(fight, i, slot, 0)

    def engagement_ends(fight, i, slot):
        remember(fight, i, slot, 0)

    def attacked(fight, i, slot, striker, target, cause, damage):
        if damage > 0 and fight.engaged and cause != FROM_OPPORTUNITY and hit_by(fight, i, slot, striker) == striker:
            note_hit(fight, i, slot, striker, target)

    def has_struck(fight, i, slot, log, striker):
        """Push the creature that the striker has hit, and ask the striker for levels and a sidestep."""
        target = hit_by(fight, i, slot, striker)
        if target == striker:
            return
        if fight.fighters[striker].status != STANDING or not leads(fight, i, striker):
            note_hit(fight, i, slot, striker, striker)
            return
        stance = fight.fighters[striker].stance
        if stance != AGILITY and plays_on_map(fight):
            open_pick(fight, striker, i, slot, STEP)
        if fight.fighters[target].status == STANDING and stance != CUNNING and fight.rules.levels:
            open_pick(fight, striker, i, slot, LEVELS)
        else:
            note_hit(fight, i, slot, striker, striker)
        if fight.fighters[target].status == STANDING and stance != MIGHT:
            shove_too(fight, log, striker, target)

    def may_pick(fight, i, slot, who, part, picked):
        if part == STEP:
            return plays_on_map(fight) and steps_out_of_turn(fight, who) >> picked & 1 == 1
        return may_split(fight, picked + 1)

    def auto(fight, i, slot, who, part):
        target = hit_by(fight, i, slot, who)
        return np.int64(TWO_LEVELS[worst_for(fight.fighters[target])]) - 1 if part == LEVELS else np.int64(-1)

    def picked(fight, log, i, slot, who, part, picked):
        if part == STEP:
            step_out_of_turn(fight, log, who, picked)
        else:
            target = hit_by(fight, i, slot, who)
            note_hit(fight, i, slot, who, who)
            if fight.fighters[target].status == STANDING:
                inflict_cunning_levels(fight, who, target, picked + 1)


@compiled
def hit_by(fight, i, slot, striker):
    """Return the creature that the striker has hit in this phase, or the striker itself if there is none."""
    later = memo(fight, i, slot) >> np.int64(BITS_OF_FIGHTER) * striker & MOST_FIGHTERS - 1
    return (striker + later) % fight.n


@compiled
def note_hit(fight, i, slot, striker, target):
    """Remember that the striker has hit the target, or forget its hit if the two are the same."""
    place = np.int64(BITS_OF_FIGHTER) * striker
    later = (np.int64(target) - striker) % np.int64(fight.n)
    others = memo(fight, i, slot) & ~(np.int64(MOST_FIGHTERS - 1) << place)
    remember(fight, i, slot, others | later << place)


@compiled
def leads(fight, i, striker):
    """Return whether the striker is an ally of fighter i, which stands, and their side shows all attacking stances."""
    owner = fight.fighters[i]
    if striker == i or fight.fighters[striker].team != owner.team or owner.status != STANDING:
        return False
    shown = 0
    for j in range(fight.n):
        other = fight.fighters[j]
        if other.team == owner.team and other.stance < ATTACKING_STANCES:
            shown |= 1 << np.int64(other.stance)
    return shown == (1 << ATTACKING_STANCES) - 1


@on_map(None)
@compiled
def shove_too(fight, log, striker, target):
    """Push the target as the striker's might would, if the striker fights in melee."""
    if type_against(fight, striker, target) == MELEE:
        push_away(fight, log, striker, target, feet_of_push(fight, striker, target))
