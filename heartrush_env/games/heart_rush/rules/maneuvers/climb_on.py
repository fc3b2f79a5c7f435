"""Other Offensive Actions > Climb On: getting on a creature, holding on, falling off and climbing down.

Shaking climbers off and hopping off are in actions/shake_off.py.
"""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.boards import LED_TO, REACHED, SHUT, led_to, new_boards, survey_ground, widen
from heartrush_env.games.heart_rush.rules.checks import might_or_agility, roll_check
from heartrush_env.games.heart_rush.rules.choices import Contest, maneuver
from heartrush_env.games.heart_rush.rules.conditions import gain_from, lose
from heartrush_env.games.heart_rush.rules.contests import MIGHT_OR_AGILITY, sizes_larger
from heartrush_env.games.heart_rush.rules.maneuvers.grapple import end_holds_out_of_reach, takes_hold
from heartrush_env.games.heart_rush.rules.movement import falls, is_in_drop, is_vacant, place
from heartrush_env.games.heart_rush.rules.parts import bearer_of
from heartrush_env.games.heart_rush.rules.sheet import note_cause
from heartrush_env.games.heart_rush.rules.space import distance, distance_from, gap, on_map, square_of
from heartrush_env.games.heart_rush.rules.terms import (
    BY_ABILITY,
    CLIMBED_ON,
    CREATURE_CLIMBER,
    HOP_OFF,
    MAP_SIDE,
    NOBODY,
    SAVE,
    STANDING,
)
from heartrush_env.games.heart_rush.state.events import (
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
def climb_up(fight, i, target):
    """Make fighter i ride the target."""
    fight.fighters[i].climbing = target
    gain_from(fight.fighters[i], CREATURE_CLIMBER, 1, target)
    gain_from(fight.fighters[target], CLIMBED_ON, 1, i)


@on_map(None)
@rule("Combat > Other Offensive Actions > Climb On")
def step_onto(fight, log, i, bearer):
    """Move a climber to the nearest square of its bearer."""
    before = square_of(fight, i)
    get_onto(fight, i, bearer)
    if square_of(fight, i) != before:
        tell_square(fight, log, MOVE, i, bearer, BY_CLIMBING, fight.fighters[i].x, fight.fighters[i].y)
    end_holds_out_of_reach(fight)


@on_map(None)
@rule("Combat > Other Offensive Actions > Climb On")
def get_onto(fight, i, bearer):
    """Move the climber to the square of the climbed creature nearest to the climber's old square."""
    fighter, other = fight.fighters[i], fight.fighters[bearer]
    best_x, best_y, least = np.int64(other.x), np.int64(other.y), 2 * MAP_SIDE
    for y in range(other.y, other.y + other.side - fighter.side + 1):
        for x in range(other.x, other.x + other.side - fighter.side + 1):
            far = max(gap(x, fighter.side, fighter.x, fighter.side), gap(y, fighter.side, fighter.y, fighter.side))
            if far < least:
                best_x, best_y, least = np.int64(x), np.int64(y), far
    place(fight, i, best_x, best_y)


# Holding on, or falling off.


@compiled
def hold_on(fight, log, i, number):
    """Make a climber save against a number; on a failure it falls off the creature that it rides."""
    square = square_of(fight, i)
    held = save_to_keep_hold(fight, i, number)
    event = tell(fight, log, CHECK_EVENT, i, NOBODY, HOP_OFF, 0)
    tell_attack_roll(fight, log, event)
    tell_abilities(fight, log, event, i, NOBODY)
    if event != NOBODY:
        log.events[event].flag = held
    tell_coming_off(fight, log, i, square)
    tell_conditions(fight, log)


@rule("Conditions > Creature Climber", "R-34", "R-57")
def save_to_keep_hold(fight, i, damage):
    """Roll a climber's might or agility save against damage; it falls off on a failure. Return whether it holds on."""
    more = hooks.contest_of(fight, i, fight.fighters[i].climbing, HOP_OFF, False)
    ability = might_or_agility(fight, i, SAVE, NOBODY, more)
    total = roll_check(fight, i, SAVE, ability, NOBODY, more, fight.attack_roll)
    note_cause(fight, BY_ABILITY, more)
    if total < damage:
        climb_down(fight, i)
        return False
    return True


@rule("Conditions > Climbed On", "R-34")
def shake_climbers(fight, log, bearer, feet):
    """Make each rider of a pushed creature save against the number of feet pushed; on a failure the rider falls off."""
    for climber in range(fight.n):
        if fight.fighters[climber].climbing == bearer:
            hold_on(fight, log, climber, feet)


# Climbing down.


@rule("Combat > Other Offensive Actions > Climb On", "R-52", "R-61")
def climb_down(fight, i):
    """End fighter i's ride if there is room, and place it next to the creature unless it is out of the fight."""
    mount = fight.fighters[i].climbing
    if mount != NOBODY and may_come_off(fight, i):
        end_climb(fight, i)
        if fight.fighters[i].status == STANDING:
            set_down(fight, i, mount)


@compiled
def end_climb(fight, i):
    """End fighter i's ride without moving it."""
    mount = fight.fighters[i].climbing
    fight.fighters[i].climbing = NOBODY
    lose(fight.fighters[i], CREATURE_CLIMBER)
    for j in range(fight.n):
        if fight.fighters[j].climbing == mount:
            return
    lose(fight.fighters[mount], CLIMBED_ON)


@on_map(True)
@rule("Combat > Other Offensive Actions > Climb On", "R-76")
def may_come_off(fight, i):
    """Return whether fighter i has room to come off the creature; always True if one of them is out of the fight."""
    bearer = fight.fighters[i].climbing
    if fight.fighters[i].status != STANDING or fight.fighters[bearer].status != STANDING:
        return True
    x, _ = nearest_place_beside(fight, i, bearer)
    return x != NOBODY


@on_map(True)
@rule("Combat > Other Offensive Actions > Climb On", "R-84")
def may_hop_off(fight, i):
    """Return whether a free place next to the creature lets the climber leave voluntarily."""
    bearer = fight.fighters[i].climbing
    x, y = nearest_place_beside(fight, i, bearer)
    return x != NOBODY and distance_from(fight, i, x, y, bearer) <= 1


@on_map(None)
@rule("Combat > Other Offensive Actions > Climb On")
def set_down(fight, i, bearer):
    """Place a climber that has come off on the nearest free place beside the creature (see `nearest_place_beside`)."""
    x, y = nearest_place_beside(fight, i, bearer)
    if x != NOBODY:
        place(fight, i, x, y)


@rule("Combat > Other Offensive Actions > Climb On", "R-84")
def nearest_place_beside(fight, i, bearer):
    """Return the nearest place off the bearer's space where fighter i may stay, or -1, -1.

    Distance is counted in steps, which bodies do not block. Among equally near places the first, row by row, is chosen.
    If the bearer is down in a drop, all steps stay in the drop. Otherwise, even if the bearer is just being pushed into
    a drop, all steps stay on firm ground.
    """
    fighter, mount = fight.fighters[i], fight.fighters[bearer]
    boards = new_boards()
    down = is_in_drop(fight, bearer, mount.x, mount.y) and not falls(fight, bearer)
    survey_ground(fight, boards, down)
    if fighter.side > 1:
        widen(boards, fighter.side)
    boards[LED_TO, fighter.y + 1] = np.int64(1) << np.int64(fighter.x)
    grows = True
    while grows:
        x, y = first_free(fight, i, bearer, boards)
        if x != NOBODY:
            return x, y
        grows = False
        for row in range(1, fight.height + 1):
            grows |= boards[LED_TO, row] & ~boards[REACHED, row] != 0
            boards[REACHED, row] |= boards[LED_TO, row]
        for row in range(1, fight.height + 1):
            boards[LED_TO, row] = led_to(boards, REACHED, row)
    return np.int64(NOBODY), np.int64(NOBODY)


@compiled
def first_free(fight, i, bearer, boards):
    """Return the first newly reached place, row by row, where fighter i may stay off its bearer's space, or -1, -1."""
    bears = fight.fighters[bearer].status == STANDING
    for y in range(fight.height):
        places = boards[LED_TO, y + 1] & ~boards[SHUT, y + 1]
        for x in range(fight.width if places else 0):
            off = not bears or distance_from(fight, i, x, y, bearer) > 0
            if places >> x & 1 and off and is_vacant(fight, i, x, y):
                return np.int64(x), np.int64(y)
    return np.int64(NOBODY), np.int64(NOBODY)


@on_map(None)
@compiled
def come_off(fight, log, i):
    """Make a climber leave the creature that it rides, and log its move."""
    square = square_of(fight, i)
    climb_down(fight, i)
    tell_coming_off(fight, log, i, square)


@on_map(None)
@compiled
def tell_coming_off(fight, log, i, square):
    """Log the move of a climber if it has left this square, and end holds that are now out of reach."""
    if square_of(fight, i) != square:
        tell_square(fight, log, MOVE, i, NOBODY, BY_COMING_OFF, fight.fighters[i].x, fight.fighters[i].y)
        end_holds_out_of_reach(fight)


@compiled
def end_climb_out_of_reach(fight, i):
    """End the ride of a climber that was moved off its bearer; the climber stays where it is."""
    bearer = fight.fighters[i].climbing
    if bearer != NOBODY and distance(fight, i, bearer) > 0:
        end_climb(fight, i)


@compiled
def end_climbs_out_of_reach(fight):
    """End the ride of every fighter that was moved off the creature that it rides."""
    for i in range(fight.n):
        end_climb_out_of_reach(fight, i)


@compiled
def end_contacts_out_of_reach(fight):
    """End every ride and every hold whose two fighters have been moved apart."""
    end_climbs_out_of_reach(fight)
    end_holds_out_of_reach(fight)
