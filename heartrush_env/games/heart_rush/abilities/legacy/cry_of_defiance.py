"""Cry of Defiance."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.unit import ability, options
from heartrush_env.games.heart_rush.rules.abilities import ANY_MOMENT, answer
from heartrush_env.games.heart_rush.rules.conditions import HARMFUL, lose, lose_levels
from heartrush_env.games.heart_rush.rules.healing import heal
from heartrush_env.games.heart_rush.rules.maneuvers.grapple import let_go
from heartrush_env.games.heart_rush.rules.sheet import has
from heartrush_env.games.heart_rush.rules.terms import CLIMBED_ON, CONDITIONS, GRAPPLED, LEVELED, N_CONDITIONS, NOBODY
from heartrush_env.tabletop.rule import compiled

ONE, EACH, HEAL = range(3)
ENDS = HARMFUL.copy()  # conditions that the cry ends
ENDS[CLIMBED_ON] = False
FALLS = np.zeros(N_CONDITIONS, np.bool_)  # conditions that the cry lowers by a level
FALLS[list(LEVELED)] = True


@ability(
    "cry_of_defiance", on=ANY_MOMENT, rulings=["R-165"],
    picks=[options("end one condition", "lose a level of each condition", "heal"), options(*CONDITIONS)],
)  # fmt: skip
class CryOfDefiance:
    """The owner ends one of its conditions, loses a level of each, or heals as much as a full heart die can show."""

    def asks(fight, i, slot, target, part):
        return part == 0 or answer(fight, i, 0) == ONE

    def may_pick(fight, i, slot, target, part, picked):
        fighter = fight.fighters[i]
        if part == 1:
            return ENDS[picked] and has(fighter, picked)
        return picked == HEAL or has_any(fighter, ENDS if picked == ONE else FALLS)

    def auto(fight, i, slot, target, part):
        return HEAL if part == 0 else NOBODY

    def do(fight, log, i, slot, target):
        fighter = fight.fighters[i]
        if answer(fight, i, 0) == HEAL:
            heal(fight, log, i, i, fighter.heart_max)
        elif answer(fight, i, 0) == ONE:
            end(fight, i, answer(fight, i, 1))
        else:
            for condition in range(N_CONDITIONS):
                if FALLS[condition] and has(fighter, condition):
                    lose_levels(fighter, condition, 1)


@compiled
def has_any(fighter, conditions):
    """Return whether a fighter has any of these conditions."""
    for condition in range(N_CONDITIONS):
        if conditions[condition] and has(fighter, condition):
            return True
    return False


@compiled
def end(fight, i, condition):
    """End a condition of fighter i; ending Grappled ends the holder's grapple."""
    if condition == GRAPPLED:
        let_go(fight, fight.fighters[i].source[GRAPPLED])
    else:
        lose(fight.fighters[i], condition)
