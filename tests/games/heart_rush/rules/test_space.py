"""Distance, lines and cover, reach and range, and the effects of a place on rolls."""

import random

import numpy as np
import pytest

from heartrush_env.games.heart_rush.rules import cover as covering
from heartrush_env.games.heart_rush.rules import environment, opportunity_attacks, space, speed, terms, weapons
from heartrush_env.games.heart_rush.rules.terms import ATTACK, CHECK, CUNNING, DEFENSE, MIGHT, NOBODY, SAVE
from heartrush_env.games.heart_rush.scenario import catalog
from tests.games.heart_rush.rules.drawn import GLYPHS, Scene, scene
from tests.games.heart_rush.rules.table import Fields
from tests.reference.board import Board, Ratio, Sight, Space

BOW = {"attack_type": terms.RANGED, "range": 6}
JAVELIN = {"attack_type": terms.THROWN, "range": 4}
BULLWHIP = {"attack_type": terms.WHIP, "range": 4}


def cover(drawn: Scene, attacker: str = "A", target: str = "N") -> int:
    return int(drawn.ask(covering.cover_levels, attacker, target))


def test_the_tables_of_terrain_are_those_of_the_data() -> None:
    terrain = catalog.terrain()
    assert "".join(terrain) == GLYPHS
    for code, kind in enumerate(terrain.values()):
        assert kind.code == code
        assert kind.blocks_way == kind.blocks_line == bool(space.IS_WALL[code])
        assert (kind.cover, kind.height) == (space.COVER_GIVEN[code], space.HEIGHT_GIVEN[code])
        assert kind.blocks_way or kind.fall or kind.cost == space.ENTRY_COST[code]


@pytest.mark.heading("Distance")
def test_a_diagonal_counts_as_straight_and_the_nearest_squares_count() -> None:
    drawn = scene("""
        A.....
        ......
        ..NN..
        B.NN..
        .....O
    """)
    assert drawn.ask(space.distance, "A", "N") == 2  # from 0, 0 to 2, 2
    assert (drawn.ask(space.distance, "N", "A"), drawn.ask(space.distance, "B", "N")) == (2, 2)
    assert drawn.ask(space.distance, "O", "N") == 2  # from 5, 4 to 3, 3
    assert (drawn.ask(space.distance, "A", "O"), drawn.ask(space.distance_to_square, "N", 2, 3)) == (5, 0)
    assert drawn.ask(space.distance_to_square, "N", 0, 0) == 2
    drawn = scene("A.O .N. ...")
    assert drawn.ask(space.next_to, "A", "N") and not drawn.ask(space.next_to, "A", "O"), "corners are touched, too"


def test_all_that_lies_outside_the_map_is_wall() -> None:
    drawn = scene("A,")
    cells = [drawn.ask(space.cell_at, x, y) for x, y in [(0, 0), (1, 0), (2, 0), (-1, 0), (0, -1), (0, 1)]]
    assert cells == [space.FLOOR, space.ROUGH, space.WALL, space.WALL, space.WALL, space.WALL]


# Cover. Corners are grid points: the square x, y has the corners x, y to x + 1, y + 1.


