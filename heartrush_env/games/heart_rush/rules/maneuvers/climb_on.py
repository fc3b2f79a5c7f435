"""Other Offensive Actions > Climb On: getting on a creature, holding on, falling off and climbing down.

Shaking climbers off and hopping off are in actions/shake_off.py.
"""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.engine.events import (
    BY_CLIMBING,
    BY_COMING_OFF,
    CHECK_EVENT,
    MOVE,
    tell,
    tell_abilities,
    tell_attack_roll,
    tell_conditions,
    tell_square,
)
from heartrush_env.games.heart_rush.rules.checks import might_or_agility, roll_check
from heartrush_env.games.heart_rush.rules.choices import Contest, maneuver
from heartrush_env.games.heart_rush.rules.conditions import gain_from, lose
from heartrush_env.games.heart_rush.rules.contests import sizes_larger
from heartrush_env.games.heart_rush.rules.maneuvers.core import MIGHT_OR_AGILITY
from heartrush_env.games.heart_rush.rules.maneuvers.grapple import end_holds_out_of_reach, takes_hold
from heartrush_env.games.heart_rush.rules.movement import falls, is_in_drop, is_vacant, place
from heartrush_env.games.heart_rush.rules.parts import bearer_of
from heartrush_env.games.heart_rush.rules.paths import LED_TO, REACHED, SHUT, led_to, new_boards, survey_ground, widen
from heartrush_env.games.heart_rush.rules.space import distance, distance_from, gap, on_map, square_of
from heartrush_env.games.heart_rush.rules.terms import (
    CLIMBED_ON,
    CREATURE_CLIMBER,
    HOP_OFF,
    MAP_SIDE,
    NOBODY,
    SAVE,
    STANDING,
)
from heartrush_env.tabletop.rule import compiled, rule

SIZES_TO_CLIMB = 2


@maneuver(
    "climb_on",
    words="climb on {target}: a contest",
    tells="{fighter} tries to climb on {target}",
    heading="Combat > Other Offensive Actions > Climb On",
    contest=Contest(MIGHT_OR_AGILITY, MIGHT_OR_AGILITY),
)
class ClimbOn:
    """A fighter climbs on a creature at least two sizes larger and moves to the nearest square of its space."""

    def may(fight, i, target, detail):
        return bearer_of(fight, i) == NOBODY and sizes_larger(fight, i, target) >= SIZES_TO_CLIMB

    def do(fight, log, i, target, detail):
        if takes_hold(fight, i, target):
            climb_up(fight, i, target)
            step_onto(fight, log, i, target)


# Getting on.


@compiled
def climb_up(match, i, target):
    """Make fighter i ride the target."""
    match.fighters[i].climbing = target
    gain_from(match.fighters[i], CREATURE_CLIMBER, 1, target)
    gain_from(match.fighters[target], CLIMBED_ON, 1, i)


@on_map(None)
@rule("Combat > Other Offensive Actions > Climb On")
def step_onto(match, log, i, bearer):
    """Move a climber to the nearest square of its bearer."""
    before = square_of(match, i)
    get_onto(match, i, bearer)
    if square_of(match, i) != before:
        tell_square(match, log, MOVE, i, bearer, BY_CLIMBING, match.fighters[i].x, match.fighters[i].y)
    end_holds_out_of_reach(match)


@on_map(None)
@rule("Combat > Other Offensive Actions > Climb On")
def get_onto(match, i, bearer):
    """Move the climber to the square of the climbed creature nearest to the climber's old square."""
    fighter, other = match.fighters[i], match.fighters[bearer]
    best_x, best_y, least = np.int64(other.x), np.int64(other.y), 2 * MAP_SIDE
    for y in range(other.y, other.y + other.side - fighter.side + 1):
        for x in range(other.x, other.x + other.side - fighter.side + 1):
            far = max(gap(x, fighter.side, fighter.x, fighter.side), gap(y, fighter.side, fighter.y, fighter.side))
            if far < least:
                best_x, best_y, least = np.int64(x), np.int64(y), far
    place(match, i, best_x, best_y)


# Holding on, or falling off.


@compiled
def hold_on(match, log, i, number):
    """Make a climber save against a number; on a failure it falls off the creature that it rides."""
    square = square_of(match, i)
    held = keeps_hold(match, i, number)
    event = tell(match, log, CHECK_EVENT, i, NOBODY, HOP_OFF, 0)
    tell_attack_roll(match, log, event)
    tell_abilities(match, log, event, i, NOBODY)
    if event != NOBODY:
        log.events[event].flag = held
    tell_coming_off(match, log, i, square)
    tell_conditions(match, log)


@rule("Conditions > Creature Climber", "R-34", "R-57")
def keeps_hold(match, i, damage):
    """Roll a climber's might or agility save against damage; it falls off on a failure. Return whether it holds on."""
    ability = might_or_agility(match, i, SAVE, NOBODY, 0)
    total = roll_check(match, i, SAVE, ability, NOBODY, 0, match.attack_roll)
    if total < damage:
        climb_down(match, i)
        return False
    return True


