"""Things on the ground are found where they lie, and by those alone who are there."""

from typing import Any

import numpy as np

from heartrush_env.tabletop.grids import places, squares, things
from heartrush_env.tabletop.records import record

FIGHTER = record([("team", "i1"), *places.place_fields(2)])
KIND = record([("n", "i1"), *squares.MAP_FIELDS, *things.lying_fields(5, 3), ("fighters", FIGHTER, (2,))])
ANN, BOB = range(2)
ROPE, LAMP = 3, 4


def lying(fight: Any) -> list[tuple[int, int, int]]:
    """Return the things that lie on the ground, each with its column and row."""
    return [(int(it.thing), int(it.column), int(it.row)) for it in fight.lying[: int(fight.lying_count)]]


def test_a_thing_is_found_in_the_square_where_it_was_laid() -> None:
    fight = np.zeros(1, KIND)[0]
    ann, bob = fight.fighters
    ann.x, ann.y, bob.y = 2, 1, 1
    for i, thing in ((ANN, ROPE), (BOB, ROPE), (ANN, LAMP), (BOB, LAMP)):
        things.lay(fight, i, thing)
    assert lying(fight) == [(ROPE, 2, 1), (ROPE, 0, 1), (LAMP, 2, 1)], "there is room for three things"
    assert [things.place_of(fight, ANN, thing) for thing in (ROPE, LAMP)] == [0, 2]
    assert [things.place_of(fight, BOB, thing) for thing in (ROPE, LAMP)] == [1, things.NOT_THERE]
    ann.y = 0
    assert things.place_of(fight, ANN, ROPE) == things.NOT_THERE
    things.take_away(fight, 1)
    assert lying(fight) == [(ROPE, 2, 1), (LAMP, 2, 1)]
    things.take_away(fight, 1)
    assert lying(fight) == [(ROPE, 2, 1)]
