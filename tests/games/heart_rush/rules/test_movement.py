"""Where fighters may go, what their moves cost, and which paths they take."""

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from heartrush_env.games.heart_rush.rules import default_movement, movement, paths
from heartrush_env.games.heart_rush.rules.maneuvers import climb_on, grapple
from heartrush_env.games.heart_rush.rules.terms import BURNING, DEAD, MAP_SIDE, NEAR, RANGED, THROWN, WHIP
from tests.games.heart_rush.rules.drawn import AROUND, Scene, Square, scene
from tests.games.heart_rush.rules.table import Fields
from tests.games.heart_rush.rules.test_space import random_rows

N, NE, E, SE, S, SW, W, NW = range(8)


def reach(drawn: Scene, letter: str = "A") -> set[Square]:
    """Return where the fighter's next dash may end."""
    marks = np.zeros(AROUND * AROUND, np.int8)
    drawn.ask(paths.write_reachable, letter, marks, 0)
    x, y = drawn.at(letter)
    places = {(x + int(k) % AROUND - NEAR, y + int(k) // AROUND - NEAR) for k in np.flatnonzero(marks)}
    for place in places:
        assert drawn.ask(paths.is_reachable, letter, *place)
    return places


def path(drawn: Scene, x: int, y: int, letter: str = "A") -> list[int] | None:
    """Return the directions of the path to this place, or None."""
    if not drawn.ask(paths.find_path, letter, x, y):
        return None
    return [int(d) for d in drawn.match.path[: drawn.match.path_length]]


def squares(drawing: str, mark: str = "*") -> set[Square]:
    """Return the squares that a drawing marks."""
    return {(x, y) for y, row in enumerate(drawing.split()) for x, glyph in enumerate(row) if glyph == mark}


def draw(drawn: Scene, places: set[Square]) -> str:
    """Return the scene with the places marked, as `squares` reads it."""
    return "\n".join(
        "".join("*" if (x, y) in places else glyph for x, glyph in enumerate(row)) for y, row in enumerate(drawn.rows)
    )


def assert_reach(drawing: str, **options: Any) -> None:
    """Check that A's dash may end where the drawing has a star (on floor), and nowhere else."""
    drawn = scene(drawing.replace("*", "."), **options)
    assert draw(drawn, reach(drawn)) == draw(drawn, squares(drawing))


@pytest.mark.heading("Dash")
def test_a_dash_goes_as_far_as_speed_in_all_directions() -> None:
    assert_reach("""
        .......
        .*****.
        .*****.
        .**A**.
        .*****.
        .*****.
        .......
    """, A={"speed": 2})  # fmt: skip


@pytest.mark.heading("Dash")
@pytest.mark.parametrize(
    ("fields", "budget"),
    [
        ({"speed": 9}, 9),
        ({"speed": 9, "stood": True}, 4),
        ({"speed": 9, "stood": True, "dash": False}, 9),  # by the action
        ({"speed": 9, "shot": True}, 4),
        ({"speed": 9, "shot": True, "squares_moved": 3}, 1),
        ({"speed": 9, "shot": True, "squares_moved": 6}, 0),
        ({"climbing": "N"}, 0),
        ({"restrained": 1}, 0),
    ],
)
def test_what_has_happened_this_round_shortens_a_dash(fields: Fields, budget: int) -> None:
    drawn = scene("A" + "." * 11 + "N", A=fields)
    assert (drawn.ask(paths.dash_budget, "A"), len(reach(drawn))) == (budget, budget)


@pytest.mark.heading("Diagonals")
def test_a_diagonal_step_between_two_walls_is_no_step() -> None:
    assert_reach("A#. #.. ...")
    assert_reach("A#. **. ...", A={"speed": 1})  # past one wall it goes
    # To 1, 1 the large one needs either 1, 0 or 0, 1 free of walls for both squares: neither is.
    drawn = scene("AA# AA. #..")
    assert reach(drawn) == set()
    drawn.alter((2, 0), ".")
    assert reach(drawn) == {(1, 0), (1, 1)}


@pytest.mark.heading("Diagonals", "Sidestep")
@pytest.mark.parametrize(
    ("drawing", "allowed"), [("A#\n#.", False), ("A+\no.", False), ("A#\n..", True), ("A.\n#.", True), ("A.\n..", True)]
)
def test_a_sidestep_goes_past_one_wall_and_not_between_two(drawing: str, allowed: bool) -> None:
    drawn = scene(drawing)
    assert drawn.ask(movement.may_sidestep, "A", SE) is allowed
    assert drawn.ask(movement.cuts_corner, "A", 0, 0, 1, 1) == (not allowed)


@pytest.mark.heading("Difficult Terrain")
@pytest.mark.parametrize(
    ("drawing", "speed", "far"),
    # The large one pays for its worst square: to 2, 0 it has a rough one in it.
    [("A,,..", 4, 2), ("A,...", 4, 3), ("A.w.", 5, 2), ("A.w.", 6, 3), ("AA,. AA..", 3, 1), ("AA,. AA..", 4, 2)],
)
def test_difficult_terrain_costs_double(drawing: str, speed: int, far: int) -> None:
    assert reach(scene(drawing, A={"speed": speed})) == {(x, 0) for x in range(1, far + 1)}


@pytest.mark.heading("Difficult Terrain")
def test_deep_water_is_difficult_terrain_twice() -> None:
    drawn = scene("A.w.", A={"speed": 6})
    assert [drawn.ask(movement.step_cost, "A", x, 0) for x in (1, 2)] == [1, 4]


@pytest.mark.heading("Difficult Terrain", "Dash")
def test_the_first_step_is_always_affordable() -> None:
    assert (reach(scene("Aw.", A={"speed": 1})), reach(scene("A,.", A={"speed": 1}))) == ({(1, 0)}, {(1, 0)})
    assert path(scene("Aw.", A={"speed": 1}), 1, 0) == [E]
    assert path(scene("Aw.", A={"speed": 1}), 2, 0) is None
    assert reach(scene("Aw.", A={"speed": 0})) == set()


@pytest.mark.heading("Moving Through Others")
def test_friends_are_passed_at_double_cost_and_not_stopped_on() -> None:
    assert (reach(scene("AB..", A={"speed": 2})), reach(scene("AB..", A={"speed": 3}))) == (set(), {(2, 0)})
    assert reach(scene("AB..", A={"speed": 2}, B={"bulky": False})) == {(1, 0), (2, 0)}
    assert reach(scene("AB..", A={"speed": 2}, B={"status": DEAD})) == {(1, 0), (2, 0)}


@pytest.mark.heading("Moving Through Others", "Movement")
@pytest.mark.parametrize(("rank", "passed"), [(-2, True), (-1, False), (0, False), (1, False), (2, True)])
def test_enemies_bar_the_way_unless_two_sizes_apart(rank: int, passed: bool) -> None:
    drawn = scene("AN.", A={"speed": 3}, N={"size_rank": rank})
    assert reach(drawn) == ({(2, 0)} if passed else set())
    assert drawn.ask(movement.is_enterable, "A", 0, 0, 1, 0) is passed
    assert not drawn.ask(movement.is_stoppable, "A", 1, 0)


@pytest.mark.heading("Moving Through Others", "Movement")
def test_the_tiny_go_anywhere() -> None:
    drawn = scene("ANB.", A={"speed": 4, "bulky": False})
    assert reach(drawn) == {(1, 0), (2, 0)}  # at two squares each
    assert drawn.ask(movement.is_stoppable, "A", 1, 0)


@pytest.mark.heading("Dash", "Moving Through Others")
def test_a_large_creature_needs_room_for_all_of_it() -> None:
    drawn = scene("""
        AA..#.
        AA....
        ....N.
        ......
    """, A={"speed": 2, "size_rank": 1})  # fmt: skip
    near = {(1, 0), (2, 0), (0, 1), (1, 1), (2, 1), (0, 2), (1, 2), (2, 2)}
    assert reach(drawn) == near
    drawn.change("A", speed=12)
    assert reach(drawn) == near  # at 3, 0 it would have the wall in it, at 3, 1 and 3, 2 its enemy


@pytest.mark.heading("Drops")
def test_nobody_walks_into_a_drop() -> None:
    assert_reach("A*v. **v.")
    assert_reach("A*v. ***.", A={"speed": 2})
    drawn = scene("A.v")
    assert [drawn.ask(movement.is_footing, "A", x, 0) for x in (1, 2)] == [True, False]


@pytest.mark.heading("Drops")
@pytest.mark.parametrize(("drop", "out"), [(20, {(0, 0), (1, 0), (2, 0), (0, 1)}), (25, set())])
def test_climbing_out_is_a_dash_of_one_step(drop: int, out: set[Square]) -> None:
    drawn = scene("..... .Av#. ..v#.", under={"A": "v"}, drop=drop)
    # In the drop: 2, 1 and 2, 2. Out of it: the four above and to the left, and those below.
    below = {(0, 2), (1, 2)} if out else set()
    assert reach(drawn) == out | below | {(2, 1), (2, 2)}
    assert path(drawn, 0, 0) == ([NW] if out else None)
    assert not drawn.ask(movement.may_sidestep, "A", NW)
    assert drawn.ask(movement.may_sidestep, "A", E)


@pytest.mark.heading("Drops", "Climb On")
@pytest.mark.parametrize(("drawing", "there"), [("AN..", None), ("ANv.", (2, 0)), ("AN.v", None)])
def test_nobody_comes_out_of_a_drop_by_coming_off_its_bearer(drawing: str, there: Square | None) -> None:
    drawn = scene(drawing, under={"N": "v"})
    drawn.change("A", x=1, climbing="N")
    assert drawn.ask(climb_on.may_come_off, "A") is (there is not None)
    drawn.ask(climb_on.set_down, "A", "N")
    assert drawn.at("A") == (there or (1, 0))


@pytest.mark.heading("Drops", "Grappling")
def test_nobody_is_dragged_out_of_a_drop() -> None:
    assert not scene(".A.N", under={"N": "v"}, A={"grappling": "N"}).ask(grapple.pull_along, "A", 2, 0)


@pytest.mark.heading("Dash", "Drops", "Default Movement")
def test_by_default_who_is_down_in_a_drop_climbs_out_only_where_nothing_in_it_is_as_near() -> None:
    """Climbing out takes the whole dash; the square of the drop beside the enemy takes one step."""
    for drawing, there in (("....\n.A.N\n..v.", (1, 1)), ("....\n.A.N\n....", (1, -1))):
        dash = scene(drawing, under={"A": "v"}).ask(default_movement.default_dash, "A")
        assert (dash % AROUND - NEAR, dash // AROUND - NEAR) == there


@pytest.mark.heading("Sidestep")
def test_a_sidestep_is_one_step_to_a_free_place() -> None:
    drawn = scene("w#B NA. .,.")
    allowed = [d for d in range(8) if drawn.ask(movement.may_sidestep, "A", d)]
    assert allowed == [E, SE, S, SW, NW]
    for fields in ({"crippled": 1}, {"prone": 1}):
        drawn.change("A", **fields)
        assert drawn.ask(movement.may_sidestep, "A", NW)  # into deep water, even at a crawl


@pytest.mark.heading("Sidestep", "Grappling")
def test_the_held_do_not_sidestep_but_who_holds_does() -> None:
    drawn = scene("AN..", A={"grappling": "N", "grappling_by": "N"}, N={"grappled_by": "A"})
    assert not drawn.ask(movement.may_sidestep, "N", E)
    drawn = scene(".AN.", A={"grappling": "N", "grappling_by": "N"}, N={"grappled_by": "A"})
    assert drawn.ask(movement.may_sidestep, "A", W)
    assert drawn.ask(paths.dash_budget, "A") == 0
    drawn.change("A", restrained=1)
    assert not drawn.ask(movement.may_sidestep, "A", W)


@pytest.mark.heading("Grappling")
@pytest.mark.parametrize(
    ("drawing", "to", "old", "dragged"),
    [
        (".AN.", (0, 0), (1, 0), True),
        (".ANN ..NN", (0, 1), (1, 0), True),
        (".#NN .ANN", (0, 1), (1, 1), False),  # two squares wide and high: no room
    ],
)
def test_the_held_are_dragged_to_where_there_is_room(drawing: str, to: Square, old: Square, dragged: bool) -> None:
    drawn = scene(drawing, A={"grappling": "N"})
    drawn.ask(movement.place, "A", *to)
    assert drawn.ask(grapple.pull_along, "A", *old) is dragged
    assert drawn.at("N") == (old if dragged else (2, 0))


@pytest.mark.heading("Frightened")
def test_nobody_goes_nearer_to_what_it_fears() -> None:
    assert_reach("**... *A.N. **...", A={"speed": 1, "frightened_by": "N"})
    drawn = scene("A.N", A={"speed": 1, "frightened_by": "N"})
    assert not drawn.ask(movement.may_sidestep, "A", E)
    drawn.change("N", status=DEAD)
    assert drawn.ask(movement.may_sidestep, "A", E)
    unseen = scene("A## .#N", A={"speed": 1, "frightened_by": "N"})
    assert reach(unseen) == {(0, 1)}


@pytest.mark.heading("Dash")
def test_among_equal_ways_the_first_direction_goes_first() -> None:
    drawn = scene("..... A.... .....")
    assert path(drawn, 3, 1) == [NE, E, SE]  # 1, 2, 3 comes before 2, 2, 2
    assert (path(drawn, 3, 0), path(drawn, 1, 2)) == ([NE, E, E], [SE])
    assert path(drawn, 0, 1) is None


@pytest.mark.heading("Dash", "Opportunity Attacks")
def test_a_dash_goes_round_what_would_strike_it() -> None:
    drawing = """
        ..N...
        ......
        A....B
        ......
    """
    # N threatens 1, 0 to 3, 1: the third row is safe.
    assert path(scene(drawing), 4, 2) == [E, E, E, E]
    # With a reach weapon it threatens 0, 0 to 4, 2. By the fourth row only the first step begins in its reach, but for
    # the one that leads back up, which begins at 3, 3.
    assert path(scene(drawing, N={"reach": True}), 4, 2) == [SE, E, E, NE]
    # Who cannot strike threatens nothing: the first of the shortest ways is taken.
    for harmless in ({"stunned": 1}, {"attack_type": RANGED}, {"surprised": True}):
        assert path(scene(drawing, N=harmless), 4, 2) == [NE, E, E, SE]
    assert path(scene(drawing, N={"status": DEAD}), 4, 2) == [NE, NE, SE, SE]


@pytest.mark.heading("Dash", "Opportunity Attacks")
def test_where_the_safe_way_is_too_long_the_dash_runs_the_gauntlet() -> None:
    drawing = """
        .......
        A.....B
        .......
        ...N...
    """
    # N threatens 2, 2 to 4, 3. With six squares there is a way round to 5, 3, by 3, 0 / 4, 1 / 5, 2.
    assert path(scene(drawing, A={"speed": 6}), 5, 3) == [NE, E, E, SE, SE, S]
    # In five squares the last step must begin at 4, 2, and no other needs to begin in N's reach.
    assert path(scene(drawing, A={"speed": 5}), 5, 3) == [NE, E, SE, SE, SE]


@pytest.mark.heading("Dash")
def test_what_is_legal_of_ones_own_way_is_taken() -> None:
    drawn = scene(".... A.#. ....", A={"speed": 4})
    for way in ([SE, E, NE], [S, E, E, NE], []):
        assert drawn.walks(way) == way
    assert drawn.walks([E, E, E]) == [E]  # then comes the pillar
    assert drawn.walks([S, N, SE, E, NE]) == [S, N, SE, E]  # four squares
    assert drawn.walks([W]) == []
    drawn.alter((1, 2), "w")
    assert drawn.walks([SE, E, NE]) == [SE]  # deep water takes all four squares


# A search of all ways, by the words of the page.


COSTS = {".": 1, ",": 2, "h": 2, "w": 4}


def enterable(drawn: Scene, x: int, y: int) -> bool:
    return 0 <= y < len(drawn.rows) and 0 <= x < len(drawn.rows[0]) and drawn.rows[y][x] not in "#NO"


def all_ways(drawn: Scene, x: int, y: int, been: tuple[Square, ...] = ()) -> Iterator[tuple[int, int, list[int]]]:
    """Yield A's paths without a square visited twice: openings, cost after the first step, and steps."""
    yield 0, 0, []
    enemies = [drawn.at(letter) for letter in drawn.letters if letter > "M"]
    openings = sum(max(abs(x - ex), abs(y - ey)) <= 1 for ex, ey in enemies)
    for d in range(8):
        dx, dy = int(movement.STEP_X[d]), int(movement.STEP_Y[d])
        to = x + dx, y + dy
        if to in been or not enterable(drawn, *to):
            continue
        walls = [not (0 <= b < len(drawn.rows)) or drawn.rows[b][a] == "#" for a, b in ((x + dx, y), (x, y + dy))]
        if dx and dy and all(walls):
            continue
        glyph = drawn.rows[to[1]][to[0]]
        cost = 2 if glyph == "B" else COSTS.get(glyph, 1)
        for more_openings, more_cost, steps in all_ways(drawn, *to, (*been, (x, y))):
            yield openings + more_openings, cost + more_cost, [d, *steps]


@pytest.mark.heading("Dash", "Opportunity Attacks")
def test_reach_and_way_agree_with_all_ways_there_are() -> None:
    dice = random.Random(3)
    for _ in range(40):
        rows = random_rows(dice, 4, 3, "...##,w", {"A": 1, "B": 1, "N": 1})
        budget = dice.randint(1, 5)
        drawn = scene("\n".join(rows), A={"speed": budget})
        start = drawn.at("A")
        found: dict[Square, list[tuple[int, int, list[int]]]] = {}
        for openings, cost, steps in all_ways(drawn, *start):
            x = start[0] + sum(int(movement.STEP_X[d]) for d in steps)
            y = start[1] + sum(int(movement.STEP_Y[d]) for d in steps)
            found.setdefault((x, y), []).append((openings, cost, steps))
        taken = {start, drawn.at("B")}
        ends = {
            place: every
            for place, every in found.items()
            if place not in taken and any(cost <= budget or len(steps) == 1 for _, cost, steps in every)
        }
        assert reach(drawn) == set(ends), draw(drawn, set(ends))
        for (x, y), every in ends.items():
            best = min(every)
            if best[1] > budget:
                best = min(every, key=lambda way: (way[1], way[0], way[2]))
            if best[1] > budget:
                best = min(way for way in every if len(way[2]) == 1)
            assert path(drawn, x, y) == best[2], (rows, budget, x, y)


@pytest.mark.heading("Dash", "Difficult Terrain", "Moving Through Others", "Movement")
def test_the_boards_say_the_same_as_single_steps() -> None:
    dice = random.Random(4)
    for _ in range(40):
        sides = {"A": dice.choice([1, 2, 3]), "B": dice.choice([1, 2]), "N": 1, "O": 2}
        rows = random_rows(dice, 9, 8, "......#,wv^", sides)
        budget = dice.randint(1, 6)
        drawn = scene("\n".join(rows), A={"speed": budget, "size_rank": dice.choice([0, 1, 2])})
        x, y = drawn.at("A")
        least = {(x, y): 0}
        frontier = [(x, y)]
        while frontier:
            ax, ay = frontier.pop()
            for d in range(8):
                dx, dy = int(movement.STEP_X[d]), int(movement.STEP_Y[d])
                to = ax + dx, ay + dy
                if drawn.ask(movement.is_enterable, "A", ax, ay, dx, dy):
                    cost = drawn.ask(movement.step_cost, "A", *to)
                    cost = least[ax, ay] + (min(cost, budget) if (ax, ay) == (x, y) else cost)
                    if cost <= budget and cost < least.get(to, 99):
                        least[to] = cost
                        frontier.append(to)
        expected = {to for to in least if to != (x, y) and drawn.ask(movement.is_stoppable, "A", *to)}
        assert reach(drawn) == expected, "\n".join(rows)


# The default.


@pytest.mark.heading("Dash", "Default Movement")
@pytest.mark.parametrize(
    ("drawing", "fields", "goal"),
    [
        ("A....N", {}, (4, 0)),
        ("A....N", {"speed": 2}, (2, 0)),
        ("A..N..", {"reach": True}, (2, 0)),  # having dashed it reaches one square
        ("A.N...", {"reach": True}, None),  # in reach already
        ("AN....", {}, None),
        ("A.......N", {"attack_type": RANGED, "range": 6, "speed": 9}, (2, 0)),
        ("A...............N", {"attack_type": RANGED, "range": 6, "speed": 9}, (4, 0)),  # half its speed
        ("A.......N", {"attack_type": THROWN, "range": 4, "speed": 9}, (4, 0)),
        ("A.......N", {"attack_type": WHIP, "range": 4, "speed": 9}, (4, 0)),
        ("A....N", {"dash": False}, None),
        ("A....N", {"stunned": 1}, None),
        ("A....N", {"surprised": True}, None),
        ("A....N", {"confused": 1, "acted": True}, None),
        ("A#...N", {}, None),
        ("AN...O", {"charmed_by": "N"}, None),  # one level of charm bars nothing: it has N to go for
        # 3, 0 / 3, 1 / 3, 2 are next to N, three squares off each: the northernmost wins.
        ("..... A...N .....", {}, (3, -1)),
    ],
)
def test_by_default_a_fighter_closes_in(drawing: str, fields: Fields, goal: Square | None) -> None:
    expected = -1 if goal is None else (NEAR + goal[1]) * AROUND + NEAR + goal[0]
    assert scene(drawing, A=fields).ask(default_movement.default_dash, "A") == expected


# Being somewhere else.


@pytest.mark.heading("Movement", "Water")
def test_water_puts_out_fire_and_riders_come_along() -> None:
    drawn = scene("AAN.~ AA...", A={"burning": 2}, N={"burning": 1})
    mount, rider = drawn.match.fighters[0], drawn.match.fighters[1]
    drawn.change("N", x=1, y=1, climbing="A")
    drawn.match.cover[:] = 0
    drawn.ask(movement.place, "A", 2, 0)
    assert (drawn.at("A"), drawn.at("N"), mount.levels[BURNING], rider.levels[BURNING]) == ((2, 0), (3, 1), 2, 1)
    assert drawn.match.cover[1] == drawn.match.cover[16] == -1
    drawn.ask(movement.place, "A", 3, 0)
    assert drawn.at("N") == (4, 1)
    assert (mount.levels[BURNING], rider.levels[BURNING]) == (0, 1)  # the rider's own square is dry
    assert mount.afflicted == 0 != rider.afflicted


@pytest.mark.heading("Climb On")
def test_who_falls_off_lands_beside_the_creature() -> None:
    drawn = scene("""
        .....
        .NNN.
        .NNN.
        #NNN.
        A....
    """)
    drawn.change("A", x=1, y=2)
    drawn.ask(climb_on.set_down, "A", "N")
    assert drawn.at("A") == (0, 1)  # one square off: 0, 1 comes before 0, 2
    drawn.change("A", x=1, y=2, bulky=False)
    drawn.ask(climb_on.set_down, "A", "N")
    assert drawn.at("A") == (0, 1)  # the tiny too, though they might stay where they are
    drawn.change("A", x=2, y=2)
    drawn.change("N", status=DEAD)
    drawn.ask(climb_on.set_down, "A", "N")
    assert drawn.at("A") == (2, 2)  # the body is in nobody's way


def test_the_largest_map_is_all_within_the_boards() -> None:
    rows = ["." * MAP_SIDE] * MAP_SIDE
    for x, y in ((0, 0), (28, 28), (0, 28), (28, 0)):
        drawn_rows = [list(row) for row in rows]
        for square_x in range(x, x + 4):
            for square_y in range(y, y + 4):
                drawn_rows[square_y][square_x] = "A"
        drawn = scene("\n".join("".join(row) for row in drawn_rows))
        assert len(reach(drawn)) == 13 * 13 - 1  # twelve squares along the edges, and the place itself not
