"""Fighters on a map of squares: their places, sights and ends of moves, counted by hand."""

from typing import Any

import numpy as np

from heartrush_env.tabletop.grids import places, squares
from heartrush_env.tabletop.records import record

FIGHTER = record([("team", "i1"), ("status", "i1"), *places.place_fields(3)])
KIND = record([("n", "i1"), *squares.MAP_FIELDS, *places.EXITS, ("fighters", FIGHTER, (3,))])
BARE = record([("n", "i1"), ("fighters", record([("team", "i1")]), (3,))])
ANN, BOB, CID = range(3)  # on a map by their initials: Ann and Bob against Cid, who is a small letter if he is out


def fight_on(*rows: str) -> Any:
    """Return a fight on a map in which letters are fighters on open ground."""
    fight = np.zeros(1, KIND)[0]
    fight.n = 3
    squares.fill_map(
        fight, ["".join("." if glyph.isalpha() else glyph for glyph in row) for row in rows], {"walls": "#"}
    )
    for i, name in enumerate("ABC"):
        fighter = fight.fighters[i]
        found = [(x, y, glyph) for y, row in enumerate(rows) for x, glyph in enumerate(row) if glyph.upper() == name]
        fighter.x, fighter.y = found[0][:2] if found else (0, len(rows) - 1)
        fighter.team, fighter.status = int(name == "C"), int(not found or found[0][2].islower())
    return fight


def ends(fight: Any, i: int, most: int) -> list[list[int]]:
    """Return which squares a move of a fighter can end on, by row."""
    distances = squares.new_distances()
    places.find_ends(fight, i, most, distances)
    rows = distances.reshape(squares.HEIGHT, squares.WIDTH)[: fight.height, : fight.width]
    return (rows > 0).astype(int).tolist()


def test_a_move_passes_allies_but_neither_enemies_nor_walls_and_ends_on_free_squares() -> None:
    assert ends(fight_on("AB.C."), ANN, 8) == [[1, 0, 1, 0, 0]]
    assert ends(fight_on("AB.c."), ANN, 8) == [[1, 0, 1, 1, 1]]
    assert ends(fight_on("A#.C."), ANN, 8) == [[1, 0, 0, 0, 0]]
    assert ends(fight_on("AB.C."), BOB, 1) == [[0, 1, 1, 0, 0]]


def test_the_picks_of_squares_mark_where_a_move_can_end() -> None:
    picks = places.square_picks(2)
    assert picks.names[:2] == ("-2,-2", "-1,-2") and picks.steps[-1] == (2, 2) and len(picks.names) == 25
    fight = fight_on("AB.", "...")
    fight.exits[1] = 0b100
    assert picks.square_of(fight, BOB, picks.names.index("1,1")) == (2, 1)
    assert picks.step_of(picks.names.index("-2,1")) == (-2, 1)

    def marked(exits_only: bool) -> list[str]:
        masks = np.zeros(30, np.int8)
        picks.write_ends(fight, ANN, 1, exits_only, masks, 5)
        return [picks.names[line - 5] for line in np.flatnonzero(masks)]

    assert (marked(False), marked(True)) == (["0,0", "0,1", "1,1"], [])
    fight.exits[1] = 0b111
    assert marked(True) == ["0,1", "1,1"]
    assert places.reaches_exit(fight, ANN, 1) and places.is_exit(fight, 0, 1) and not places.is_exit(fight, 0, 0)
    fight.exits[1] = 0b100
    assert not places.reaches_exit(fight, ANN, 1) and places.reaches_exit(fight, ANN, 2)


