"""Hands of the Healer."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.unit import ability, figures
from heartrush_env.games.heart_rush.rules.abilities import ON_ACTION, Aim, is_destined
from heartrush_env.games.heart_rush.rules.costs import spend_action
from heartrush_env.games.heart_rush.rules.space import next_to
from heartrush_env.games.heart_rush.rules.stances import has_action_left
from heartrush_env.tabletop.rule import compiled

RANKS = figures("hands_of_the_healer", "ranks")


@ability("hands_of_the_healer", on=[ON_ACTION], aim=Aim.ALLY, on_fallen=True, rulings=["R-225"])
class HandsOfTheHealer:
    """A wound of an ally loses ranks before the fight; the destiny version takes an action and removes it."""

    def may(fight, i, slot, target):
        if fight.fighters[target].wound_count == 0:
            return False
        if is_destined(fight, i, slot):
            return next_to(fight, i, target) and has_action_left(fight.fighters[i])
        return fight.round_number == 1

    def do(fight, log, i, slot, target):
        other = fight.fighters[target]
        rank = rank_of_one(other)
        if is_destined(fight, i, slot):
            spend_action(fight.fighters[i])
        else:
            rank = min(rank, RANKS[0])
        other.wound_count -= 1 if rank == rank_of_one(other) else 0
        other.wounds -= rank


@compiled
def rank_of_one(fighter):
    """Return the rank that one of a fighter's wounds has on average, rounded up."""
    count = np.int64(fighter.wound_count)
    return (fighter.wounds + count - 1) // count