@rule("Conditions > Climbed On", "R-34")
def shake_climbers(match, log, bearer, feet):
    """Make each rider of a pushed creature save against the feet pushed or fall off."""
    for climber in range(match.n):
        if match.fighters[climber].climbing == bearer:
            hold_on(match, log, climber, feet)


# Climbing down.


@rule("Combat > Other Offensive Actions > Climb On", "R-52", "R-61")
def climb_down(match, i):
    """End fighter i's ride if there is room, and place it next to the creature unless it is out of the fight."""
    mount = match.fighters[i].climbing
    if mount != NOBODY and may_come_off(match, i):
        end_climb(match, i)
        if match.fighters[i].status == STANDING:
            set_down(match, i, mount)


@compiled
def end_climb(match, i):
    """End fighter i's ride without moving it."""
    mount = match.fighters[i].climbing
    match.fighters[i].climbing = NOBODY
    lose(match.fighters[i], CREATURE_CLIMBER)
    for j in range(match.n):
        if match.fighters[j].climbing == mount:
            return
    lose(match.fighters[mount], CLIMBED_ON)


@on_map(True)
@rule("Combat > Other Offensive Actions > Climb On", "R-76")
def may_come_off(match, i):
    """Return whether fighter i has room to come off the creature; always True if one of them is out of the fight."""
    bearer = match.fighters[i].climbing
    if match.fighters[i].status != STANDING or match.fighters[bearer].status != STANDING:
        return True
    x, _ = place_beside(match, i, bearer)
    return x != NOBODY


@on_map(True)
@rule("Combat > Other Offensive Actions > Climb On", "R-84")
def may_hop_off(match, i):
    """Return whether a free place next to the creature lets the climber leave voluntarily."""
    bearer = match.fighters[i].climbing
    x, y = place_beside(match, i, bearer)
    return x != NOBODY and distance_from(match, i, x, y, bearer) <= 1


@on_map(None)
@rule("Combat > Other Offensive Actions > Climb On")
def set_down(match, i, bearer):
    """Place a climber that has come off on the nearest free place off the creature, which `place_beside` finds."""
    x, y = place_beside(match, i, bearer)
    if x != NOBODY:
        place(match, i, x, y)


@rule("Combat > Other Offensive Actions > Climb On", "R-84")
def place_beside(match, i, bearer):
    """Return the nearest place off the bearer's space where fighter i may stay, or -1, -1.

    Distance is counted in steps, which bodies do not block. Among equally near places the first, row by row, is chosen.
    If the creature is falling, the steps stay on firm ground.
    """
    fighter, mount = match.fighters[i], match.fighters[bearer]
    boards = new_boards()
    down = is_in_drop(match, bearer, mount.x, mount.y) and not falls(match, bearer)
    survey_ground(match, boards, down)
    if fighter.side > 1:
        widen(boards, fighter.side)
    boards[LED_TO, fighter.y + 1] = np.int64(1) << np.int64(fighter.x)
    grows = True
    while grows:
        x, y = first_free(match, i, bearer, boards)
        if x != NOBODY:
            return x, y
        grows = False
        for row in range(1, match.height + 1):
            grows |= boards[LED_TO, row] & ~boards[REACHED, row] != 0
            boards[REACHED, row] |= boards[LED_TO, row]
        for row in range(1, match.height + 1):
            boards[LED_TO, row] = led_to(boards, REACHED, row)
    return np.int64(NOBODY), np.int64(NOBODY)


@compiled
def first_free(match, i, bearer, boards):
    """Return the first newly reached place, row by row, where fighter i may stay off its bearer's space, or -1, -1."""
    bears = match.fighters[bearer].status == STANDING
    for y in range(match.height):
        places = boards[LED_TO, y + 1] & ~boards[SHUT, y + 1]
        for x in range(match.width if places else 0):
            off = not bears or distance_from(match, i, x, y, bearer) > 0
            if places >> x & 1 and off and is_vacant(match, i, x, y):
                return np.int64(x), np.int64(y)
    return np.int64(NOBODY), np.int64(NOBODY)


@on_map(None)
@compiled
def come_off(match, log, i):
    """Make a climber leave the creature that it rides, and log its move."""
    square = square_of(match, i)
    climb_down(match, i)
    tell_coming_off(match, log, i, square)


@on_map(None)
@compiled
def tell_coming_off(match, log, i, square):
    """Log the move of a climber if it has left this square, and end holds that are now out of reach."""
    if square_of(match, i) != square:
        tell_square(match, log, MOVE, i, NOBODY, BY_COMING_OFF, match.fighters[i].x, match.fighters[i].y)
        end_holds_out_of_reach(match)


@compiled
def end_climb_out_of_reach(match, i):
    """End the ride of a climber that was moved off its bearer; the climber stays where it is."""
    bearer = match.fighters[i].climbing
    if bearer != NOBODY and distance(match, i, bearer) > 0:
        end_climb(match, i)


@compiled
def end_climbs_out_of_reach(match):
    """End the ride of every fighter that was moved off the creature that it rides."""
    for i in range(match.n):
        end_climb_out_of_reach(match, i)