def test_blocked_lines_are_counted_again_where_a_fighter_has_not_looked_around() -> None:
    fight = fight_on("A#C", "..B")
    for i in range(3):
        places.look_around(fight, i)
    assert places.blocked_lines(fight, ANN, CID) == places.blocked_lines(fight, CID, ANN) == 4
    fight.fighters[CID].y = 1  # moved, as in a position that was rebuilt
    assert places.blocked_lines(fight, ANN, CID) == squares.blocked_corners(fight, 0, 0, 2, 1) < 4
    fight.fighters[CID].x, fight.fighters[ANN].y = 1, 1
    places.look_around(fight, ANN)
    places.look_around(fight, CID)
    assert places.blocked_lines(fight, ANN, CID) == 0


def test_a_fighter_on_a_new_square_counts_the_lines_to_it_as_well() -> None:
    fight = fight_on("A#C", "..B")
    for i in range(3):
        places.look_around(fight, i)
    fight.fighters[ANN].y = 1
    places.look_around(fight, ANN)
    assert places.blocked_lines(fight, CID, ANN) == squares.blocked_corners(fight, 2, 0, 0, 1) < 4
    assert places.blocked_lines(fight, ANN, CID) == squares.blocked_corners(fight, 0, 1, 2, 0) < 4


def test_a_square_is_near_if_it_is_in_range_and_not_behind_walls() -> None:
    fight = fight_on("A.#.", "....")
    assert places.sees_square(fight, ANN, 1, 1, 1) and not places.sees_square(fight, ANN, 2, 1, 1)
    assert places.is_near(fight, 0, 0, 3, 1, 3) and not places.is_near(fight, 0, 0, 3, 0, 3)


def test_a_push_moves_a_fighter_straight_away_if_the_square_behind_is_open_and_free() -> None:
    fight = fight_on("AC..", "....")
    assert places.can_be_pushed(fight, ANN, CID)
    places.put_behind(fight, ANN, CID)
    assert (int(fight.fighters[CID].x), int(fight.fighters[CID].y)) == (2, 0) and places.has_looked(fight, CID)
    assert not places.can_be_pushed(fight_on("AC#."), ANN, CID)
    assert not places.can_be_pushed(fight_on("ACB."), ANN, CID)
    assert not places.can_be_pushed(fight_on("C", "A"), ANN, CID)  # off the map


def test_steps_over_the_ground_are_measured_whoever_is_on_it() -> None:
    fight, distances = fight_on("A#", "C."), squares.new_distances()
    places.measure(fight, ANN, distances)
    assert distances.reshape(squares.HEIGHT, squares.WIDTH)[:2, :2].tolist() == [[1, 0], [2, 2]]


def test_the_least_steps_from_several_fighters_are_kept() -> None:
    fight, distances = fight_on("A...C"), squares.new_distances()
    places.keep_least_steps(fight, ANN, distances)
    places.keep_least_steps(fight, CID, distances)
    assert distances[:5].tolist() == [1, 2, 3, 2, 1]


def test_an_area_can_be_aimed_at_squares_in_range_and_sight_that_are_not_walls() -> None:
    """From the left of a row with a wall at 2, columns 0 and 1 are open, and the wall hides 3; below, 0 to 2 are."""
    fight, masks = fight_on("A.#.", "...."), np.zeros(8, np.int8)
    places.write_center(fight, ANN, 2, -1, masks, 1)
    assert masks.tolist() == [0, 1, 1, 1, 0, 0, 0, 0]
    masks[:] = 0
    places.write_center(fight, ANN, 2, 2, masks, 1)
    assert masks.tolist() == [0, 0, 1, 0, 0, 0, 0, 0], "in column 2, the wall is in row 0 and open ground in row 1"


def test_without_a_map_all_are_in_one_place() -> None:
    fight = np.zeros(1, BARE)[0]
    fight.n = 3
    assert not places.has_map(fight) and places.blocked_lines(fight, ANN, CID) == 0
    assert (places.column_of(fight, CID), places.row_of(fight, CID)) == (0, 0)
    assert places.sees_square(fight, ANN, 0, 0, 0) and not places.can_be_pushed(fight, ANN, CID)
    places.look_around(fight, ANN)
    places.put_behind(fight, ANN, CID)
