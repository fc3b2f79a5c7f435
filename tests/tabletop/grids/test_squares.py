"""Walls, sight and paths on a map of squares, counted by hand."""

import random
from typing import Any

import numpy as np
import pytest

from heartrush_env.tabletop.grids import squares
from heartrush_env.tabletop.records import record


def fight_on(*rows: str) -> Any:
    """Return a record with the fields of this map."""
    fight = np.zeros(1, record(list(squares.MAP_FIELDS)))[0]
    squares.fill_map(fight, rows, {"walls": "#", "water": "~"})
    return fight


def test_walls_and_water_cannot_be_entered_and_beyond_the_map_is_wall() -> None:
    fight = fight_on(".#~", "...")
    assert [squares.can_enter(fight, x, 0) for x in range(4)] == [True, False, False, False]
    assert [squares.is_wall(fight, x, 0) for x in range(4)] == [False, True, False, True]
    assert squares.is_on_map(fight, 2, 1) and not squares.is_on_map(fight, 2, 2)


@pytest.mark.parametrize(
    ("rows", "blocked"),
    [
        (("...",), 0),
        ((".#.",), 4),  # the wall is straight between
        (("...", ".#."), 0),  # a wall beside the line
    ],
)
def test_lines_to_the_corners_are_blocked_by_walls_between(rows: tuple[str, ...], blocked: int) -> None:
    assert squares.blocked_corners(fight_on(*rows), 0, 0, 2, 0) == blocked


def test_a_diagonal_needs_one_free_square_beside_it() -> None:
    south_east = 3
    assert squares.can_step(fight_on(".#", ".."), 0, 0, south_east)
    assert not squares.can_step(fight_on(".#", "#."), 0, 0, south_east)


def test_a_flood_counts_steps_around_walls_and_stops_at_its_range() -> None:
    fight = fight_on("..#.", "....")
    distances = np.zeros(squares.WIDTH * squares.HEIGHT, np.int8)
    squares.flood(fight, 0, 0, 2, distances)
    rows = distances.reshape(squares.HEIGHT, squares.WIDTH)[:2, :4].tolist()
    assert rows == [[1, 2, 0, 0], [2, 2, 3, 0]]
    assert squares.first_step(fight, 2, 1, distances) == 6  # west: the square to the north-west is as near


def test_a_flood_reaches_what_single_steps_reach() -> None:
    rng = random.Random(5)
    for _ in range(60):
        wide, high, walls = rng.randint(1, squares.WIDTH), rng.randint(1, squares.HEIGHT), rng.choice((0.1, 0.3, 0.5))
        rows = ["".join(rng.choice("#~") if rng.random() < walls else "." for _ in range(wide)) for _ in range(high)]
        fight, found = fight_on(*rows), np.zeros(squares.WIDTH * squares.HEIGHT, np.int8)
        start, most = (rng.randrange(wide), rng.randrange(high)), rng.choice((0, 2, 8, 126))
        held = {(rng.randrange(wide), rng.randrange(high)) for _ in range(3)} - {start}
        for x, y in held:
            found[y * squares.WIDTH + x] = squares.HELD
        squares.flood(fight, *start, most, found)
        steps, edge = {start: 1}, [start]
        for number in range(2, most + 2):
            near = {
                (x + squares.STEP_X[k], y + squares.STEP_Y[k])
                for x, y in edge for k in range(8) if squares.can_step(fight, x, y, k)
            }  # fmt: skip
            edge = sorted(near - held - steps.keys())
            steps |= dict.fromkeys(edge, number)
        expected = {(x, y): found[y * squares.WIDTH + x] for y in range(high) for x in range(wide)}
        assert expected == {at: squares.HELD if at in held else steps.get(at, 0) for at in expected}
