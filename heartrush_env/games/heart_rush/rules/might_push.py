"""Weapons > Might Bonus > Melee: the push of a might attack, and following the pushed fighter."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.forced_movement import COLLISION_DIE, RANKS, push_away, push_squares
from heartrush_env.games.heart_rush.rules.hits import add_hit
from heartrush_env.games.heart_rush.rules.hooks import with_abilities
from heartrush_env.games.heart_rush.rules.maneuvers.grapple import end_holds_out_of_reach
from heartrush_env.games.heart_rush.rules.movement import dreads, is_enterable, is_vacant, place
from heartrush_env.games.heart_rush.rules.parts import bearer_of
from heartrush_env.games.heart_rush.rules.paths import direction_to
from heartrush_env.games.heart_rush.rules.places import tell_carried
from heartrush_env.games.heart_rush.rules.sheet import has
from heartrush_env.games.heart_rush.rules.space import on_map
from heartrush_env.games.heart_rush.rules.speed import squares_per_dash
from heartrush_env.games.heart_rush.rules.stances import beats, stance_met
from heartrush_env.games.heart_rush.rules.terms import (
    FEET,
    FOLLOW,
    FROM_SQUEEZE,
    GRAPPLE,
    MELEE,
    MIGHT,
    NOBODY,
    PRONE,
    STANDING,
    STRIKE,
)
from heartrush_env.games.heart_rush.rules.trip import begin_to_step, find_trippers, may_trip_steps_of
from heartrush_env.games.heart_rush.rules.weapons import type_against
from heartrush_env.games.heart_rush.state.events import BY_FOLLOWING, MOVE, tell_conditions, tell_square
from heartrush_env.tabletop.rng import roll_sum
from heartrush_env.tabletop.rule import compiled, rule

MIGHT_PUSH = 10  # feet


# The push at the phase's end.


@on_map(None)
@compiled
def begin_pushes(fight):
    """Start the pushes at the end of a phase, after all its hits have landed."""
    fight.hit_count = 0
    fight.hit_number = 0
    for i in range(fight.n):
        fight.fighters[i].has_pushed = NOBODY


@rule("Weapons > Might Bonus > Melee")
def pushes_by_might(fight, i):
    """Return whether fighter i's attack pushes its target: it is made in melee, and might beats the target's stance."""
    fighter = fight.fighters[i]
    if fighter.deed != STRIKE or fighter.stance != MIGHT or type_against(fight, i, fighter.target) != MELEE:
        return False
    return beats(fight, MIGHT, stance_met(fight, i, fighter.target, False))


@on_map(None)
@rule("Weapons > Might Bonus > Melee", "R-80")
def push_by_effect(fight, log, i):
    """Push the target of fighter i's attack if the attack has this effect, or squeeze it if fighter i chose that."""
    fighter = fight.fighters[i]
    if fighter.squeezes and holds_target(fight, i):
        damage = roll_sum(fight, squeeze_dice(fight, i, fighter.target), COLLISION_DIE)
        add_hit(fight, fighter.target, i, FROM_SQUEEZE, damage, RANKS * fighter.turn)
    elif pushes_by_might(fight, i):
        push_away(fight, log, i, fighter.target, feet_of_push(fight, i, fighter.target))
        fighter.has_pushed = fighter.target


@with_abilities(MIGHT_PUSH)
@compiled
def feet_of_push(fight, i, target):
    """Return the length of a push in feet, including further pushes from abilities."""
    feet = MIGHT_PUSH + hooks.pushes(fight, i, target)
    return feet + hooks.might_bonus(fight, i, target) * push_squares(fight, i, target, feet) * FEET


# Squeezing a held creature instead of pushing it.


@on_map(False)
@rule("Combat > Other Offensive Actions > Grappling", "R-80")
def find_squeezes(fight):
    """Find the fighters that may squeeze their captives instead of pushing them; return whether there are any."""
    anyone = False
    for i in range(fight.n):
        fighter = fight.fighters[i]
        if pushes_by_might(fight, i) and holds_target(fight, i):
            fighter.squeezes = fight.fighters[fighter.target].status == STANDING
            anyone = anyone or fighter.squeezes
    return anyone


@on_map(None)
@compiled
def note_squeezes(fight):
    """Keep only the squeezes that fighters have chosen; they happen in place of the pushes."""
    for i in range(fight.n):
        fight.fighters[i].squeezes &= fight.fighters[i].deed == GRAPPLE