@pytest.mark.heading("Cover")
@pytest.mark.parametrize(
    ("drawing", "there", "back"),
    [
        # Nothing in the way.
        ("A... ...N", 0, 0),
        # From A's corner 1, 1 the lines to 2, 1 and 3, 1 run along the pillar's upper edge; those to 2, 2 and 3, 2
        # cross it. No other point does better: the center has all four blocked.
        ("... AoN ...", 2, 2),
        # From 1, 0 the line to 3, 2 passes the pillar at its corner 2, 1; those to 2, 2, 2, 3 and 3, 3 cross it.
        # From 1, 1 and 0, 0 all are blocked, from 0, 1 it is as from 1, 0.
        ("A... .o.. ..N.", 3, 3),
        # Two walls that touch at 1, 1: from there, A's own corner, all of N is in view. N's best is its corner 2, 2:
        # the lines to 0, 0 and 1, 1 go through the gap, those to 1, 0 and 0, 1 cross a wall each.
        ("A#. #.. ..N", 0, 2),
        # The line from 1, 1 to 2, 1 runs between two walls, that from 1, 0 to 2, 0 between a wall and the map's edge.
        ("A#N .#.", 4, 4),
        # A peeks out below a wall: from 1, 1 all of N is in view. A's corner 1, 0 lies behind the wall from everywhere.
        ("A## ... ..N", 0, 1),
        # The pillar stands close to A. From 0, 3 the line to 3, 0 passes its corner 1, 2, the other three cross it;
        # from 1, 4 the same with 4, 1; from 1, 3 all cross. N sees no more: from 3, 0 only 0, 3.
        ("""
         ...N
         ....
         .o..
         A...
         """, 3, 3),
        # Closed doors are walls, open ones are not.
        ("### A+N ###", 4, 4),
        ("### A/N ###", 0, 0),
        # From A's corner 2, 1, the wall's lower left, all of N is in view below the wall. A's corner 2, 0 is the wall's
        # upper left: hidden. From N's corner 4, 3 the line to 1, 0 passes the wall's corner 2, 1; 1, 1 and 2, 1 are
        # free. An archer at a corner sees better than it is seen.
        (".A#.. ..... ....N", 0, 1),
        # N's corners are 3, 0 / 5, 0 / 3, 2 / 5, 2. From A's corner 1, 0 those to 3, 0 and 5, 0 run along the wall's
        # top, which is the map's edge: blocked. To 3, 2 it leaves the wall 2, 0 to its right: at x = 2 it is at y = 1,
        # the wall's corner. To 5, 2 it crosses the wall at x = 2 to 3, y = 0.5 to 1. From 1, 1 the lines to 3, 2 and
        # 5, 2 are free, those to 3, 0 and 5, 0 cross the wall.
        ("A.#NN ...NN .....", 2, None),
    ],
)  # fmt: skip
def test_cover_is_the_blocked_lines_from_the_best_point(drawing: str, there: int, back: int | None) -> None:
    drawn = scene(drawing)
    assert cover(drawn, "A", "N") == there and back in (None, cover(drawn, "N", "A"))
    assert drawn.ask(covering.in_sight, "A", "N") is (there < 4)


@pytest.mark.heading("Cover")
@pytest.mark.parametrize(
    ("drawing", "there", "back"),
    [
        # Lines from A to N pass above the wall 1, 1 and below the wall 2, 0: through the point 2, 1, where both touch.
        # From A's side at 0, 3/5 such a line leads to 7, 2, and it is at y = 1.6 to 1.8 over the wall 5, 2; from 0, 2/3
        # one leads to 8, 2. No point lies on both. Those to 7, 3 and 8, 3 cross the wall 5, 2. No line goes from a
        # corner or the center of A through 2, 1 to a corner of N. Nor does one from N to a corner of A: that from 0, 0
        # is at y = 3.5 under N, that from 1, 0 at y = 6, those from 0, 1 and 1, 1 are level.
        ("""
         A.#.....
         .#......
         .....#.N
         #.##....
         .......#
         """, 3, 4),
        # The same with a closed door and pillars.
        ("""
         A.+.....
         .o......
         .....o.N
         #.o#....
         .......#
         """, 3, 4),
        # With the door open 7, 2 and 8, 2 are both in view from 0, 0, and the pillar 5, 2 hides the other two. From N's
        # corner 7, 2 the corners 0, 0 and 1, 0 are in view; the pillar 1, 1 hides 0, 1 and 1, 1.
        ("""
         A./.....
         .o......
         .....o.N
         #.o#....
         .......#
         """, 2, 2),
        # From the middle of A's side, 3, 2, the line to 1, 0 touches the wall 2, 0 at its corner 2, 1; that to 0, 0
        # passes below it. The line from 3, 1 to 1, 0 crosses that wall, as does the center's, and 3, 3 is worse. N sees
        # from 1, 1 all but 3, 3, which lies behind the wall 2, 2.
        ("N.#.#. ...AA. ..#AA.", 0, 1),
        # The middle of A's side looks along the edge between two walls, its corners look along the map's edge.
        ("AA#. AA#N", 4, 4),
        # Without the upper wall all of N is in view from 0, 0. From N's corner 3, 0 the lines to 0, 0 and 2, 0 run
        # along the map's edge, above A and free floor; that to 0, 2 passes over the wall; 2, 2 lies behind it.
        ("AA.N AA#.", 0, 1),
    ],
)  # fmt: skip
def test_any_point_of_the_attacker_counts(drawing: str, there: int, back: int) -> None:
    drawn = scene(drawing)
    assert (cover(drawn, "A", "N"), cover(drawn, "N", "A")) == (there, back)


