"""Moving over the map: distances, ground and paths; dragging, carrying and being set down."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from functools import cached_property
from typing import Any

from .board import COSTS, STEPS, Board, Space, Square, distance, square_distance
from .sheet import Fighter
from .table import Table

CLIMBABLE_DROP = 20
"""The deepest drop, in feet, that a fighter can climb out of with a whole dash (R-66)."""

Directions = tuple[int, ...]


class Ground:
    """The ground as one mover finds it at this moment."""

    def __init__(self, table: Table, mover: Fighter) -> None:
        assert table.board is not None
        self.table = table
        self.board = table.board
        self.mover = mover
        self.in_drop = self.board.wholly_on_drops(mover.space)
        self.bodies: set[Square] = set()
        """Squares of other standing bulky fighters; climbers are in no fighter's way."""
        self.barred: set[Square] = set()
        """The squares among `bodies` that the mover may not pass: those of enemies of about its size."""
        self._can_enter: dict[Space, bool] = {}
        self._costs: dict[Space, int] = {}
        for other in table.fighters:
            in_the_way = other.standing and other.bulky and other.climbing is None
            if other is mover or not in_the_way or mover.climbing == other.agent:
                continue
            self.bodies |= set(other.space.squares)
            passes = any(owned.passes_enemies for owned in mover.abilities)
            if other.team != mover.team and abs(table.sides_to(mover, other)) < 2 and not passes:
                self.barred |= set(other.space.squares)

    def can_be_in(self, space: Space) -> bool:
        """Return whether the ground allows the space: no wall; drops only, and nothing else, for a mover in a drop."""
        if not self.board.fits(space):
            return False
        if self.in_drop:
            return self.board.wholly_on_drops(space)
        return not any(self.board.glyph(square) == "v" for square in space.squares)

    def is_enterable(self, start: Space, dx: int, dy: int) -> bool:
        """Return whether the mover can take one step into the space that this direction leads to."""
        goal = start.moved(dx, dy)
        if goal not in self._can_enter:
            self._can_enter[goal] = self.can_be_in(goal) and not self._is_barred(goal)
        return self._can_enter[goal] and self.board.passes_corner(start, dx, dy)

    def _is_barred(self, space: Space) -> bool:
        return self.mover.bulky and not self.barred.isdisjoint(space.squares)

    def is_vacant(self, space: Space) -> bool:
        """Return whether the space is free of standing bodies with which the mover may not share it."""
        return not self.mover.bulky or not self.bodies & set(space.squares)

    def is_stoppable(self, space: Space) -> bool:
        """Return whether the mover may stay in the space; only a dash's climb leads out of a drop (R-66)."""
        return self.can_be_in(space) and self.is_vacant(space)

    def cost(self, space: Space) -> int:
        """Return the squares of movement that entering the space takes; through a body it takes at least two."""
        if space not in self._costs:
            cost = max(COSTS[self.board.glyph(square)] for square in space.squares)
            if any(owned.roughens(self.mover, space) for owned in self.table.abilities):
                cost = max(cost, 2)
            if any(owned.glides for owned in self.mover.abilities):
                self._costs[space] = cost if cost > 2 else 1
                return self._costs[space]
            self._costs[space] = cost if self.bodies.isdisjoint(space.squares) else max(cost, 2)
        return self._costs[space]

    @cached_property
    def feared(self) -> Space | None:
        """The space of the fighter that the mover fears and sees, or None."""
        if "frightened" not in self.mover.conditions:
            return None
        source = self.table[self.mover.conditions.sources["frightened"]]
        return source.space if source.standing and self.table.in_sight(self.mover, source) else None

    def is_shunned(self, space: Space) -> bool:
        """Return whether the space is nearer than the mover's own to what it fears and sees (R-77)."""
        feared = self.feared
        return feared is not None and distance(space, feared) < distance(self.mover.space, feared)

    def ways_out(self) -> dict[int, Space]:
        """Return by direction the spaces to which the mover can climb out of a drop by a whole dash (R-66)."""
        if not self.in_drop or self.board.drop > CLIMBABLE_DROP:
            return {}
        ways = {}
        for direction, (dx, dy) in enumerate(STEPS):
            goal = self.mover.space.moved(dx, dy)
            passes = self.board.passes_corner(self.mover.space, dx, dy) and not self._is_barred(goal)
            free = self.board.fits(goal) and self.is_vacant(goal)
            if free and passes and not self.board.wholly_on_drops(goal) and not self.is_shunned(goal):
                ways[direction] = goal
        return ways

    def search(self, key_of_step: Callable[[Space, Space], Any], most: int | None) -> dict[Space, tuple[Any, int]]:
        """Find the best path to every space within reach; ties go to the smallest directions.

        A path's key is a tuple to which each step adds; return each path with its cost. `most` limits the cost; within
        this limit the first step is always affordable.
        """
        start = self.mover.space
        found: dict[Space, tuple[Any, int]] = {}
        queue: list[tuple[Any, Directions, int, Space]] = [((0, 0), (), 0, start)]
        while queue:
            key, way, spent, here = heapq.heappop(queue)
            if here in found:
                continue
            found[here] = (way, spent)
            for direction, (dx, dy) in enumerate(STEPS):
                there = here.moved(dx, dy)
                if there in found or not self.is_enterable(here, dx, dy) or self.is_shunned(there):
                    continue
                step = key_of_step(here, there)
                cost = self.cost(there)
                if most is not None and not way:
                    cost = min(cost, most)
                    step = (cost, 0)
                if most is not None and spent + cost > most:
                    continue
                following = (key[0] + step[0], key[1] + step[1])
                heapq.heappush(queue, (following, (*way, direction), spent + cost, there))
        return found


