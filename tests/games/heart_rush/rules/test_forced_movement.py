"""Pushes, what stops them, falls, and the places that follow from a push or a maneuver."""

import pytest

from heartrush_env.games.heart_rush.rules import forced_movement, might_push, movement
from heartrush_env.games.heart_rush.rules.maneuvers import climb_on, stunt
from heartrush_env.games.heart_rush.rules.terms import DEAD, NOBODY
from tests.games.heart_rush.rules.drawn import Scene, Square, scene
from tests.games.heart_rush.rules.table import Fields

UNSTOPPED = (0, NOBODY, False)


def push(drawn: Scene, squares: int, who: str = "A", whom: str = "N") -> tuple[int, ...]:
    return tuple(drawn.ask(forced_movement.push, who, whom, squares))


@pytest.mark.heading("Forced Movement")
@pytest.mark.parametrize(
    ("there", "direction"),
    [
        ((4, 3), (1, 0)),
        ((4, 2), (1, -1)),
        ((5, 2), (1, 0)),  # two over and one up: straight
        ((5, 1), (1, -1)),
        ((6, 1), (1, -1)),  # three over and two up
        ((2, 5), (0, 1)),
        ((1, 5), (-1, 1)),
        ((3, 3), (0, 0)),
    ],
)
def test_a_push_goes_away_in_the_nearest_direction(there: Square, direction: Square) -> None:
    drawn = scene("\n".join(["........"] * 3 + ["...A...N"] + ["........"] * 3))
    drawn.change("N", x=there[0], y=there[1])
    assert tuple(drawn.ask(forced_movement.push_direction, "A", "N")) == direction


@pytest.mark.heading("Forced Movement")
def test_a_push_is_measured_between_centers() -> None:
    # Centers 1, 1 and 2.5, 0.5: three halves over, half up, so straight.
    drawn = scene("AAN AA.")
    assert tuple(drawn.ask(forced_movement.push_direction, "A", "N")) == (1, 0)
    # Centers 1, 2 and 2.5, 0.5; then 1.5, 0.5: half over and three halves up, so straight.
    drawn.change("A", y=1)
    assert tuple(drawn.ask(forced_movement.push_direction, "A", "N")) == (1, -1)
    drawn.change("N", x=1)
    assert tuple(drawn.ask(forced_movement.push_direction, "A", "N")) == (0, -1)


@pytest.mark.heading("Forced Movement")
@pytest.mark.parametrize(
    ("feet", "rank", "squares"), [(10, 0, 2), (10, -1, 3), (10, 1, 1), (10, 2, 0), (10, 4, 0), (5, -2, 3), (5, 1, 0)]
)
def test_size_lengthens_and_shortens_a_push(feet: int, rank: int, squares: int) -> None:
    assert scene("AN", N={"size_rank": rank}).ask(forced_movement.push_squares, "A", "N", feet) == squares


@pytest.mark.heading("Forced Movement")
@pytest.mark.parametrize(
    ("drawing", "there", "answer"),
    [
        ("AN...", (3, 0), (2, *UNSTOPPED)),
        (".NA..", (0, 0), (1, 1, NOBODY, True)),  # the map's edge is a wall
        ("AN#..", (1, 0), (0, 2, NOBODY, True)),
        ("AN.+.", (2, 0), (1, 1, NOBODY, True)),
        ("AN.B.", (2, 0), (1, 1, 1, False)),
        ("ANB..", (1, 0), (0, 2, 1, False)),
        ("AN~w.", (3, 0), (2, *UNSTOPPED)),  # what costs movement stops nobody who is pushed
    ],
)
def test_walls_and_creatures_stop_a_push(drawing: str, there: Square, answer: tuple[int, ...]) -> None:
    drawn = scene(drawing)
    assert (push(drawn, 2), drawn.at("N")) == (answer, there)
    pushed = drawn.match.fighters[drawn.i("N")]
    assert pushed.pushed == answer[0]
    assert (pushed.pushed_x, pushed.pushed_y) == ((-1, 0) if drawing == ".NA.." else (1, 0))


@pytest.mark.heading("Forced Movement")
@pytest.mark.parametrize("fields", [{"status": DEAD}, {"bulky": False}, {"climbing": "N"}])
def test_the_fallen_the_tiny_and_riders_stop_nobody(fields: Fields) -> None:
    assert push(scene("AN.B.", B=fields), 3) == (3, *UNSTOPPED)


@pytest.mark.heading("Forced Movement")
def test_the_tiny_are_stopped_by_nobody() -> None:
    assert push(scene("AN.B.", N={"bulky": False}), 2) == (2, *UNSTOPPED)


@pytest.mark.heading("Forced Movement")
def test_a_push_cuts_no_corner() -> None:
    assert push(scene("A.#. .N.. .#.."), 1) == (1, *UNSTOPPED)
    assert push(scene("A... .N#. .#.."), 1) == (0, 1, NOBODY, True)


@pytest.mark.heading("Forced Movement")
def test_a_large_creature_is_stopped_by_the_first_in_agent_order() -> None:
    drawn = scene(".NN.B ANN.C")
    # From center 0.5, 1.5 to 2, 1: three halves over, half up: straight.
    assert (push(drawn, 3), drawn.at("N")) == ((1, 2, drawn.i("B"), False), (2, 0))


