"""Walks: a fighter that has chosen `walk` stays pending in its window and chooses the path of its dash step by step.

Until it stops, its choice is WALK, and its path so far is in its field `route`. Then the choice becomes a dash along
this path. Other fighters see nothing of the path before the dash is carried out.

A fighter that dashes to a place from which it may go on also stays pending, with the choice WALK. The place is in its
field `detail`, and the next answer says whether the dash ends there or where else.
"""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.rules.destinations import destination, steps_to
from heartrush_env.games.heart_rush.rules.far_dashes import goes_on_from, write_farther
from heartrush_env.games.heart_rush.rules.movement import DIRECTIONS, STEP_X, STEP_Y
from heartrush_env.games.heart_rush.rules.paths import cost_on_way, forget_way, trace_way
from heartrush_env.games.heart_rush.rules.space import on_map
from heartrush_env.games.heart_rush.rules.terms import DASH, NEAR, NOBODY, PASS, WALK
from heartrush_env.games.heart_rush.state.choices import choose
from heartrush_env.games.heart_rush.state.record import ACTION
from heartrush_env.tabletop.rule import compiled


@on_map(False)
@compiled
def may_have_ways(fight):
    """Return whether fighters of this kind of fight may walk; it is a constant for each type of record."""
    return True


@on_map(False)
@compiled
def is_walking(fight, i):
    """Return whether fighter i is choosing the path of its dash."""
    return fight.fighters[i].deed == WALK


@on_map(False)
@compiled
def anyone_walks(fight):
    """Return whether any fighter is choosing the path of its dash."""
    if fight.window != ACTION:
        return False
    for i in range(fight.n):
        if fight.fighters[i].deed == WALK:
            return True
    return False


@on_map(None)
@compiled
def forget_earlier_way(fight, i):
    """Forget the path of an earlier dash that was not carried out, once fighter i has made its next declaration."""
    if fight.window == ACTION:
        forget_way(fight.fighters[i])


@on_map(None)
@compiled
def ask_how_far(fight, i):
    """Ask fighter i where its dash ends, if the dash that it has just chosen may go on from the place that it names."""
    fighter = fight.fighters[i]
    if fighter.deed == DASH and goes_on_from(fight, i, np.int64(fighter.detail)):
        choose(fight, i, WALK, NOBODY, fighter.detail + 1)


@compiled
def place_to_go_on_from(fight, i):
    """Return the number of the place from which walking fighter i may go on, or NOBODY if it goes step by step."""
    return np.int64(fight.fighters[i].detail) - 1


@on_map(0)
@compiled
def next_steps(fight, i):
    """Return the directions, one bit each, in which fighter i's path may continue without going far from it (R-281)."""
    if place_to_go_on_from(fight, i) != NOBODY:
        return 0
    x, y, left, length, _ = trace_way(fight, i)
    east, south, steps = x - fight.fighters[i].x, y - fight.fighters[i].y, 0
    for d in range(DIRECTIONS):
        near = max(abs(east + STEP_X[d]), abs(south + STEP_Y[d])) <= NEAR
        if near and cost_on_way(fight, i, x, y, d, left, length) != NOBODY:
            steps |= 1 << d
    return steps


@on_map(False)
@compiled
def may_stop(fight, i):
    """Return whether fighter i's dash may end where its path ends now."""
    if place_to_go_on_from(fight, i) != NOBODY:
        return True
    _, _, _, length, last = trace_way(fight, i)
    return 0 < length == last


@on_map(None)
@compiled
def mask_farther(fight, i, masks, start):
    """Write 1 from `start` on for each place to which fighter i's dash may go on, if it is asked how far it goes."""
    if place_to_go_on_from(fight, i) != NOBODY:
        write_farther(fight, i, place_to_go_on_from(fight, i), masks, start)


@on_map(None)
@compiled
def take_step(fight, i, legal, direction):
    """Add a step to fighter i's path; NOBODY, or an answer that is not legal, ends the path.

    If the fighter is asked how far it goes on, `direction` is the number of a place, counted from where it goes on.
    """
    number = place_to_go_on_from(fight, i)
    if number != NOBODY:
        east, south = steps_to(number)
        if legal and direction != NOBODY:
            more_east, more_south = steps_to(direction)
            east, south = east + more_east, south + more_south
        choose(fight, i, DASH, NOBODY, destination(east, south))
    elif legal and direction != NOBODY:
        add_step(fight.fighters[i], direction)
    else:
        end_way(fight, i)


@compiled
def add_step(fighter, direction):
    """Add a step in this direction to a fighter's path."""
    fighter.route[fighter.route_length] = direction
    fighter.route_length += 1


@on_map(None)
@compiled
def ask_next_step(fight, i):
    """Ask fighter i for the next step of its path, if it walks; a step without an alternative is made at once."""
    fighter = fight.fighters[i]
    while fighter.deed == WALK:
        steps = next_steps(fight, i)
        if place_to_go_on_from(fight, i) == NOBODY and steps == 0:
            end_way(fight, i)
        elif steps & (steps - 1) or may_stop(fight, i):
            fighter.pending = True
            return
        else:
            add_step(fighter, first_bit(steps))


@compiled
def first_bit(bits):
    """Return the index of the lowest bit that is set."""
    place = 0
    while bits >> place & 1 == 0:
        place += 1
    return place


@compiled
def end_way(fight, i):
    """Turn fighter i's walk into a dash along its path, up to the last place where it may stay; else into a pass."""
    fighter = fight.fighters[i]
    length = trace_way(fight, i)[4]
    for k in range(length, fighter.route_length):
        fighter.route[k] = 0
    fighter.route_length = length
    if length == 0:
        choose(fight, i, PASS, NOBODY, 0)
        return
    east = south = np.int64(0)
    for k in range(fighter.route_length):
        east += STEP_X[fighter.route[k]]
        south += STEP_Y[fighter.route[k]]
    choose(fight, i, DASH, NOBODY, destination(east, south))