# ----------------------------------------------------------------------------------------------------- how far


def limit_after_shot(table: Table, mover: Fighter, budget: int) -> int:
    """Return the budget, lowered to what is left of half the speed for a mover that has shot in the round."""
    if not mover.shot:
        return budget
    return max(0, min(budget, table.squares_of_speed(mover) // 2 - mover.squares_moved))


def dash_budget(table: Table, mover: Fighter) -> int:
    """Return the squares of the mover's next dash: the free one, halved after rising, else one for the action."""
    if mover.climbing is not None or mover.reached_far:
        return 0
    speed = table.squares_of_speed(mover)
    if table.can_spend_dash(mover):
        budget = speed // 2 if mover.stood else speed
    elif table.can_spend_action(mover):
        budget = speed
    else:
        return 0
    return limit_after_shot(table, mover, budget)


def is_near(dx: int, dy: int) -> bool:
    """Return whether one choice can name a square this many squares away; farther ones take two (R-281)."""
    return max(abs(dx), abs(dy)) <= 12


def dash_goals(table: Table, mover: Fighter, budget: int) -> dict[Square, int]:
    """Return the offsets from the mover at which a dash may end, each with the cost of the cheapest path."""
    if budget < 1:
        return {}
    ground = Ground(table, mover)
    reached = ground.search(lambda here, there: (ground.cost(there), 0), most=budget)
    goals = {space: spent for space, (_, spent) in reached.items() if ground.is_stoppable(space)}
    goals.update(dict.fromkeys(ground.ways_out().values(), budget))  # the whole dash
    goals.pop(mover.space, None)
    return {(space.x - mover.space.x, space.y - mover.space.y): spent for space, spent in goals.items()}


def dash_way(table: Table, mover: Fighter, offset: Square) -> list[Space]:
    """Return the path of a dash past as few threats as possible, if the budget allows, else the shortest path."""
    ground = Ground(table, mover)
    goal = mover.space.moved(*offset)
    budget = dash_budget(table, mover)
    if goal in ground.ways_out().values():
        return [goal]
    threats: dict[Space, int] = {}

    def threats_at(here: Space) -> int:
        if here not in threats:
            threats[here] = sum(
                distance(enemy.space, here) <= table.threat_reach(enemy)
                for enemy in table.enemies(mover)
                if table.able(enemy) and table.threat_reach(enemy) > 0
            )
        return threats[here]

    safest = ground.search(lambda here, there: (threats_at(here), ground.cost(there)), most=None)
    shortest = ground.search(lambda here, there: (ground.cost(there), threats_at(here)), most=None)
    for ways in (safest, shortest):
        directions, cost = ways[goal]
        if cost <= budget:
            return _spaces_along(mover.space, directions)
    return [goal]


def _spaces_along(start: Space, directions: Directions) -> list[Space]:
    spaces = [start]
    for direction in directions:
        spaces.append(spaces[-1].moved(*STEPS[direction]))
    return spaces[1:]


def may_sidestep(table: Table, mover: Fighter, direction: int) -> bool:
    """Return whether the mover may step there, at any cost if it has speed; a grappler may within its hold."""
    if mover.climbing is not None or table.is_pinned(mover):
        return False
    speed = table.squares_of_speed(mover, though_grappling=True)
    if speed < 1 or (mover.shot and mover.squares_moved + 1 > speed // 2):
        return False
    ground = Ground(table, mover)
    goal = mover.space.moved(*STEPS[direction])
    possible = ground.is_enterable(mover.space, *STEPS[direction]) and ground.is_stoppable(goal)
    return possible and not ground.is_shunned(goal)


# -------------------------------------------------------------------------------------------------- being moved


def put(table: Table, mover: Fighter, place: Square) -> None:
    """Put the mover and all its riders in their new places; water puts out fire."""
    assert table.board is not None
    before = mover.space
    mover.at = place
    _soak(table, mover)
    for climber in table.climbers_on(mover):
        room = mover.side - climber.side
        x = min(max(climber.space.x - before.x, 0), room) + mover.space.x
        y = min(max(climber.space.y - before.y, 0), room) + mover.space.y
        put(table, climber, (x, y))


def _soak(table: Table, mover: Fighter) -> None:
    assert table.board is not None
    if table.board.water_of(mover.space) > 0:
        mover.conditions.end("burning")


def end_what_is_too_far(table: Table) -> None:
    """End holds of fighters that are no longer adjacent, and climbs of fighters that are off their bearers."""
    for fighter in table.fighters:
        if fighter.grappling and table.distance(fighter, table[fighter.grappling]) > 1:
            fighter.grappling = None
        leave_bearer(table, fighter)


def leave_bearer(table: Table, climber: Fighter) -> None:
    """End the climb of a fighter that is off its bearer."""
    if climber.climbing and table.distance(climber, table[climber.climbing]) > 0:
        climber.climbing = None


def rides(table: Table, climber: Fighter, bearer: Fighter) -> bool:
    """Return whether the climber is on the bearer, or on another fighter that is."""
    mount = climber.climbing
    return mount is not None and (mount == bearer.agent or rides(table, table[mount], bearer))


def step_aside(table: Table, mover: Fighter, direction: int) -> None:
    """Sidestep; a fighter that the mover holds moves to where the mover was."""
    left = mover.space
    mover.moved = True
    mover.squares_moved += 1
    put(table, mover, left.moved(*STEPS[direction]).place)
    drag(table, mover, left.place)
    end_what_is_too_far(table)


def drag(table: Table, holder: Fighter, place: Square) -> None:
    """Move the held fighter to the place if it fits there, else end the hold; riders are carried instead (R-75)."""
    if holder.grappling is None:
        return
    held = table[holder.grappling]
    if rides(table, held, holder) or rides(table, holder, held):
        return
    if Ground(table, held).is_stoppable(Space(*place, held.side)):
        put(table, held, place)
    else:
        holder.grappling = None


def get_onto(table: Table, climber: Fighter, bearer: Fighter) -> None:
    """Put the climber in the nearest place that is wholly in the bearer's space, row by row among equals."""
    assert climber.at is not None
    here = climber.at
    places = [
        square
        for square in bearer.space.squares
        if set(Space(*square, climber.side).squares) <= set(bearer.space.squares)
    ]
    put(table, climber, min(places, key=lambda square: square_distance(here, square)))


def places_beside(table: Table, climber: Fighter, bearer: Fighter) -> list[Space]:
    """Return the places where a climber may come off its bearer: by steps, then row by row (R-84).

    It may not stay in the space of a standing bearer. In a drop it walks about if its bearer is down there.
    """
    assert table.board is not None
    ground = Ground(table, climber)
    ground.in_drop = table.board.wholly_on_drops(bearer.space) and not bearer.falling
    steps = _steps_to(table.board, ground, climber.space)
    places = [
        space
        for space in table.board.all_places(climber.side)
        if space in steps and ground.is_stoppable(space) and not (bearer.standing and space.overlaps(bearer.space))
    ]
    return sorted(places, key=lambda space: steps[space])


def _steps_to(board: Board, ground: Ground, start: Space) -> dict[Space, int]:
    """Return the steps over the ground to every place, ignoring fighters in the way."""
    steps = {start: 0}
    ahead = [start]
    for here in ahead:
        for dx, dy in STEPS:
            there = here.moved(dx, dy)
            if there not in steps and ground.can_be_in(there) and board.passes_corner(here, dx, dy):
                steps[there] = steps[here] + 1
                ahead.append(there)
    return steps


def may_come_off(table: Table, climber: Fighter) -> bool:
    """Return whether there is room beside the bearer, if the bearer stands (R-76)."""
    assert climber.climbing is not None
    bearer = table[climber.climbing]
    return table.board is None or not bearer.standing or bool(places_beside(table, climber, bearer))


def may_hop_off(table: Table, climber: Fighter) -> bool:
    """Return whether the climber may hop off, which needs a place next to its bearer (R-84)."""
    if climber.climbing is None:
        return False
    if table.board is None:
        return True
    bearer = table[climber.climbing]
    places = places_beside(table, climber, bearer)
    return bool(places) and distance(places[0], bearer.space) <= 1


def set_down(table: Table, climber: Fighter, bearer: Fighter) -> None:
    """Put the climber down at the nearest place to its bearer where it may stay."""
    places = places_beside(table, climber, bearer)
    if places:
        put(table, climber, places[0].place)
    end_what_is_too_far(table)