@pytest.mark.heading("Cover")
def test_nothing_blocks_within_the_two_spaces() -> None:
    drawn = scene("... A.N ...", under={"A": "+", "N": "+"})  # doors that closed on the fallen
    assert (cover(drawn, "A", "N"), cover(drawn, "N", "A")) == (0, 0)


def random_rows(dice: random.Random, width: int, height: int, glyphs: str, sides: dict[str, int]) -> list[str]:
    """Return a random map with fighters of these sizes on it."""
    rows = [[dice.choice(glyphs) for _ in range(width)] for _ in range(height)]
    taken: set[tuple[int, int]] = set()
    for letter, side in sides.items():
        while True:
            left, top = dice.randrange(width - side + 1), dice.randrange(height - side + 1)
            squares = {(x, y) for x in range(left, left + side) for y in range(top, top + side)}
            if not squares & taken:
                break
        taken |= squares
        for x, y in squares:
            rows[y][x] = letter
    return ["".join(row) for row in rows]


GLYPHS_OF_PATTERNS = ("...#", ".....#", "..#", ".......#", "...+/o#")


@pytest.mark.heading("Cover")
@pytest.mark.parametrize(
    ("patterns", "seed", "points"), [(200, 1, 2), pytest.param(2_000, 2, 10, marks=pytest.mark.long)]
)
def test_blocked_lines_agree_with_the_reference(patterns: int, seed: int, points: int) -> None:
    """The maps are random, and no other point may have fewer blocked lines."""
    dice = random.Random(seed)
    for _ in range(patterns):
        sides = {"A": dice.choice([1, 1, 1, 2, 3]), "N": dice.choice([1, 1, 2, 3])}
        rows = random_rows(dice, dice.randint(7, 12), dice.randint(6, 10), dice.choice(GLYPHS_OF_PATTERNS), sides)
        drawn = scene("\n".join(rows))
        attacker, target = (Space(*drawn.at(letter), side) for letter, side in sides.items())
        board = Board(["".join("." if glyph in "AN" else glyph for glyph in row) for row in rows])
        blocked = drawn.ask(covering.blocked_lines, "A", "N")
        assert blocked == board.blocked_lines(attacker, target), "\n".join(rows)
        sight = Sight(attacker, target, board.blocking_near(attacker, target))
        for _ in range(points):
            below = dice.choice([2, 3, 64, 720720])
            x, y = (dice.randint(2 * below * low, 2 * below * (low + attacker.side)) for low in attacker.place)
            assert sight.blocked_from(Ratio(x, y, below)) >= blocked, ("\n".join(rows), x / below / 2, y / below / 2)


@pytest.mark.heading("Cover")
def test_a_mirrored_map_gives_the_same_cover() -> None:
    dice = random.Random(2)
    for _ in range(60):
        rows = random_rows(dice, 8, 6, ".....#lhs", {"A": dice.choice([1, 2]), "N": dice.choice([1, 2])})
        mirrored = [[row[::-1] for row in rows], rows[::-1], ["".join(column) for column in zip(*rows, strict=True)]]
        for other in mirrored:
            assert cover(scene("\n".join(other))) == cover(scene("\n".join(rows)))


@pytest.mark.heading("Cover")
@pytest.mark.parametrize(
    ("drawing", "under", "levels"),
    [
        ("A...N", "l", 1),  # furniture around the target
        ("A..N.", "h", 2),
        ("AN...", "s", 3),  # the target's own square counts next to the attacker too
        ("A.h.N", ".", 2),  # on the way
        ("Ah..N", ".", 0),  # right by the attacker it looks over it
        ("A.lhN", ".", 2),  # the highest counts, they do not add up
        ("A.h.N", "l", 2),
        ("... AoN ...", "l", 2),  # walls and declared cover do not add up, either
        # From 0.5, 0.5 to 4.5, 2.5: the line is at y = 1.5 for x = 2.5; it meets 2, 1 and touches 2, 0 nowhere.
        ("A.h.. ..... ..h.N", ".", 0),
        ("A.... ..h.. ....N", ".", 2),
    ],
)
def test_declared_cover_counts_around_the_target_and_on_the_way(drawing: str, under: str, levels: int) -> None:
    assert cover(scene(drawing, under={"N": under})) == levels


