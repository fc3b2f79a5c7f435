"""The agents' knowledge of a map: paths, cover and pushes. The expected numbers are counted on the drawings."""

import numpy as np
import pytest
from heartrush_agents.heart_rush.tactics.terrain import Body, Ground

from heartrush_env.games.heart_rush.rules.cover import NO_LINE
from heartrush_env.games.heart_rush.scenario.battlefield import Battlefield


def ground(*rows: str, drop: int = 10, light: str = "bright") -> Ground:
    return Ground(Battlefield(rows, drop, light))


def body(x: int, y: int, side: int = 1, weapon: str = "melee", range: int = 1) -> Body:
    return Body(x, y, side, speed=6, rush=0, weapon=weapon, range=range, action=True, dash=True)


def test_a_walk_ends_beside_its_target() -> None:
    """Rough ground costs 2, walls cannot be entered, and a diagonal step needs one free square beside it."""
    open_field = ground("......")
    assert open_field.walk(1, 5, 0, 1)[0].tolist() == [4, 3, 2, 1, 0, 0]
    assert ground("..,...").walk(1, 5, 0, 1)[0].tolist() == [5, 4, 2, 1, 0, 0]
    assert ground("..#...").walk(1, 5, 0, 1)[0, 0] == np.inf
    assert ground("...", ".#.", "...").walk(1, 2, 2, 1)[0, 0] == 2  # along two sides of the pillar, not through it
    assert ground(".#", "#.").walk(1, 1, 1, 1)[0, 0] == 0  # beside it, corner to corner
    assert ground(".#..", "#...", "....").walk(1, 3, 2, 1)[0, 0] == np.inf  # between two walls there is no way


def test_a_wide_walker_needs_a_wide_way_and_a_closed_door_is_slow() -> None:
    narrow = ground("....#....", ".........", "....#....")
    assert narrow.walk(1, 8, 1, 1)[1, 0] == 7
    assert narrow.walk(2, 8, 1, 1)[1, 0] == np.inf
    assert ground("..........", "..........").walk(2, 9, 0, 1)[0, 0] == 7  # its squares 0 and 1 to 7 and 8
    assert ground("..+...").walk(1, 5, 0, 1)[0, 0] == 6  # one, three for the door, one, one


def test_distances_are_between_the_nearest_squares() -> None:
    big = body(4, 4, side=3)  # columns and rows 4 to 6
    assert [big.distance(body(x, 5)) for x in (1, 3, 5, 8)] == [3, 1, 0, 2]
    assert big.distances(np.array([1, 3, 5, 8]), np.array([5, 5, 5, 5]), 1).tolist() == [3, 1, 0, 2]
    assert body(8, 5).distance(big) == 2


@pytest.mark.parametrize(("glyph", "levels"), [("l", 1), ("h", 2), ("s", 3), ("#", NO_LINE), (".", 0)])
def test_what_stands_between_gives_cover_but_not_beside_the_attacker(glyph: str, levels: int) -> None:
    row = ground("...." + glyph + "...")
    archer = body(0, 0, weapon="ranged", range=12)
    assert row.cover(archer, 1, attacks=True)[0, 6] == levels
    assert row.cover(archer, 1, attacks=True)[0, 3] == 0
    beside = row.cover(body(3, 0), 1, attacks=True)[0, 6]
    assert beside == (levels if glyph == "#" else 0)


def test_cover_against_somebody_is_cover_for_oneself() -> None:
    """A fighter behind a boulder has cover against an archer, and can shoot over the boulder without hindrance."""
    row = ground("......h.")
    archer = body(0, 0, weapon="ranged", range=12)
    assert row.cover(archer, 1, attacks=True)[0, 7] == 2  # of the one in column 7 against the archer
    assert row.cover(archer, 1, attacks=False)[0, 7] == 0  # of the archer against the one there


def test_cover_is_that_of_the_rules() -> None:
    """Lines past a corner where two walls touch start only from points on the sides of the attacker's space (R-62)."""
    cracked = ground("..#.....", ".#......", ".....#..", "#.##....", ".......#")
    archer = body(0, 0, weapon="ranged", range=12)
    assert cracked.cover(archer, 1, attacks=True)[2, 7] == 3
    assert cracked.cover(archer, 1, attacks=False)[2, 7] == NO_LINE
    wide = ground("..#.#.", "......", "..#...")
    assert wide.cover(body(3, 1, side=2), 1, attacks=True)[0, 0] == 0
    assert wide.cover(body(0, 0), 2, attacks=False)[1, 3] == 0  # the same, asked by the other
    assert wide.cover(body(0, 0), 2, attacks=True)[1, 3] == 1


def test_aim_suffers_from_cover_and_distance() -> None:
    """Beyond its range, a bow loses a level per two squares and a thrown weapon one per square; a sword loses none."""
    assert [body(0, 0, weapon="ranged", range=6).aim(squares, 1) for squares in (6, 7, 8, 9)] == [1, 2, 2, 3]
    assert [body(0, 0, weapon="thrown", range=4).aim(squares, 0) for squares in (4, 5, 6)] == [0, 1, 2]
    assert body(0, 0).aim(1, 3) == 0


def test_a_push_into_a_wall_hurts_and_over_an_edge_more() -> None:
    """A push costs 3.5 hit points for each square that it lacks; a fall of more than 20 feet is deadly."""
    row = ground("...#", drop=40)
    assert [row.push_damage(x, 0, 1, 0, 2) for x in (0, 1, 2)] == [0, 3.5, 7]
    assert ground("..v", drop=40).push_damage(1, 0, 1, 0, 1) == np.inf
    assert ground("..v", drop=40).push_damage(0, 0, 1, 0, 1) == 0
    assert ground("..v", drop=20).push_damage(0, 0, 1, 0, 2) == 11  # less the nine of the save


def test_the_brink_is_where_somebody_may_push_from_the_other_side() -> None:
    edge = ground("v....", drop=40).tiles["risk"][0]
    assert edge[1] == np.inf and edge[2] == np.inf and edge[3] < np.inf
    assert ground("v.#", drop=40).tiles["risk"][0, 1] < np.inf  # no fighter can stand behind it


def test_water_and_light_are_levels() -> None:
    pond = ground("~w.", light="dim")
    assert [pond.water_at(body(x, 0)) for x in range(3)] == [1, 5, 0]
    assert pond.light == 1
