"""Coming to another square and telling of it: the one way in which fighters change places on a map."""

from __future__ import annotations

import numpy as np

from heartrush_env.core.rule import compiled
from heartrush_env.heart_rush.engine.events import BY_BEARER, BY_COMING_OFF, BY_DRAGGING, MOVE, tell_square
from heartrush_env.heart_rush.rules.movement import drag as pull
from heartrush_env.heart_rush.rules.movement import is_carried_by, place
from heartrush_env.heart_rush.rules.space import distance, on_map
from heartrush_env.heart_rush.rules.taking_damage import climb_down, end_climb, let_go
from heartrush_env.heart_rush.rules.terms import MAP_SIDE, NOBODY


@on_map(0)
@compiled
def square_of(match, i):
    """The number of a fighter's square."""
    return np.int64(match.fighters[i].y) * MAP_SIDE + match.fighters[i].x


@compiled
def go(match, log, i, x, y, how):
    """Fighter i comes to a place with all that ride it."""
    place(match, i, x, y)
    tell_square(match, log, MOVE, i, NOBODY, how, x, y)
    tell_carried(match, log, i)


@compiled
def tell_carried(match, log, i):
    """Those who ride a fighter have come along."""
    if match.recording:
        for climber in range(match.n):
            if is_carried_by(match, climber, i):
                rider = match.fighters[climber]
                tell_square(match, log, MOVE, climber, rider.climbing, BY_BEARER, rider.x, rider.y)


@compiled
def drag(match, log, holder, x, y):
    """Whom a fighter holds comes to the place that it has left, or is free; riders and bearers are not dragged."""
    held = match.fighters[holder].grappling
    if held == NOBODY or is_carried_by(match, held, holder) or is_carried_by(match, holder, held):
        return
    if pull(match, holder, x, y):
        tell_square(match, log, MOVE, held, holder, BY_DRAGGING, x, y)
        tell_carried(match, log, held)
    else:
        let_go(match, holder)


@compiled
def end_holds_out_of_reach(match):
    """A hold ends when its two are no longer side by side."""
    for i in range(match.n):
        held = match.fighters[i].grappling
        if held != NOBODY and distance(match, i, held) > 1:
            let_go(match, i)


@on_map(None)
@compiled
def come_off(match, log, i):
    """A climber leaves the creature that it rides."""
    square = square_of(match, i)
    climb_down(match, i)
    tell_coming_off(match, log, i, square)


@on_map(None)
@compiled
def tell_coming_off(match, log, i, square):
    """A climber that was in this square may have come off to another."""
    if square_of(match, i) != square:
        tell_square(match, log, MOVE, i, NOBODY, BY_COMING_OFF, match.fighters[i].x, match.fighters[i].y)
        end_holds_out_of_reach(match)


@compiled
def end_climb_out_of_reach(match, i):
    """A climber that was moved off its bearer rides it no more, and stays where it is."""
    bearer = match.fighters[i].climbing
    if bearer != NOBODY and distance(match, i, bearer) > 0:
        end_climb(match, i)
