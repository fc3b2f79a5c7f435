"""Environment > Forced Movement: pushes, obstacles, collisions, and falls over an edge."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.checks import roll_check
from heartrush_env.games.heart_rush.rules.conditions import gain
from heartrush_env.games.heart_rush.rules.hits import LAST_RANK, add_hit, take_out
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
from heartrush_env.games.heart_rush.rules.places import tell_carried
from heartrush_env.games.heart_rush.rules.sheet import bit, halved
from heartrush_env.games.heart_rush.rules.space import on_map
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
from heartrush_env.games.heart_rush.state.events import (
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
from heartrush_env.tabletop.rng import roll_sum
from heartrush_env.tabletop.rule import compiled, inlined, rule

FEET_PER_SIZE = 5  # feet of push per size of difference
SIZES_TO_SPLIT = 2  # largest size difference of creatures that share collision damage
HEAVY_SHIELD = 2  # the shield bonus of a heavy shield

COLLISION_DIE = 6
RANKS = 3  # hit ranks of one push: collision, fall, and a second hinder
DEADLY_DEPTH = 20  # feet; a deeper fall takes a fighter out


# A push.


@rule("Environment > Forced Movement", "R-71")
def push_direction(fight, i, j):
    """Return the direction directly away from fighter i, the nearest of eight; (0, 0) if their centers coincide."""
    fighter, other = fight.fighters[i], fight.fighters[j]
    east = 2 * (np.int64(other.x) - fighter.x) + other.side - fighter.side  # half squares from center to center
    south = 2 * (np.int64(other.y) - fighter.y) + other.side - fighter.side
    if abs(east) >= 2 * abs(south):
        return sign(east), 0
    if abs(south) >= 2 * abs(east):
        return 0, sign(south)
    return sign(east), sign(south)


@rule("Environment > Forced Movement", "R-71", "R-149")
def push_squares(fight, i, j, feet):
    """Return how many squares i pushes j: `feet`, with 5 feet more or less for each size that j is smaller or larger.

    A part is not pushed away from its body.
    """
    if body_of(fight, j) != NOBODY:
        return 0
    smaller = np.int64(fight.fighters[i].size_rank) - fight.fighters[j].size_rank
    return max(0, feet + FEET_PER_SIZE * smaller) // FEET


@rule("Environment > Forced Movement", "R-16", "R-71")
def push(fight, i, j, squares):
    """Push fighter j this many squares away from i, unless something stops it or it goes over the edge of a drop.

    Returns the squares that j moved, the squares left when j was stopped, the creature that stopped j or NOBODY, and
    whether a wall stopped j.
    """
    other = fight.fighters[j]
    dx, dy = push_direction(fight, i, j)
    other.pushed_x, other.pushed_y, other.pushed = dx, dy, 0
    if dx == 0 and dy == 0:
        return 0, 0, NOBODY, False
    for moved in range(squares):
        x, y = np.int64(other.x) + dx, np.int64(other.y) + dy
        if stops_push(fight, j, dx, dy):
            return moved, squares - moved, NOBODY, True
        blocker = first_in_way(fight, j, x, y)
        if blocker != NOBODY:
            return moved, squares - moved, blocker, False
        place(fight, j, x, y)
        other.pushed = moved + 1
        if falls(fight, j):
            return moved + 1, 0, NOBODY, False
    return squares, 0, NOBODY, False


@rule("Environment > Forced Movement", "R-65", "R-71")
def stops_push(fight, j, dx, dy):
    """Return whether a wall, a corner between walls or, for a fighter in a drop, the drop's edge stops a push of j."""
    other = fight.fighters[j]
    if has_wall(fight, j, other.x + dx, other.y + dy) or cuts_corner(fight, j, other.x, other.y, dx, dy):
        return True
    return is_in_drop(fight, j, other.x, other.y) and not is_in_drop(fight, j, other.x + dx, other.y + dy)


@compiled
def first_in_way(fight, j, x, y):
    """Return the first creature in agent order that keeps fighter j from this square, or NOBODY."""
    for k in range(fight.n):
        if bars_stop(fight, j, k) and overlaps(x, y, fight.fighters[j].side, fight.fighters[k]):
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
def push_away(fight, log, i, j, feet):
    """Push fighter j away from i, as far as sizes and obstacles allow, so that i may follow; if i rides j, hurt j."""
    fighter = fight.fighters[i]
    dx, dy = push_direction(fight, i, j)
    squares = push_squares(fight, i, j, feet)
    moved = knock_away(fight, log, i, j, squares, collision_die(fight, i), RANKS * fighter.turn)
    fighter.follow_x, fighter.follow_y, fighter.follow_squares = dx, dy, moved


@rule("Environment > Forced Movement", "R-71", "R-81")
def knock_away(fight, log, i, j, squares, die, rank):
    """Push fighter j this many squares away from i if nothing stops it; if i rides on j, only hurt j.

    Each square of a collision deals the die; `rank` is that of its hits. Return the squares that j has moved.
    """
    if fight.fighters[i].climbing == j:
        add_hit(fight, j, i, FROM_COLLISION, roll_sum(fight, 1, die), rank)
        return 0
    return drive_away(fight, log, i, j, hooks.pushed(fight, j, np.int64(squares)), die, rank)


@on_map(None)
@rule("Environment > Forced Movement", "R-71")
def knock_aside(fight, log, i, j, squares):
    """Push fighter j this many squares away from i by an ability, unless j is a part; a push ends j's dash."""
    if squares > 0 and body_of(fight, j) == NOBODY:
        moved = knock_away(fight, log, i, j, squares, np.int64(COLLISION_DIE), LAST_RANK)
        if moved > 0 and j == fight.mover:
            fight.path_length = fight.path_at


