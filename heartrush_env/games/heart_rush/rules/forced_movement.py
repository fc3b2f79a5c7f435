"""Environment > Forced Movement: pushes, obstacles, collisions, and falls over an edge."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.engine.events import (
    FALL,
    PUSH,
    PUSHED_ON,
    STOPPED_BY_FIGHTER,
    STOPPED_BY_WALL,
    tell,
    tell_attack_roll,
    tell_conditions,
    tell_square,
)
from heartrush_env.games.heart_rush.engine.places import tell_carried
from heartrush_env.games.heart_rush.rules.checks import roll_check
from heartrush_env.games.heart_rush.rules.conditions import gain
from heartrush_env.games.heart_rush.rules.dice import roll_sum
from heartrush_env.games.heart_rush.rules.hits import add_hit, take_out
from heartrush_env.games.heart_rush.rules.maneuvers.climb_on import (
    end_climb_out_of_reach,
    end_climbs_out_of_reach,
    shake_climbers,
)
from heartrush_env.games.heart_rush.rules.maneuvers.grapple import drag, end_holds_out_of_reach
from heartrush_env.games.heart_rush.rules.movement import (
    bars_stop,
    cuts_corner,
    falls,
    has_wall,
    is_carried_by,
    is_in_drop,
    overlaps,
    place,
)
from heartrush_env.games.heart_rush.rules.parts import body_of
from heartrush_env.games.heart_rush.rules.sheet import bit, halved
from heartrush_env.games.heart_rush.rules.terms import (
    AGILITY,
    DEFEATED,
    FEET,
    FROM_COLLISION,
    FROM_FALL,
    NOBODY,
    PRONE,
    SAVE,
)
from heartrush_env.tabletop.rule import compiled, inlined, rule

FEET_PER_SIZE = 5  # feet of push per size of difference
SIZES_TO_SPLIT = 2  # largest size difference of creatures that share collision damage
HEAVY_SHIELD = 2  # the shield bonus of a heavy shield

COLLISION_DIE = 6
RANKS = 4  # hit ranks of one push: collision, collision damage passed on by holds, fall
DEADLY_DEPTH = 20  # feet; a deeper fall takes a fighter out


# A push.


@rule("Environment > Forced Movement", "R-71")
def push_direction(match, i, j):
    """Return the direction directly away from fighter i, the nearest of eight; (0, 0) if their centers coincide."""
    fighter, other = match.fighters[i], match.fighters[j]
    east = 2 * (np.int64(other.x) - fighter.x) + other.side - fighter.side  # half squares from center to center
    south = 2 * (np.int64(other.y) - fighter.y) + other.side - fighter.side
    if abs(east) >= 2 * abs(south):
        return sign(east), 0
    if abs(south) >= 2 * abs(east):
        return 0, sign(south)
    return sign(east), sign(south)


@rule("Environment > Forced Movement", "R-71", "R-149")
def push_squares(match, i, j, feet):
    """Return how many squares i pushes j: `feet`, with 5 feet more per size that j is smaller, or less if it is larger.

    A part is not pushed away from its body.
    """
    if body_of(match, j) != NOBODY:
        return 0
    smaller = np.int64(match.fighters[i].size_rank) - match.fighters[j].size_rank
    return max(0, feet + FEET_PER_SIZE * smaller) // FEET


@rule("Environment > Forced Movement", "R-16", "R-71")
def push(match, i, j, squares):
    """Push fighter j this many squares away from i, unless something stops it or it goes over the edge of a drop.

    Returns the squares moved, the squares left when it was stopped, the creature that stopped it or NOBODY, and whether
    a wall stopped it.
    """
    other = match.fighters[j]
    dx, dy = push_direction(match, i, j)
    other.pushed_x, other.pushed_y, other.pushed = dx, dy, 0
    if dx == 0 and dy == 0:
        return 0, 0, NOBODY, False
    for moved in range(squares):
        x, y = np.int64(other.x) + dx, np.int64(other.y) + dy
        if stops_push(match, j, dx, dy):
            return moved, squares - moved, NOBODY, True
        blocker = first_in_way(match, j, x, y)
        if blocker != NOBODY:
            return moved, squares - moved, blocker, False
        place(match, j, x, y)
        other.pushed = moved + 1
        if falls(match, j):
            return moved + 1, 0, NOBODY, False
    return squares, 0, NOBODY, False


@rule("Environment > Forced Movement", "R-65", "R-71")
def stops_push(match, j, dx, dy):
    """Return whether a wall, a corner between walls or, for a fighter in a drop, the drop's edge stops a push of j."""
    other = match.fighters[j]
    if has_wall(match, j, other.x + dx, other.y + dy) or cuts_corner(match, j, other.x, other.y, dx, dy):
        return True
    return is_in_drop(match, j, other.x, other.y) and not is_in_drop(match, j, other.x + dx, other.y + dy)


