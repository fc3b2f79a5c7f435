"""Charge."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.held import strikes_heavily
from heartrush_env.games.heart_rush.abilities.unit import ability, dice, figures
from heartrush_env.games.heart_rush.engine.strikes import is_own_attack
from heartrush_env.games.heart_rush.rules.abilities import memo, remember, version
from heartrush_env.games.heart_rush.rules.conditions import inflict
from heartrush_env.games.heart_rush.rules.contests import sizes_larger
from heartrush_env.games.heart_rush.rules.dice import add_bonus_dice
from heartrush_env.games.heart_rush.rules.movement import DIRECTIONS, STEP_X, STEP_Y
from heartrush_env.games.heart_rush.rules.space import distance, distance_from, square_of
from heartrush_env.games.heart_rush.rules.terms import FEET, MAP_SIDE, MOST_SQUARES, PRONE
from heartrush_env.tabletop.rule import compiled

STEP = int(figures("charge", "step_ft")[0]) // FEET  # squares
MOST = int(figures("charge", "max_dice")[0])
DIE = dice("charge", "die")
LARGER = 1  # sizes


@ability("charge", needs="cells", rulings=["R-205"])
class Charge:
    """After a straight run at an enemy, an attack on it with a heavy melee weapon has dice and knocks it prone.

    The memo is the run of this round that the owner has just made: its length, its direction, and the square where it
    has ended.
    """

    def ran(fight, i, slot, direction):
        fighter, run, direction = fight.fighters[i], memo(fight, i, slot), np.int64(direction)
        x, y = fighter.x - STEP_X[direction], fighter.y - STEP_Y[direction]
        straight = run > 0 and way_of(run) == direction and square_in(run) == square_at(x, y)
        length = min(length_of(run) + 1, STEP * MOST) if straight else np.int64(1)
        remember(fight, i, slot, (length * DIRECTIONS + direction) * MOST_SQUARES + square_of(fight, i))

    def round_starts(fight, i, slot, log):
        remember(fight, i, slot, 0)

    def attack(fight, i, slot, target, stance):
        number = dice_of_run(fight, i, slot, target)
        if number > 0 and is_own_attack(fight, i):
            add_bonus_dice(fight.pool, number, DIE[version(fight, i, slot), 1])
        return 0

    def effect(fight, i, slot, log, target):
        if dice_of_run(fight, i, slot, target) > 0:
            inflict(fight, i, target, PRONE, 1)


@compiled
def length_of(run):
    """Return the squares of a remembered run."""
    return run // MOST_SQUARES // DIRECTIONS


@compiled
def way_of(run):
    """Return the direction of a remembered run."""
    return run // MOST_SQUARES % DIRECTIONS


@compiled
def square_in(run):
    """Return the square where a remembered run has ended."""
    return run % MOST_SQUARES


@compiled
def square_at(x, y):
    """Return the index of a square of the map."""
    return np.int64(y) * MAP_SIDE + x


@compiled
def dice_of_run(fight, i, slot, target):
    """Return the dice that the owner's run adds to an attack on the target: none if it did not run straight at it."""
    fighter, run = fight.fighters[i], memo(fight, i, slot)
    number = min(MOST, length_of(run) // STEP)
    if number == 0 or not strikes_heavily(fight, i, target):
        return np.int64(0)
    if square_in(run) != square_of(fight, i) or sizes_larger(fight, i, target) > LARGER:
        return np.int64(0)
    way = way_of(run)
    ahead = distance_from(fight, i, fighter.x + STEP_X[way], fighter.y + STEP_Y[way], target)
    return np.int64(number) if ahead < distance(fight, i, target) else np.int64(0)
