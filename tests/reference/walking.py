"""A dash whose mover chooses its path step by step (R-172)."""

from __future__ import annotations

from .board import DIRECTIONS, STEPS, Space
from .moving import Ground, dash_budget
from .sheet import Fighter
from .table import Table


def next_choices(table: Table, mover: Fighter, given: tuple[str, ...]) -> list[str]:
    """Return what may follow these choices: more steps, or a stop where it may stay; nothing after a stop."""
    if "pass" in given:
        return []
    way, left = _legal_way(table, mover, given)
    here = way[-1] if way else mover.space
    steps = [
        f"sidestep {name}" for name in DIRECTIONS if _cost_of_step(table, mover, here, name, left, not way) is not None
    ]
    return ["pass"] * _may_stay(table, mover, here) + steps


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