@compiled
def first_in_way(match, j, x, y):
    """Return the first creature in agent order that keeps fighter j from this square, or NOBODY."""
    for k in range(match.n):
        if bars_stop(match, j, k) and overlaps(x, y, match.fighters[j].side, match.fighters[k]):
            return k
    return NOBODY


@inlined
def sign(number):
    """Return the sign of a number: -1, 0 or 1."""
    if number == 0:
        return 0
    return 1 if number > 0 else -1


# The effects of a push.


@rule("Environment > Forced Movement", "R-71", "R-81")
def feel_push(match, log, i, j, feet):
    """Push fighter j away from i, as far as sizes and obstacles allow; if i rides on j, only hurt j."""
    fighter, other = match.fighters[i], match.fighters[j]
    rank = RANKS * fighter.turn
    fighter.follow_squares = 0
    if fighter.climbing == j:
        add_hit(match, j, i, FROM_COLLISION, roll_sum(match, 1, COLLISION_DIE), rank)
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
    """Log the obstacle that stopped a pushed fighter."""
    number = tell_square(match, log, PUSH, j, i, STOPPED_BY_WALL if by_wall else STOPPED_BY_FIGHTER, 0, 0)
    if number != NOBODY:
        log.events[number].hurt = blocker


# Collisions.


@rule("Environment > Forced Movement", "R-71")
def shares_collision(match, j, blocker):
    """Return whether `blocker` takes half of j's collision: within two sizes, and not an enemy with a heavy shield."""
    other, stopper = match.fighters[j], match.fighters[blocker]
    if abs(np.int64(other.size_rank) - stopper.size_rank) > SIZES_TO_SPLIT:
        return False
    return other.team == stopper.team or stopper.shield < HEAVY_SHIELD


@rule("Environment > Forced Movement", "R-71", hot=True)
def own_share(damage):
    """Return the pushed fighter's part of shared damage: half, rounded up."""
    return halved(damage)


@rule("Environment > Forced Movement", "R-79")
def are_in_hold(match, i, k):
    """Return whether one of these two fighters holds the other, so that a collision hurts both."""
    return match.fighters[i].grappling == k or match.fighters[k].grappling == i


@rule("Environment > Forced Movement", "R-71")
def collide(match, j, squares, blocker, by_wall):
    """Roll 1d6 per square by which a push of j fell short; return the damage to j and to the creature in its way."""
    damage = roll_sum(match, squares, COLLISION_DIE)
    if by_wall or not shares_collision(match, j, blocker):
        return damage, 0
    return own_share(damage), damage - own_share(damage)


@rule("Environment > Forced Movement", "R-71", "R-79")
def hurt_by_collision(match, i, j, own, blocker, part):
    """Hurt the pushed fighter and the creature in its way; fighters in a hold with one of them take equal damage."""
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


# Falls.


@rule("Environment > Drops", "R-72", "R-82")
def fall_with_riders(match, log, i, j):
    """Drop a fighter and its riders over an edge; a deep drop takes all of them out of the fight."""
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
    """Roll an agility save against the feet fallen; on a failure, deal the shortfall as damage and inflict prone.

    A fall of more than 20 feet defeats the fighter without a roll.
    """
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