@rule("Environment > Forced Movement", "R-71")
def drive_away(fight, log, i, j, squares, die, rank):
    """Move fighter j this many squares away from i, as far as obstacles allow; return the squares that it has moved."""
    other = fight.fighters[j]
    dx, dy = push_direction(fight, i, j)
    if squares <= 0 or (dx == 0 and dy == 0):
        return 0
    x, y = np.int64(other.x), np.int64(other.y)
    moved, blocked, blocker, by_wall = push(fight, i, j, squares)
    for step in range(1, moved + 1):
        tell_square(fight, log, PUSH, j, i, PUSHED_ON, x + step * dx, y + step * dy)
    tell_carried(fight, log, j)
    own, part = 0, 0
    if blocked > 0:
        tell_collision(fight, log, i, j, blocker, by_wall)
        own, part = collide(fight, die, j, blocked, blocker, by_wall)
    if moved > 0:
        end_climb_out_of_reach(fight, j)
        drag(fight, log, j, x + (moved - 1) * dx, y + (moved - 1) * dy)
        end_climbs_out_of_reach(fight)
        shake_climbers(fight, log, j, moved * FEET)
        end_holds_out_of_reach(fight)
    if blocked > 0:
        hurt_by_collision(fight, i, j, own, blocker, part, rank)
    if falls(fight, j):
        fall_with_riders(fight, log, i, j, rank + 1)
    other.pushed = 0
    return moved


@compiled
def tell_collision(fight, log, i, j, blocker, by_wall):
    """Log the obstacle that stopped a pushed fighter."""
    number = tell_square(fight, log, PUSH, j, i, STOPPED_BY_WALL if by_wall else STOPPED_BY_FIGHTER, 0, 0)
    if number != NOBODY:
        log.events[number].hurt = blocker


# Collisions.


@rule("Environment > Forced Movement", "R-71")
def shares_collision(fight, j, blocker):
    """Return whether `blocker` takes half of j's collision: within two sizes, and not an enemy with a heavy shield."""
    other, stopper = fight.fighters[j], fight.fighters[blocker]
    if abs(np.int64(other.size_rank) - stopper.size_rank) > SIZES_TO_SPLIT:
        return False
    return other.team == stopper.team or stopper.shield < HEAVY_SHIELD


@rule("Environment > Forced Movement", "R-71", hot=True)
def own_share(damage):
    """Return the pushed fighter's part of shared damage: half, rounded up."""
    return halved(damage)


@compiled
def collision_die(fight, i):
    """Return the die for each square by which a push of fighter i falls short: a d6, unless an ability changes it."""
    return hooks.collides(fight, i, np.int64(COLLISION_DIE))


@rule("Environment > Forced Movement", "R-79")
def are_in_hold(fight, i, k):
    """Return whether one of these two fighters holds the other, so that a collision hurts both."""
    return fight.fighters[i].grappling == k or fight.fighters[k].grappling == i


@rule("Environment > Forced Movement", "R-71")
def collide(fight, die, j, squares, blocker, by_wall):
    """Roll a die per square by which j's way fell short; return the damage to j and to what is in its way."""
    damage = roll_sum(fight, squares, die)
    if by_wall or not shares_collision(fight, j, blocker):
        return damage, 0
    return own_share(damage), damage - own_share(damage)


@rule("Environment > Forced Movement", "R-71", "R-79")
def hurt_by_collision(fight, i, j, own, blocker, part, rank):
    """Hurt the pushed fighter and the creature in its way; fighters in a hold with one of them take equal damage."""
    hurt = bit(j)
    add_hit(fight, j, i, FROM_COLLISION, own, rank)
    shares = blocker != NOBODY and shares_collision(fight, j, blocker)
    if shares:
        hurt |= bit(blocker)
        add_hit(fight, blocker, i, FROM_COLLISION, part, rank)
    for k in range(fight.n):
        if are_in_hold(fight, j, k) and not hurt & bit(k):
            hurt |= bit(k)
            add_hit(fight, k, i, FROM_COLLISION, own, rank)
    for k in range(fight.n if shares else 0):
        if are_in_hold(fight, blocker, k) and not hurt & bit(k):
            hurt |= bit(k)
            add_hit(fight, k, i, FROM_COLLISION, part, rank)


# Falls.


@rule("Environment > Drops", "R-72", "R-82")
def fall_with_riders(fight, log, i, j, rank):
    """Drop a fighter and its riders over an edge; a deep drop takes all of them out of the fight."""
    riders = np.int64(0)
    for k in range(fight.n):
        if is_carried_by(fight, k, j):
            riders |= bit(k)
        if fight.drop > DEADLY_DEPTH and (k == j or riders & bit(k)):
            fight.fighters[k].status = DEFEATED
    fall(fight, log, i, j, rank)
    for k in range(fight.n):
        if riders & bit(k):
            fall(fight, log, i, k, rank)


@rule("Environment > Drops", "R-72")
def fall(fight, log, i, j, rank):
    """Roll an agility save against the feet fallen; on a failure, deal the shortfall as damage and inflict prone.

    A fall of more than 20 feet defeats the fighter without a roll.
    """
    number = tell(fight, log, FALL, j, i, 0, fight.drop)
    if fight.drop > DEADLY_DEPTH:
        take_out(fight, log, j, DEFEATED)
        return
    lacking = fight.drop - roll_check(fight, j, SAVE, AGILITY, NOBODY, 0, fight.attack_roll)
    tell_attack_roll(fight, log, number)
    if number != NOBODY:
        log.events[number].flag = lacking <= 0
    if lacking > 0:
        gain(fight.fighters[j], PRONE, 1)
        add_hit(fight, j, i, FROM_FALL, lacking, rank)
    tell_conditions(fight, log)