@on_map(None)
@compiled
def forget_squeezes(fight):
    """Clear the phase's squeezes, including squeezes that had no effect."""
    for i in range(fight.n):
        fight.fighters[i].squeezes = False


@rule("Combat > Other Offensive Actions > Grappling", "R-80")
def holds_target(fight, i):
    """Return whether fighter i holds the creature that it would push, and so may squeeze it instead."""
    return fight.fighters[i].grappling == fight.fighters[i].target


@rule("Combat > Other Offensive Actions > Grappling", "R-80")
def squeeze_dice(fight, i, held):
    """Return how many d6 a squeeze deals: one, plus one for each size that the holder is larger."""
    return 1 + max(0, np.int64(fight.fighters[i].size_rank) - fight.fighters[held].size_rank)


# Following the pushed fighter.


@on_map(False)
@rule("Weapons > Might Bonus > Melee", "R-77")
def may_follow(fight, i):
    """Return whether fighter i may follow the fighter that it pushed: it can walk, and fear does not forbid it."""
    fighter = fight.fighters[i]
    if fighter.has_pushed == NOBODY or fighter.follow_squares == 0 or fighter.status != STANDING:
        return False
    if dreads(fight, i, fighter.x + fighter.follow_x, fighter.y + fighter.follow_y):
        return False
    return not has(fighter, PRONE) and bearer_of(fight, i) == NOBODY and squares_per_dash(fight, i) > 0


@on_map(None)
@rule("Weapons > Might Bonus > Melee", "R-70")
def begin_to_follow(fight, log, i):
    """Plan fighter i's path behind the fighter that it pushed, if it has chosen to follow; the path may be empty."""
    fighter = fight.fighters[i]
    fight.path_at = fight.path_length = 0
    if fighter.deed == FOLLOW:
        dx, dy = np.int64(fighter.follow_x), np.int64(fighter.follow_y)
        fight.path_length = follow_push(fight, i, dx, dy, fighter.follow_squares)
        for k in range(fight.path_length):
            fight.path[k] = direction_to(dx, dy)
        begin_to_step(fight, i)
        if fight.path_length == 0:
            follow(fight, log, i, 0)
    fighter.has_pushed = NOBODY


@on_map(False)
@rule("Weapons > Might Bonus > Melee", "R-70", "R-162")
def follow_until_trip(fight, log, i):
    """Move fighter i along its path until it may be tripped or the path ends; return whether it may be tripped."""
    while fight.path_at < fight.path_length:
        unsteady = may_trip_steps_of(fight, i)
        squares = squares_to_next_stop(fight, i) if unsteady else fight.path_length - fight.path_at
        follow(fight, log, i, squares)
        fight.path_at += squares
        if unsteady and find_trippers(fight, i):
            return True
    return False


@compiled
def squares_to_next_stop(fight, i):
    """Return how many squares of fighter i's path lead to the next place where it may stay."""
    fighter = fight.fighters[i]
    squares = 1
    while not is_vacant(fight, i, fighter.x + squares * fighter.follow_x, fighter.y + squares * fighter.follow_y):
        squares += 1
    return squares


@on_map(None)
@compiled
def follow(fight, log, i, squares):
    """Move fighter i this many squares after the fighter that it pushed."""
    fighter = fight.fighters[i]
    x, y, dx, dy = np.int64(fighter.x), np.int64(fighter.y), fighter.follow_x, fighter.follow_y
    place(fight, i, x + squares * dx, y + squares * dy)
    fighter.squares_moved += squares
    for step in range(1, squares + 1):
        tell_square(fight, log, MOVE, i, NOBODY, BY_FOLLOWING, x + step * dx, y + step * dy)
    tell_carried(fight, log, i)


@on_map(None)
@compiled
def finish_follows(fight, log):
    """End the holds that following has broken, and log changes of conditions."""
    end_holds_out_of_reach(fight)
    tell_conditions(fight, log)


@on_map(0)
@rule("Weapons > Might Bonus > Melee", "R-70", "R-77")
def follow_push(fight, i, dx, dy, squares):
    """Return the number of squares that fighter i may move after the fighter that it pushed."""
    fighter = fight.fighters[i]
    x, y = np.int64(fighter.x), np.int64(fighter.y)
    moved = 0
    for k in range(1, squares + 1):
        if not is_enterable(fight, i, x, y, dx, dy) or dreads(fight, i, x + dx, y + dy):
            break
        x, y = x + dx, y + dy
        if is_vacant(fight, i, x, y):
            moved = k
    return moved
