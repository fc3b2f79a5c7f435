"""Tactics."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.talents.take_advantage import highest_level, number_of_conditions
from heartrush_env.games.heart_rush.abilities.unit import ability, figure
from heartrush_env.games.heart_rush.rules.abilities import (
    ANY_MOMENT,
    Aim,
    memo,
    remember,
)
from heartrush_env.games.heart_rush.rules.cover import is_within
from heartrush_env.games.heart_rush.rules.movement import has_wall
from heartrush_env.games.heart_rush.rules.sheet import bit, has
from heartrush_env.games.heart_rush.rules.space import next_to, on_map
from heartrush_env.games.heart_rush.rules.terms import MOST_FIGHTERS, PRONE, STANDING
from heartrush_env.tabletop.rule import compiled

RANGE = figure("tactics", "range_ft")
LEVELS = figure("tactics", "min_levels")
CONDITIONS = figure("tactics", "min_conditions")
ALLIES = figure("tactics", "min_allies")
SIDES = figure("tactics", "min_sides")


@ability("tactics", on=ANY_MOMENT, aim=Aim.ENEMY, rulings=["R-103"])
class Tactics:
    """Until the round ends, attacks on the target have one level of advantage for each trouble that it is in."""

    def may(fight, i, slot, target):
        """Return whether the target is in range and not yet a target of this round's tactics."""
        return is_within(fight, i, target, RANGE) and not planned(fight, i, slot) & bit(target)

    def do(fight, log, i, slot, target):
        plans = planned(fight, i, slot) | bit(target)
        remember(fight, i, slot, np.int64(fight.round_number) << MOST_FIGHTERS | plans)

    def attack_of(fight, i, slot, striker, target, stance):
        return troubles(fight, i, target) if planned(fight, i, slot) & bit(target) else 0


@compiled
def planned(fight, i, slot):
    """Return the targets of this round's tactics, as a bit set."""
    number = memo(fight, i, slot)
    return number % (1 << MOST_FIGHTERS) if number >> MOST_FIGHTERS == fight.round_number else np.int64(0)


@compiled
def troubles(fight, i, target):
    """Return how many troubles a target is in: prone, a high level, many conditions, i's allies or walls around it."""
    other = fight.fighters[target]
    found = np.int64(has(other, PRONE)) + (highest_level(other) >= LEVELS)
    found += number_of_conditions(other) >= CONDITIONS
    allies = 0
    for j in range(fight.n):
        ally = fight.fighters[j]
        if j != i and ally.team == fight.fighters[i].team and ally.status == STANDING:
            allies += next_to(fight, target, j)
    return found + (allies >= ALLIES) + (walled_sides(fight, target) >= SIDES)


@on_map(0)
@compiled
def walled_sides(fight, target):
    """Return how many of the four sides of a fighter's space have a wall."""
    x, y = np.int64(fight.fighters[target].x), np.int64(fight.fighters[target].y)
    sides = np.int64(has_wall(fight, target, x - 1, y)) + has_wall(fight, target, x + 1, y)
    return sides + has_wall(fight, target, x, y - 1) + has_wall(fight, target, x, y + 1)