@pytest.mark.heading("Cover")
def test_cover_is_remembered_until_somebody_moves() -> None:
    drawn = scene("A.#N .... ....")
    assert cover(drawn) == cover(drawn, "N", "A") == 2  # the lines to the other's upper corners
    drawn.match.fighters[0].y = 2
    assert cover(drawn) == cover(drawn, "N", "A") == 2  # as it was
    drawn.ask(covering.forget_cover, "A")
    assert cover(drawn, "N", "A") == 0  # from N's corner 3, 1 all of A is in view
    assert cover(drawn) == 1  # from A's corner 1, 3 the line to 4, 0 passes the wall's corner 3, 1
    drawn.alter((2, 0), ".")
    assert cover(drawn) == 0


# Reach and range.


@pytest.mark.heading("Range", "Range and Positioning")
@pytest.mark.parametrize(
    ("weapon", "reached", "not_reached"),
    [
        ({}, 1, 2),
        ({"reach": True}, 2, 3),
        ({"reach": True, "dashed": True}, 1, 2),
        ({"reach": True, "armed": False}, 1, 2),  # bare hands
        (BULLWHIP, 4, 5),
        (JAVELIN, 8, 9),
        (BOW, 12, 13),
        ({**BOW, "range": 12}, 24, 25),
        ({**BOW, "armed": False}, 1, 2),
    ],
)
def test_weapons_reach_so_far(weapon: Fields, reached: int, not_reached: int) -> None:
    for far, within in ((reached, True), (not_reached, False)):
        assert scene("A" + "." * (far - 1) + "N", A=weapon).ask(weapons.reaches, "A", "N") is within


@pytest.mark.heading("Range and Positioning")
def test_nobody_strikes_what_it_has_no_line_to() -> None:
    drawn = scene("A#. .#N", A={"reach": True})
    assert drawn.ask(space.distance, "A", "N") == 2 and not drawn.ask(weapons.reaches, "A", "N")


@pytest.mark.heading("Range")
@pytest.mark.parametrize(
    ("weapon", "far", "levels"),
    [
        (BOW, 6, 0),
        (BOW, 7, 1),  # five feet over: a level for each ten begun
        (BOW, 8, 1),
        (BOW, 9, 2),
        (BOW, 12, 3),
        (JAVELIN, 4, 0),
        (JAVELIN, 5, 1),
        (JAVELIN, 8, 4),
        (BULLWHIP, 5, 0),  # it does not reach there at all
    ],
)
def test_beyond_its_range_a_shot_loses_levels(weapon: Fields, far: int, levels: int) -> None:
    assert scene("A" + "." * (far - 1) + "N", A=weapon).ask(weapons.long_range_levels, "A", "N") == levels


@pytest.mark.heading("Opportunity Attacks")
@pytest.mark.parametrize(
    ("weapon", "squares"),
    [({}, 1), ({"reach": True}, 2), ({"reach": True, "dashed": True}, 1), (BULLWHIP, 1), (BOW, 0), (JAVELIN, 0)],
)
def test_melee_weapons_guard_their_reach(weapon: Fields, squares: int) -> None:
    assert scene("A.N", A=weapon).ask(opportunity_attacks.threat_reach, "A") == squares


@pytest.mark.heading("Speed")
@pytest.mark.parametrize(
    ("fields", "squares"),
    [
        ({}, 12),
        ({"speed": 9}, 9),
        ({"speed": 14}, 14),
        ({"speed": 30}, 24),  # as far as a dash goes
        ({"speed": 9, "slowed": 2}, 4),  # half, whatever the levels
        ({"crippled": 1}, 1),
        ({"prone": 1}, 1),
        ({"prone": 1, "speed": 1, "slowed": 1}, 0),
        ({"restrained": 1}, 0),
        ({"grappled": 1}, 0),
        ({"entangled": 1}, 0),
        ({"grappling": "N", "grappling_by": "N"}, 0),
        ({"stunned": 1}, 0),
        ({"incapacitated": 1}, 0),
    ],
)
def test_conditions_slow(fields: Fields, squares: int) -> None:
    assert scene("AN", A=fields).ask(speed.squares_per_dash, "A") == squares


