"""Journeys on a map of squares, step by step, counted by hand."""

from typing import Any

import numpy as np

from heartrush_env.tabletop.grids import journeys, places, squares
from heartrush_env.tabletop.records import record

FIGHTER = record([("team", "i1"), ("status", "i1"), *places.place_fields(3)])
KIND = record([("n", "i1"), *squares.MAP_FIELDS, *journeys.journey_fields(3, 8), ("fighters", FIGHTER, (3,))])
ANN, BOB, CID = range(3)  # Ann and Bob against Cid


def fight_on(*rows: str) -> Any:
    """Return a fight on a map in which A, B and C are the fighters on open ground."""
    fight = np.zeros(1, KIND)[0]
    fight.n = 3
    squares.fill_map(fight, rows, {"walls": "#"})
    for i, name in enumerate("ABC"):
        fighter, found = fight.fighters[i], [(row.index(name), y) for y, row in enumerate(rows) if name in row]
        fighter.team, fighter.status = int(i == CID), int(not found)
        if found:
            fighter.x, fighter.y = found[0]
    return fight


def walk(fight: Any, i: int, x: int, y: int, most: int) -> list[tuple[int, int]]:
    """Return the squares through which a journey leads, and at the end the one on which it stops."""
    journeys.set_out(fight, i, x, y, most)
    assert journeys.mover_of(fight) == i
    distances, path = squares.new_distances(), []
    journeys.find_ways(fight, i, distances)
    while journeys.has_steps(fight, i, distances):
        x, y = journeys.next_square(fight, i, distances)
        journeys.take_step(fight, i, x, y)
        path.append((int(x), int(y)))
    journeys.stop(fight, i)
    return [*path, (int(fight.fighters[i].x), int(fight.fighters[i].y))]


def test_a_journey_takes_the_shortest_path_whose_directions_come_first() -> None:
    """Of three first steps to the east, that to the northeast comes before those to the east and southeast."""
    assert walk(fight_on("....", "A...", "...."), ANN, 2, 1, 8) == [(1, 0), (2, 1), (2, 1)]


def test_a_journey_ends_on_the_last_free_square_that_its_steps_reach() -> None:
    fight = fight_on("A.B..")
    assert walk(fight, ANN, 4, 0, 2) == [(1, 0), (2, 0), (1, 0)]
    assert (int(fight.steps), int(fight.taken), int(fight.squares)) == (2, 1, 2)


def test_a_journey_goes_around_enemies_and_walls_or_nowhere() -> None:
    fight = fight_on("AC.", "...", "#..")
    assert walk(fight, ANN, 2, 0, 8) == [(1, 1), (2, 0), (2, 0)]
    assert int(fight.squares) == 2, "no further step can be taken"
    assert walk(fight_on("AC."), ANN, 2, 0, 8) == [(0, 0)]
    assert walk(fight_on("A#."), ANN, 2, 0, 8) == [(0, 0)]


def test_a_journey_to_a_square_outside_leads_to_the_first_one() -> None:
    assert walk(fight_on("..A"), ANN, 3, 0, 8) == [(1, 0), (0, 0), (0, 0)]
    fight = np.zeros(1, record([("n", "i1")]))[0]
    journeys.set_out(fight, ANN, 0, 0, 8)
    assert journeys.mover_of(fight) == -1, "there is no journey without a map"