@pytest.mark.heading("Forced Movement")
@pytest.mark.parametrize(
    ("own", "other", "shared"),
    [
        ({}, {}, True),
        ({}, {"size_rank": 2}, True),
        ({}, {"size_rank": 3}, False),
        ({"size_rank": -1}, {"size_rank": 2}, False),
        ({}, {"shield": 1}, True),
        ({}, {"shield": 2}, False),
    ],
)
def test_a_collision_is_shared_unless_a_shield_or_mere_size_stops_it(own: Fields, other: Fields, shared: bool) -> None:
    assert scene("AN.B", N=own, B=other).ask(forced_movement.shares_collision, "N", "B") is shared
    friends = scene("AN.O", N=own, O=other)
    assert friends.ask(forced_movement.shares_collision, "N", "O") is (shared or "shield" in other)


@pytest.mark.heading("Forced Movement")
def test_who_is_pushed_takes_the_larger_half() -> None:
    assert [forced_movement.own_share(damage) for damage in (6, 7)] == [3, 4]


@pytest.mark.heading("Drops", "Forced Movement")
def test_a_push_ends_in_the_drop() -> None:
    drawn = scene("AN.vv.")
    assert (push(drawn, 4), drawn.at("N")) == ((2, *UNSTOPPED), (3, 0))
    assert drawn.ask(movement.falls, "N")


@pytest.mark.heading("Drops")
def test_who_is_down_is_pushed_about_there_and_falls_no_more() -> None:
    drawn = scene("AN.vvv.")
    drawn.change("A", x=2)
    drawn.change("N", x=3)
    assert push(drawn, 1) == (1, *UNSTOPPED)
    assert not drawn.ask(movement.falls, "N")
    assert push(drawn, 3) == (1, 2, NOBODY, True)  # the drop's far edge
    assert drawn.at("N") == (5, 0)


@pytest.mark.heading("Drops")
def test_a_large_creature_falls_with_its_last_square() -> None:
    drawn = scene(".NN.vv. ANN.vv.")
    assert push(drawn, 2) == (2, *UNSTOPPED)  # half over the edge
    assert not drawn.ask(movement.falls, "N")
    drawn.change("A", x=2)
    assert (push(drawn, 3), drawn.at("N")) == ((1, *UNSTOPPED), (4, 0))
    assert drawn.ask(movement.falls, "N")


@pytest.mark.heading("Forced Movement")
def test_riders_are_carried_along() -> None:
    drawn = scene(".NN... ANN.B. ......")
    drawn.change("B", x=2, y=1, climbing="N")
    assert (push(drawn, 2), drawn.at("N"), drawn.at("B")) == ((2, *UNSTOPPED), (3, 0), (4, 1))


@pytest.mark.heading("Melee")
@pytest.mark.parametrize(
    ("drawing", "moved"),
    [
        (".AN...", 2),
        (".A..N.", 2),
        (".A.#..N", 1),
        (".A.BN.", 1),  # it would have to stay in B's space
        (".AB.N.", 2),  # past a friend
        (".AOvN.", 0),
        (".A.vN.", 1),
    ],
)
def test_the_pusher_may_follow_as_far_as_there_is_room(drawing: str, moved: int) -> None:
    drawn = scene(drawing)
    if drawing == ".AN...":
        assert push(drawn, 2) == (2, *UNSTOPPED)
    assert drawn.ask(might_push.follow_push, "A", 1, 0, 2) == moved


@pytest.mark.heading("Stunt")
@pytest.mark.parametrize(
    ("drawing", "there"), [("AN.", (2, 0)), ("ANB", (0, 0)), ("AN#", (0, 0)), ("ANv", (0, 0)), (".AN", (1, 0))]
)
def test_swinging_past_lands_beyond_if_there_is_room(drawing: str, there: Square) -> None:
    drawn = scene(drawing)
    start = drawn.at("A")
    assert drawn.ask(stunt.swing_past, "A", "N") is (there != start)
    assert drawn.at("A") == there


@pytest.mark.heading("Stunt")
def test_nobody_swings_past_what_is_larger_than_a_square() -> None:
    assert not scene("ANN.. .NN..").ask(stunt.swing_past, "A", "N")


@pytest.mark.heading("Climb On")
@pytest.mark.parametrize(("there", "up"), [((0, 1), (1, 1)), ((4, 4), (3, 3)), ((0, 4), (1, 3)), ((4, 2), (3, 1))])
def test_a_climber_gets_onto_the_nearest_square(there: Square, up: Square) -> None:
    # From 0, 1 the squares 1, 1 and 1, 2 are one off each, from 4, 2 those from 3, 1 to 3, 3: the first row wins.
    drawn = scene("""
        A....
        .NNN.
        .NNN.
        .NNN.
        .....
    """)
    drawn.change("A", x=there[0], y=there[1])
    drawn.ask(climb_on.get_onto, "A", "N")
    assert drawn.at("A") == up


@pytest.mark.heading("Climb On")
def test_a_large_climber_stays_within_the_creature() -> None:
    drawn = scene("""
        NNNNAA
        NNNNAA
        NNNN..
        NNNN..
    """)
    drawn.ask(climb_on.get_onto, "A", "N")
    assert drawn.at("A") == (2, 0)
    assert drawn.ask(movement.is_carried_by, "A", "N") is False