@pytest.mark.heading("Range")
def test_who_has_moved_over_half_its_speed_does_not_shoot() -> None:
    for moved, only_defends in ((4, False), (5, True)):
        drawn = scene("A.N", A={**BOW, "speed": 9, "squares_moved": moved})
        assert drawn.ask(weapons.must_defend, "A") is only_defends
        drawn.change("A", attack_type=terms.THROWN)
        assert not drawn.ask(weapons.must_defend, "A")


# What a place does to rolls.


def levels(
    drawn: Scene, kind: int, ability: int = MIGHT, o: str | int = "N", weapon: int = terms.MELEE
) -> dict[str, int]:
    """Return the causes of advantage that places give A's roll, after checking that only these count."""
    drawn.match.recording = True
    drawn.match.causes[:] = 0
    net = drawn.ask(environment.space_modifiers, "A", kind, ability, o, weapon)
    causes = {terms.CAUSES[k]: int(drawn.match.causes[k]) for k in np.flatnonzero(drawn.match.causes)}
    assert net == sum(causes.values())
    return causes


@pytest.mark.heading("Cover", "Environment > Effects on Rolls")
def test_cover_and_distance_hinder_shots_alone() -> None:
    drawn = scene("A......hN", A=BOW)
    assert levels(drawn, ATTACK, weapon=terms.RANGED) == {"cover": -2, "long_range": -1}
    assert levels(drawn, DEFENSE) == levels(drawn, ATTACK, weapon=terms.MELEE) == {}


@pytest.mark.heading("High Ground")
@pytest.mark.parametrize(
    ("own", "other", "conditions", "causes"),
    [
        ("^", ".", {}, {"highground": 1}),
        (".", "v", {}, {"highground": 1}),
        (".", ".", {}, {}),
        ("^", "^", {}, {}),
        (".", "^", {}, {}),
        ("^", ".", {"A": {"highground": 1}}, {}),  # the condition gives its own level, and one is all
        ("^", ".", {"A": {"highground": 1}, "N": {"highground": 1}}, {"highground": 1}),
    ],
)
def test_who_stands_higher_strikes_better(own: str, other: str, conditions: Fields, causes: dict[str, int]) -> None:
    drawn = scene("AN", under={"A": own, "N": other}, **conditions)
    assert (levels(drawn, ATTACK), levels(drawn, DEFENSE)) == (causes, {})


@pytest.mark.heading("High Ground")
def test_a_large_creature_is_as_high_as_its_highest_square() -> None:
    drawn = scene("vv^ vvv .N.")
    drawn.change("N", x=1, y=0, side=2)
    assert drawn.ask(environment.height, "N") == 1
    drawn.change("N", x=0)
    assert drawn.ask(environment.height, "N") == -1


@pytest.mark.heading("Water", "Environment > Effects on Rolls")
@pytest.mark.parametrize(("terrain", "depth", "lost"), [("~", 1, -1), ("w", 2, -5)])
def test_water_hinders_body_not_mind(terrain: str, depth: int, lost: int) -> None:
    drawn = scene("AN", under={"A": terrain})
    assert (drawn.ask(environment.in_water, "A"), drawn.ask(environment.in_water, "N")) == (depth, 0)
    water = {"water": lost}
    assert levels(drawn, ATTACK) == levels(drawn, DEFENSE, CUNNING) == water
    assert levels(drawn, CHECK, MIGHT) == levels(drawn, CHECK, terms.AGILITY, NOBODY) == water
    assert levels(drawn, CHECK, CUNNING) == levels(drawn, SAVE, MIGHT) == {}


@pytest.mark.heading("Light", "Environment > Effects on Rolls")
@pytest.mark.parametrize(("light", "lost"), [(environment.DIM, -1), (environment.DARK, -5)])
def test_poor_light_hinders_everybody_but_does_not_hide_the_hidden_better(light: int, lost: int) -> None:
    drawn = scene("AN", light=light)
    assert levels(drawn, ATTACK) == levels(drawn, DEFENSE) == levels(drawn, ATTACK, o=NOBODY) == {"dim_light": lost}
    assert levels(drawn, CHECK) == levels(drawn, SAVE) == {}
    drawn.change("N", obscured=1)
    assert levels(drawn, ATTACK) == levels(drawn, DEFENSE) == {}
