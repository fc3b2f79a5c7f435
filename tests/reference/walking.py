"""A dash that one choice cannot name: its mover chooses the path step by step (R-172), or it ends far away (R-281)."""

from __future__ import annotations

from .board import DIRECTIONS, STEPS, Space
from .moving import Ground, dash_budget, dash_goals, is_near
from .sheet import Fighter
from .table import Table


def next_choices(table: Table, mover: Fighter, given: tuple[str, ...]) -> list[str]:
    """Return what may follow these choices: more steps, or a stop where it may stay; nothing after a stop."""
    if "pass" in given:
        return []
    way, left = _legal_way(table, mover, given)
    here = way[-1] if way else mover.space
    steps = []
    for name in DIRECTIONS:
        there = here.moved(*STEPS[DIRECTIONS.index(name)])
        near = is_near(there.x - mover.space.x, there.y - mover.space.y)
        if near and _cost_of_step(table, mover, here, name, left, not way) is not None:
            steps.append(f"sidestep {name}")
    return ["pass"] * _may_stay(table, mover, here) + steps


def next_squares(table: Table, mover: Fighter, name: str, given: tuple[str, ...]) -> list[str]:
    """Return what may follow a dash to a square twelve away: a stop there, or squares that are farther away."""
    first = _offset(name)
    if given or max(map(abs, first)) != 12:
        return []
    far = []
    for goal in dash_goals(table, mover, dash_budget(table, mover)):
        more = goal[0] - first[0], goal[1] - first[1]
        if is_near(*more) and not is_near(*goal):
            far.append(f"dash {more[0]},{more[1]}")
    return ["pass", *far] if far else []


def whole_offset(name: str, given: tuple[str, ...]) -> tuple[int, int]:
    """Return how far away a dash ends, which is the sum of what its two choices name."""
    steps = [_offset(choice) for choice in (name, *given) if choice != "pass"]
    return sum(dx for dx, _ in steps), sum(dy for _, dy in steps)


def may_dash_to(table: Table, mover: Fighter, offset: tuple[int, int]) -> bool:
    """Return whether the mover's next dash may end this far away."""
    return offset in dash_goals(table, mover, dash_budget(table, mover))


def _offset(name: str) -> tuple[int, int]:
    across, down = name.split()[1].split(",")
    return int(across), int(down)


def way_left(table: Table, mover: Fighter, given: tuple[str, ...]) -> list[Space]:
    """Return the part of the chosen path that is still legal, up to the last space where the mover may stay."""
    way, _ = _legal_way(table, mover, given)
    while way and not _may_stay(table, mover, way[-1]):
        way.pop()
    return way


def _legal_way(table: Table, mover: Fighter, given: tuple[str, ...]) -> tuple[list[Space], int]:
    """Return the squares of the chosen path as far as they are legal, and the squares of the dash left after them."""
    way: list[Space] = []
    left = dash_budget(table, mover)
    for name in (choice.split()[1] for choice in given if choice != "pass"):
        here = way[-1] if way else mover.space
        cost = _cost_of_step(table, mover, here, name, left, not way)
        if cost is None:
            break
        way.append(here.moved(*STEPS[DIRECTIONS.index(name)]))
        left -= cost
    return way, left


def _cost_of_step(table: Table, mover: Fighter, here: Space, name: str, left: int, first: bool) -> int | None:
    """Return the squares that a step takes, or None if too few are left; the first step is always affordable."""
    ground, direction = Ground(table, mover), DIRECTIONS.index(name)
    there = here.moved(*STEPS[direction])
    if left < 1:
        return None
    if first and direction in ground.ways_out():
        return left
    if not ground.is_enterable(here, *STEPS[direction]) or ground.is_shunned(there):
        return None
    cost = ground.cost(there)
    if first:
        return min(cost, left)
    return cost if cost <= left else None


def _may_stay(table: Table, mover: Fighter, space: Space) -> bool:
    """Return whether a dash may end there, which cannot be where it began."""
    return space != mover.space and Ground(table, mover).is_vacant(space)
