"""The end of a phase in space: who is pushed, what stops it, who holds on, who falls."""

from __future__ import annotations

import numpy as np

from heartrush_env.core.rng import roll_die
from heartrush_env.core.rule import compiled, rule
from heartrush_env.heart_rush.engine.events import (
    BY_CLIMBING,
    FALL,
    MOVE,
    PUSH,
    PUSHED_ON,
    STOPPED_BY_FIGHTER,
    STOPPED_BY_WALL,
    tell,
    tell_attack_roll,
    tell_conditions,
    tell_square,
)
from heartrush_env.heart_rush.engine.hits import add_hit, hold_on, take_out
from heartrush_env.heart_rush.engine.moving import end_climbs_out_of_reach
from heartrush_env.heart_rush.engine.places import (
    drag,
    end_climb_out_of_reach,
    end_holds_out_of_reach,
    square_of,
    tell_carried,
)
from heartrush_env.heart_rush.rules.checks import roll_check
from heartrush_env.heart_rush.rules.conditions import gain
from heartrush_env.heart_rush.rules.forced_movement import (
    FEET,
    are_in_hold,
    get_onto,
    own_share,
    push,
    push_direction,
    push_squares,
    shares_collision,
)
from heartrush_env.heart_rush.rules.might_push import (
    MIGHT_PUSH,
    SHOVE_PUSH,
    holds_target,
    pushes_by_might,
    squeeze_dice,
)
from heartrush_env.heart_rush.rules.movement import falls, is_carried_by
from heartrush_env.heart_rush.rules.sheet import bit
from heartrush_env.heart_rush.rules.space import on_map
from heartrush_env.heart_rush.rules.terms import (
    AGILITY,
    DEFEATED,
    FROM_COLLISION,
    FROM_FALL,
    FROM_SQUEEZE,
    GRAPPLE,
    NOBODY,
    PRONE,
    SAVE,
    STANDING,
)

COLLISION_DIE = 6
RANKS = 4  # of the hits of one push: the parts of a collision, what they do to who is held, the fall
DEADLY_DEPTH = 20  # feet; whoever falls deeper is out


@on_map(None)
@compiled
def begin_pushes(match):
    """At the phase's end nobody has been pushed yet, and all hits of the phase have landed."""
    match.hit_count = 0
    match.hit_number = 0
    for i in range(match.n):
        match.fighters[i].has_pushed = NOBODY


@on_map(False)
@rule("Combat > Other Offensive Actions > Grappling", "R-80")
def find_squeezes(match):
    """Those whose attack is about to push the creature that they hold may squeeze it; returns whether anybody may."""
    anyone = False
    for i in range(match.n):
        fighter = match.fighters[i]
        if pushes_by_might(match, i) and holds_target(match, i):
            fighter.squeezes = match.fighters[fighter.target].status == STANDING
            anyone = anyone or fighter.squeezes
    return anyone


@on_map(None)
@compiled
def note_squeezes(match):
    """Who has chosen to squeeze does so when its effect takes hold."""
    for i in range(match.n):
        match.fighters[i].squeezes &= match.fighters[i].deed == GRAPPLE


@on_map(None)
@compiled
def forget_squeezes(match):
    """The effects of the phase are over, those that came to nothing too."""
    for i in range(match.n):
        match.fighters[i].squeezes = False


@on_map(None)
@rule("Environment > Forced Movement", "R-80")
def push_by_effect(match, log, i):
    """An attack that pushes its target does so now, unless it squeezes it instead."""
    fighter = match.fighters[i]
    if fighter.squeezes and holds_target(match, i):
        damage = roll_dice(match, squeeze_dice(match, i, fighter.target))
        add_hit(match, fighter.target, i, FROM_SQUEEZE, damage, RANKS * fighter.turn)
    elif pushes_by_might(match, i):
        feel_push(match, log, i, fighter.target, MIGHT_PUSH)
        fighter.has_pushed = fighter.target


@on_map(None)
@rule("Combat > Other Offensive Actions > Hinder")
def push_by_shove(match, log, i, target):
    """A shove pushes its target."""
    feel_push(match, log, i, target, SHOVE_PUSH)


@on_map(None)
@rule("Combat > Other Offensive Actions > Climb On")
def step_onto(match, log, i, bearer):
    """A climber is in the square of its bearer that is nearest to it."""
    before = square_of(match, i)
    get_onto(match, i, bearer)
    if square_of(match, i) != before:
        tell_square(match, log, MOVE, i, bearer, BY_CLIMBING, match.fighters[i].x, match.fighters[i].y)
    end_holds_out_of_reach(match)


