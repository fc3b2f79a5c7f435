"""The Engagement > Choosing Your Stance > Cunning Stance: levels of dazed, off-balanced and weakened."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.conditions import IMPAIRS, inflict
from heartrush_env.games.heart_rush.rules.stances import beats
from heartrush_env.games.heart_rush.rules.terms import (
    AGILITY,
    CUNNING,
    DAZED,
    MIGHT,
    N_CONDITIONS,
    OFF_BALANCED,
    WEAKENED,
)
from heartrush_env.tabletop.rule import compiled, rule

# The conditions that the cunning effect and the dirty strike may inflict, in the order of the columns below.
IMPAIRING = np.array([DAZED, OFF_BALANCED, WEAKENED], np.int8)
IMPAIRMENTS = "dazed, off-balanced or weakened"  # for menus

# The ways to split up to two levels of the cunning effect, one row for each code.
# fmt: off
#                         DAZED OFF_BALANCED WEAKENED
CUNNING_LEVELS = np.array([[0,      0,          0],
                           [1,      0,          0],
                           [0,      1,          0],
                           [0,      0,          1],
                           [2,      0,          0],
                           [1,      1,          0],
                           [1,      0,          1],
                           [0,      2,          0],
                           [0,      1,          1],
                           [0,      0,          2]], np.int8)
# fmt: on
# The code for two levels of each condition; 0 if no code gives them.
TWO_LEVELS = np.zeros(N_CONDITIONS, np.int64)
TWO_LEVELS[IMPAIRING] = (CUNNING_LEVELS == 2).argmax(axis=0)


@compiled
def worst_for(fighter):
    """Return the condition that impairs the largest of the might, agility and cunning dice; ties go to the first."""
    largest = MIGHT
    for ability in (AGILITY, CUNNING):
        if fighter.ability[ability] > fighter.ability[largest]:
            largest = ability
    return IMPAIRS[largest]


@rule("Combat > The Engagement > Choosing Your Stance > Cunning Stance", "R-21")
def may_name_levels(fight, i, target, code):
    """Return whether i's attack may name this code's levels: none always, up to two if cunning beats the target."""
    if code == 0:
        return True
    if not fight.rules.levels or fight.fighters[i].stance != CUNNING:
        return False
    return may_split(fight, code) and beats(fight, CUNNING, fight.fighters[target].stance)


@compiled
def may_split(fight, code):
    """Return whether a code's levels are all of one condition, or a setting lets them be of two."""
    return fight.rules.cunning_split or not 5 <= code <= 8 or code == 7


@rule("Combat > The Engagement > Choosing Your Stance > Cunning Stance", "R-6")
def inflict_cunning_levels(fight, i, target, code):
    """Give the target the levels of this code, even without damage; the abilities of both fighters may change them."""
    forgone = np.int64(hooks.forgoes(fight, i, target))
    for k in range(3):
        levels = hooks.rider(fight, i, np.int64(CUNNING_LEVELS[code, k]))
        withheld = min(forgone, levels)
        forgone -= withheld
        levels -= withheld
        if levels > 0:
            inflict(fight, i, target, IMPAIRING[k], levels)
