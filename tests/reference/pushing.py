"""Forced and follow-up movement: pushes, obstacles, falls, following and swinging past."""

from __future__ import annotations

from dataclasses import dataclass

from .board import Space, Square
from .moving import Ground, end_what_is_too_far, put
from .sheet import Fighter
from .table import Table

HEAVY_SHIELD = 2
FEET = 5
"""The feet across a square."""
SWING = 2
"""The squares to the other side of the target that is swung past."""


@dataclass
class Push:
    """The result of a push."""

    direction: Square
    way: list[Space]
    """The spaces that the target was in, beginning with the one where it started."""
    blocked: int = 0
    """The squares of the push that the target did not go."""
    blocker: Fighter | None = None
    """The fighter in the way, or None for a wall."""

    @property
    def moved(self) -> int:
        """The squares that the target went."""
        return len(self.way) - 1


def push_direction(pusher: Space, target: Space) -> Square:
    """Return the direction from centre to centre, snapped to the eight directions."""
    across, down = target.centre[0] - pusher.centre[0], target.centre[1] - pusher.centre[1]
    x, y = (across > 0) - (across < 0), (down > 0) - (down < 0)
    if abs(across) >= 2 * abs(down):
        return (x, 0)
    if abs(down) >= 2 * abs(across):
        return (0, y)
    return (x, y)


def push_squares(table: Table, pusher: Fighter, target: Fighter, feet: int) -> int:
    """Return the squares of a push: one more for each size that the target is smaller, one less if larger."""
    return max(0, feet // FEET - table.sides_to(pusher, target))


def push(table: Table, pusher: Fighter, target: Fighter, squares: int) -> Push:
    """Push the target step by step, until something is in the way or it falls (R-71)."""
    assert table.board is not None
    board = table.board
    done = Push(push_direction(pusher.space, target.space), [target.space])
    if done.direction == (0, 0):
        return done
    in_drop = board.wholly_on_drops(target.space)
    for step in range(squares):
        here = done.way[-1]
        there = here.moved(*done.direction)
        wall = not board.fits(there) or not board.passes_corner(here, *done.direction)
        edge = in_drop and not wall and not board.wholly_on_drops(there)
        bodies = bodies_in_the_way(table, target, there)
        if wall or edge or bodies:
            done.blocked = squares - step
            done.blocker = None if wall or edge else bodies[0]
            break
        done.way.append(there)
        if not in_drop and board.wholly_on_drops(there):
            break
    for space in done.way[1:]:  # water on its way puts out fire
        put(table, target, space.place)
    return done


def bodies_in_the_way(table: Table, target: Fighter, there: Space) -> list[Fighter]:
    """Return the fighters that keep the target from a space, in agent order."""
    if not target.bulky:
        return []
    return [
        other
        for other in table.fighters
        if other is not target
        and other.standing
        and other.bulky
        and other.climbing is None
        and target.climbing != other.agent
        and other.space.overlaps(there)
    ]


def shares_collision(table: Table, target: Fighter, blocker: Fighter) -> bool:
    """Return whether the two are of about the same size and no heavy shield protects the blocker from an enemy."""
    shielded = blocker.team != target.team and blocker.shield == HEAVY_SHIELD
    return abs(table.sides_to(target, blocker)) <= 2 and not shielded


def falls(table: Table, done: Push) -> bool:
    """Return whether the target was pushed off solid ground into a drop (R-72)."""
    assert table.board is not None
    start, end = done.way[0], done.way[-1]
    return table.board.wholly_on_drops(end) and not table.board.wholly_on_drops(start)


def may_follow(table: Table, pusher: Fighter, done: Push) -> bool:
    """Return whether the pusher may follow: it can walk and does not fear the first step (R-77)."""
    can_walk = pusher.standing and table.squares_of_speed(pusher) >= 1
    upright = "prone" not in pusher.conditions and pusher.climbing is None
    return can_walk and upright and not Ground(table, pusher).is_shunned(pusher.space.moved(*done.direction))


def way_of_follow(table: Table, pusher: Fighter, done: Push) -> dict[int, Space]:
    """Return where the pusher may stay in the push's direction, by steps, no further than the target went (R-70)."""
    ground = Ground(table, pusher)
    here = pusher.space
    places = {}
    for step in range(1, done.moved + 1):
        if not ground.is_enterable(here, *done.direction):
            break
        here = here.moved(*done.direction)
        if ground.is_shunned(here):
            break
        if ground.is_stoppable(here):
            places[step] = here
    return places


def swing_past(table: Table, fighter: Fighter, target: Fighter) -> None:
    """Move to the other side of the target, if both are one square wide and the fighter can go there (R-69)."""
    step = push_direction(fighter.space, target.space)
    if fighter.side > 1 or target.side > 1 or step == (0, 0):
        return
    if fighter.climbing is not None or table.squares_of_speed(fighter) < SWING:
        return
    ground = Ground(table, fighter)
    between = fighter.space.moved(*step)
    beyond = between.moved(*step)
    passes = ground.board.passes_corner(fighter.space, *step) and ground.board.passes_corner(between, *step)
    if passes and ground.is_stoppable(beyond) and not ground.is_shunned(beyond):
        goes(table, fighter, beyond, SWING)


def goes(table: Table, fighter: Fighter, goal: Space, squares: int) -> None:
    """Move the fighter this many squares, to the goal."""
    if squares:
        put(table, fighter, goal.place)
        fighter.squares_moved += squares
        fighter.moved = True
        end_what_is_too_far(table)