@rule("Environment > Forced Movement", "R-71", "R-81")
def feel_push(match, log, i, j, feet):
    """Fighter j is pushed away from i, as far as sizes make it and the way is free; whoever rides it just hurts it."""
    fighter, other = match.fighters[i], match.fighters[j]
    rank = RANKS * fighter.turn
    fighter.follow_squares = 0
    if fighter.climbing == j:
        add_hit(match, j, i, FROM_COLLISION, roll_dice(match, 1), rank)
        return
    squares = push_squares(match, i, j, feet)
    dx, dy = push_direction(match, i, j)
    if squares <= 0 or (dx == 0 and dy == 0):
        return
    x, y = np.int64(other.x), np.int64(other.y)
    moved, blocked, blocker, by_wall = push(match, i, j, squares)
    fighter.follow_x, fighter.follow_y, fighter.follow_squares = dx, dy, moved
    for step in range(1, moved + 1):
        tell_square(match, log, PUSH, j, i, PUSHED_ON, x + step * dx, y + step * dy)
    tell_carried(match, log, j)
    own, part = 0, 0
    if blocked > 0:
        tell_collision(match, log, i, j, blocker, by_wall)
        own, part = collide(match, j, blocked, blocker, by_wall)
    if moved > 0:
        end_climb_out_of_reach(match, j)
        drag(match, log, j, x + (moved - 1) * dx, y + (moved - 1) * dy)
        end_climbs_out_of_reach(match)
        shake_climbers(match, log, j, moved * FEET)
        end_holds_out_of_reach(match)
    if blocked > 0:
        hurt_by_collision(match, i, j, own, blocker, part)
    if falls(match, j):
        fall_with_riders(match, log, i, j)
    other.pushed = 0


@compiled
def tell_collision(match, log, i, j, blocker, by_wall):
    """What has stopped the one who was pushed."""
    number = tell_square(match, log, PUSH, j, i, STOPPED_BY_WALL if by_wall else STOPPED_BY_FIGHTER, 0, 0)
    if number != NOBODY:
        log.events[number].hurt = blocker


@rule("Environment > Forced Movement", "R-71")
def collide(match, j, squares, blocker, by_wall):
    """A way that ends early deals 1d6 for each square not gone: to who was pushed, and to the creature in its way."""
    damage = roll_dice(match, squares)
    if by_wall or not shares_collision(match, j, blocker):
        return damage, 0
    return own_share(damage), damage - own_share(damage)


@rule("Environment > Forced Movement", "R-71", "R-79")
def hurt_by_collision(match, i, j, own, blocker, part):
    """Who was pushed and the creature in its way take their parts; who is in a hold with one of them takes as much."""
    rank = RANKS * match.fighters[i].turn
    hurt = bit(j)
    add_hit(match, j, i, FROM_COLLISION, own, rank)
    shares = blocker != NOBODY and shares_collision(match, j, blocker)
    if shares:
        hurt |= bit(blocker)
        add_hit(match, blocker, i, FROM_COLLISION, part, rank)
    for k in range(match.n):
        if are_in_hold(match, j, k) and not hurt & bit(k):
            hurt |= bit(k)
            add_hit(match, k, i, FROM_COLLISION, own, rank + 1)
    for k in range(match.n if shares else 0):
        if are_in_hold(match, blocker, k) and not hurt & bit(k):
            hurt |= bit(k)
            add_hit(match, k, i, FROM_COLLISION, part, rank + 1)


@compiled
def roll_dice(match, count):
    """The sum of so many d6."""
    total = 0
    for _ in range(count):
        total += roll_die(match, COLLISION_DIE)
    return total


@rule("Conditions > Climbed On", "R-34")
def shake_climbers(match, log, bearer, feet):
    """Whoever rides a creature that is pushed saves against the feet, or is off."""
    for climber in range(match.n):
        if match.fighters[climber].climbing == bearer:
            hold_on(match, log, climber, feet)


@rule("Environment > Drops", "R-72", "R-82")
def fall_with_riders(match, log, i, j):
    """Whoever goes over an edge takes along all who ride it; a deep drop puts them out of the fight together."""
    rank = RANKS * match.fighters[i].turn + 2
    riders = np.int64(0)
    for k in range(match.n):
        if is_carried_by(match, k, j):
            riders |= bit(k)
        if match.drop > DEADLY_DEPTH and (k == j or riders & bit(k)):
            match.fighters[k].status = DEFEATED
    fall(match, log, i, j, rank)
    for k in range(match.n):
        if riders & bit(k):
            fall(match, log, i, k, rank)


@rule("Environment > Drops", "R-72")
def fall(match, log, i, j, rank):
    """An agility save against the feet; what it lacks is damage, and prone. A deep fall puts out of the fight."""
    number = tell(match, log, FALL, j, i, 0, match.drop)
    if match.drop > DEADLY_DEPTH:
        take_out(match, log, j, DEFEATED)
        return
    lacking = match.drop - roll_check(match, j, SAVE, AGILITY, NOBODY, 0, match.attack_roll)
    tell_attack_roll(match, log, number)
    if number != NOBODY:
        log.events[number].flag = lacking <= 0
    if lacking > 0:
        gain(match.fighters[j], PRONE, 1)
        add_hit(match, j, i, FROM_FALL, lacking, rank)
    tell_conditions(match, log)
