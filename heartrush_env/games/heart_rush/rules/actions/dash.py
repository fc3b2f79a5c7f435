"""The Action Phase > Actions You Can Take > Dash, on a map: choosing a square, and moving there step by step.

The length and the path of a dash are in paths.py.
"""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.abilities import AFTER_STEP
from heartrush_env.games.heart_rush.rules.choices import ON_MAPS, Comes, Cost, action
from heartrush_env.games.heart_rush.rules.costs import can_pay
from heartrush_env.games.heart_rush.rules.destinations import DESTINATIONS, NAMED, steps_to
from heartrush_env.games.heart_rush.rules.hooks import with_abilities
from heartrush_env.games.heart_rush.rules.maneuvers.grapple import drag, end_holds_out_of_reach
from heartrush_env.games.heart_rush.rules.movement import STEP_X, STEP_Y, is_vacant
from heartrush_env.games.heart_rush.rules.opportunity_attacks import find_openings_at_step, forget_openings
from heartrush_env.games.heart_rush.rules.paths import (
    find_path,
    forget_way,
    is_reachable,
    may_dash_anywhere,
    take_way,
    trace_way,
    write_reachable,
)
from heartrush_env.games.heart_rush.rules.places import go
from heartrush_env.games.heart_rush.rules.sheet import has
from heartrush_env.games.heart_rush.rules.space import on_map
from heartrush_env.games.heart_rush.rules.speed import squares_per_dash
from heartrush_env.games.heart_rush.rules.terms import PRONE, STANDING
from heartrush_env.games.heart_rush.rules.trip import find_trippers
from heartrush_env.games.heart_rush.state.events import BY_DASH
from heartrush_env.tabletop.rule import compiled, rule


@action(
    "dash",
    words="dash to {square}",
    tells="{fighter} dashes",
    cost=Cost.DASH_OR_ACTION,
    heading="Combat > The Action Phase > Actions You Can Take > Dash",
    details={number: "{},{}".format(*map(int, steps_to(number))) for number in range(NAMED)},
    detail_count=DESTINATIONS,
    needs=ON_MAPS,
    comes=Comes.WAY,
)
class Dash:
    """A fighter, prone or not, starts a dash to a square that it can reach, along its chosen path if it has one."""

    def may(fight, i, target, detail):
        if fight.fighters[i].route_length > 0:
            return trace_way(fight, i)[4] > 0
        x, y = dash_square(fight, i, detail)
        return is_reachable(fight, i, x, y)

    def any_of(fight, i):
        """Return whether there is any square to dash to."""
        return may_dash(fight, i) and may_dash_anywhere(fight, i)

    def write(fight, i, masks, start):
        """Write 1 for each square that the dash may end in; return whether there is any."""
        return may_dash(fight, i) and write_reachable(fight, i, masks, start)

    def do(fight, log, i, target, detail):
        fighter = fight.fighters[i]
        if fighter.route_length > 0:
            take_way(fight, i)
        else:
            x, y = dash_square(fight, i, detail)
            find_path(fight, i, x, y)
        forget_way(fighter)
        fight.path_at = 0
        mark_dash(fight, True)
        fight.crawling = has(fighter, PRONE)
        forget_openings(fight)


@compiled
def may_dash(fight, i):
    """Return whether the fighter still has its free dash or its action."""
    return can_pay(fight, i, Cost.DASH_OR_ACTION)


@compiled
def dash_square(fight, i, detail):
    """Return the destination of the dash with this number, as (x, y)."""
    east, south = steps_to(detail)
    return fight.fighters[i].x + east, fight.fighters[i].y + south


@with_abilities(None)
@compiled
def mark_dash(fight, lasts):
    """Record whether a dash is in progress; requests to pick wait until it ends."""
    fight.dashing = lasts


# Moving there, step by step.


@on_map(False)
@rule("Combat > The Action Phase > Actions You Can Take > Dash")
def goes_on(fight):
    """Return whether the path continues and the mover is neither down nor held."""
    fighter = fight.fighters[fight.mover]
    if fight.path_at >= fight.path_length or fighter.status != STANDING:
        return False
    if has(fighter, PRONE) and not fight.crawling:
        return False
    return squares_per_dash(fight, fight.mover) > 0


@on_map(False)
@compiled
def find_openings_at_next_step(fight):
    """Return whether the mover's next step gives any fighter an opportunity."""
    direction = fight.path[fight.path_at]
    return find_openings_at_step(fight, fight.mover, STEP_X[direction], STEP_Y[direction])


@on_map(False)
@rule("Combat > The Action Phase > Actions You Can Take > Dash")
def make_step(fight, log):
    """Move one square along the path; return whether any fighter may trip the mover there."""
    i = fight.mover
    fighter = fight.fighters[i]
    direction = fight.path[fight.path_at]
    fight.path_at += 1
    fighter.squares_moved += 1
    x, y = fighter.x, fighter.y
    go(fight, log, i, x + STEP_X[direction], y + STEP_Y[direction], BY_DASH)
    drag_along(fight, log, i, x, y)
    end_holds_out_of_reach(fight)
    hooks.ran(fight, i, direction)
    hooks.treads(fight, log, np.int64(i), AFTER_STEP)
    return find_trippers(fight, i)


@with_abilities(None)
@compiled
def drag_along(fight, log, i, x, y):
    """Drag the creature that the mover holds, if an ability lets the mover dash with it."""
    drag(fight, log, i, x, y)


@on_map(None)
@rule("Combat > The Action Phase > Actions You Can Take > Dash", "R-74")
def step_back(fight, log, i):
    """Move a fighter that is stopped in another's space back to the last square of its path where it may stay."""
    fighter = fight.fighters[i]
    if fighter.status != STANDING or is_vacant(fight, i, fighter.x, fighter.y):
        return
    x, y = fighter.x, fighter.y
    for step in range(fight.path_at - 1, -1, -1):
        x, y = x - STEP_X[fight.path[step]], y - STEP_Y[fight.path[step]]
        if is_vacant(fight, i, x, y):
            go(fight, log, i, x, y, BY_DASH)
            end_holds_out_of_reach(fight)
            return


@action(
    "walk",
    words="walk: dash along a way that you choose step by step",
    tells="{fighter} dashes",
    cost=Cost.DASH_OR_ACTION,
    detail_count=NAMED + 1,
    needs=ON_MAPS,
)
class Walk:
    """A fighter chooses its dash square by square; engine/ways.py turns the finished walk into a dash.

    A detail above 0 is one more than the number of a square from which the dash may go on to another. The mask of
    dashes covers walks.
    """

    def any_of(fight, i):
        """Return False, because `Dash.any_of` covers walks."""
        return False
