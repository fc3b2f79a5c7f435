"""The Action Phase > Actions You Can Take > Object Interaction, on a map: doors."""

from __future__ import annotations

from heartrush_env.core.rule import compiled, inlined
from heartrush_env.heart_rush.engine.events import DOOR_EVENT, tell_square
from heartrush_env.heart_rush.rules.choices import ON_MAPS, Cost, action
from heartrush_env.heart_rush.rules.movement import COMPASS, DIRECTIONS, STEP_X, STEP_Y
from heartrush_env.heart_rush.rules.space import (
    CLOSED_DOOR,
    OPEN_DOOR,
    cell_at,
    distance_to_square,
    read_map,
)
from heartrush_env.heart_rush.rules.terms import MAP_SIDE, NOBODY, STANDING


@action(
    "door",
    words="{verb} the door at {square}",
    tells="{fighter} goes to {open} the door at {at}",
    cost=Cost.INTERACTION,
    heading="Combat > The Action Phase > Actions You Can Take > Object Interaction",
    rulings=("R-4",),
    details=dict(enumerate(COMPASS)),
    detail_count=2 * DIRECTIONS,  # the second half of them closes a door
    needs=ON_MAPS,
)
class Door:
    """A fighter of one square opens a closed door beside it, or closes an open one in which nobody stands."""

    def may(fight, i, target, detail):
        if fight.fighters[i].side > 1:
            return False
        x, y = door_square(fight, i, detail)
        if opens(detail):
            return cell_at(fight, x, y) == CLOSED_DOOR
        return cell_at(fight, x, y) == OPEN_DOOR and not anyone_stands_at(fight, x, y)

    def do(fight, log, i, target, detail):
        x, y = door_square(fight, i, detail)
        fight.cells[y * MAP_SIDE + x] = OPEN_DOOR if opens(detail) else CLOSED_DOOR
        fight.doors_used += 1
        read_map(fight)
        tell_square(fight, log, DOOR_EVENT, i, NOBODY, opens(detail), x, y)

    def settle(fight, i, detail):
        """A closed door is to be opened, an open one closed."""
        x, y = door_square(fight, i, detail)
        return detail + DIRECTIONS if cell_at(fight, x, y) == OPEN_DOOR else detail

    def note(fight, log, number, i, detail):
        """Which door a declaration is about, whether it opens it, and whether that is done already."""
        event = log.events[number]
        event.x, event.y = door_square(fight, i, detail)
        event.flag = opens(detail)
        event.amount = is_door_done(fight, i, detail)


@compiled
def door_square(fight, i, detail):
    """The square beside fighter i to whose door this detail belongs."""
    direction = detail % DIRECTIONS
    return fight.fighters[i].x + STEP_X[direction], fight.fighters[i].y + STEP_Y[direction]


@inlined
def opens(detail):
    """Whether this detail opens a door."""
    return detail < DIRECTIONS


@compiled
def is_door_done(fight, i, detail):
    """A door that is to be opened is open already, or one that is to be closed is closed."""
    x, y = door_square(fight, i, detail)
    return cell_at(fight, x, y) == (OPEN_DOOR if opens(detail) else CLOSED_DOOR)


@compiled
def anyone_stands_at(fight, x, y):
    """Whether the square belongs to the space of somebody standing."""
    for j in range(fight.n):
        if fight.fighters[j].status == STANDING and distance_to_square(fight, j, x, y) == 0:
            return True
    return False
