"""Dashes of more than twelve squares, which are named in two parts (R-281)."""

from typing import Any

import numpy as np
import pytest

from heartrush_env import heart_rush_v0
from heartrush_env.games.heart_rush.rules.destinations import AROUND, DESTINATIONS, NAMED, destination, steps_to
from heartrush_env.games.heart_rush.rules.terms import FASTEST, NEAR
from heartrush_env.games.heart_rush.scenario.load import load_scenario
from heartrush_env.protocol.views import observation_of, view_of
from heartrush_env.tabletop.errors import RulesError, SnapshotError
from tests.games.heart_rush.rules.drawn import scene
from tests.games.heart_rush.rules.map_table import at, on_map, told_ways
from tests.games.heart_rush.rules.table import PLAIN, Table
from tests.games.heart_rush.rules.test_movement import reach

pytestmark = pytest.mark.heading("Dash")
HALL = "." * 32 + "\nK" + "." * 31 + "\n" + "." * 32
FAST = {"knight": {"speed": 80}, "rogue": {"at": [31, 0]}}
Offset = tuple[int, int]


def offsets(names: list[str]) -> set[Offset]:
    """Return what the dashes among these names are away from where they are counted."""
    found = (name.split()[1].split(",") for name in names if name.startswith("dash"))
    return {(int(east), int(south)) for east, south in found}


def reached(table: Table, name: str = "knight") -> set[Offset]:
    """Return the offsets from the fighter at which its next dash may end, each part of a dash tried in turn."""
    mark, everywhere = table._fights.snapshot(0), offsets(table.legal(name))
    for first in sorted(everywhere):
        if max(map(abs, first)) == NEAR:
            table.play(**{name: f"dash {first[0]},{first[1]}"})
            if table.window == "action" and "walk" not in table.legal(name) and "pass" in table.legal(name):
                further = offsets(table.legal(name))
                assert further.isdisjoint({(0, 0)})
                everywhere |= {(first[0] + east, first[1] + south) for east, south in further}
            table._fights.restore(0, mark)
            table._look()
    return everywhere


def row(places: set[Offset]) -> list[int]:
    """Return how far to the east the places of the fighter's own row are, to the west negative."""
    return sorted(east for east, south in places if south == 0)


def test_a_dash_is_as_long_as_the_speed_says(plainly: None) -> None:
    """From 0,1 a speed of 80 feet leads to 16,1 and not to 17,1."""
    table = on_map(HALL, FAST)
    assert row(reached(table)) == list(range(1, 17))
    table.play(knight="dash 12,0")
    assert offsets(table.legal("knight")) == {(east, south) for east in range(1, 5) for south in (-1, 0, 1)}
    assert table.legal("rogue") == ["pass"]
    table.play(knight="dash 4,0")
    assert at(table, "knight") == (16, 1)


def test_the_setting_limits_it_to_twelve_squares(plainly: None) -> None:
    table = on_map(HALL, FAST, rules={"top_speed": 12})
    assert row(reached(table)) == list(range(1, 13))
    table.play(knight="dash 12,0")
    assert at(table, "knight") == (12, 1)


@pytest.mark.parametrize(
    ("fighter", "squares"),
    [
        ({"from": "wolf", "id": "knight"}, 16),
        ({"speed": 60}, 12),
        ({"speed": 65}, 13),
        ({"speed": 150}, 24),
        ({"talents": ["quick"]}, 16),
        ({"destiny_talents": ["quick"]}, 20),
        ({"speed": 80, "conditions": {"slowed": 1}}, 8),
        ({"speed": 120, "conditions": {"slowed": 1}}, 12),
    ],
)
def test_every_speed_is_run_as_it_is_printed(fighter: dict[str, Any], squares: int, plainly: None) -> None:
    table = on_map(HALL, {"knight": fighter, "rogue": {"at": [31, 0]}})
    assert max(row(reached(table))) == squares


def test_a_dash_with_the_action_is_as_long(plainly: None) -> None:
    table = on_map(HALL, FAST).play(knight="dash 12,0").play(knight="dash 4,0")
    assert row(reached(table)) == [*range(-16, 0), *range(1, 16)]
    table.play(knight="dash 12,1").play(knight="dash 3,-1")
    assert (at(table, "knight"), table.fighter("knight")["action"]) == ((31, 1), False)


@pytest.mark.heading("Dash", "Difficult Terrain")
def test_difficult_squares_cost_two_wherever_they_are(plainly: None) -> None:
    """Twelve squares of floor leave four of the sixteen squares of movement: two difficult squares."""
    hall = "K" + "." * 12 + "," * 19
    table = on_map(hall, {"knight": {"speed": 80}, "rogue": {"at": [31, 0]}})
    assert row(reached(table)) == list(range(1, 15))
    slow = on_map("K" + "," * 4 + "." * 27, {"knight": {"speed": 80}, "rogue": {"at": [31, 0]}})
    assert row(reached(slow)) == list(range(1, 13))


def test_the_way_is_the_best_one_to_the_last_square(plainly: None) -> None:
    """It does not lead over 12,2, which was named first: the first direction that goes east is the north-east."""
    table = on_map(HALL, FAST).play(knight="dash 12,1").play(knight="dash 4,-1")
    assert told_ways(table, "dash") == [("knight", [*([east, 0] for east in range(1, 16)), [16, 1]])]


def test_it_may_end_where_the_first_part_says_and_an_illegal_answer_ends_it_there(plainly: None) -> None:
    table = on_map(HALL, FAST).play(knight="dash 12,1").play(knight="pass")
    assert at(table, "knight") == (12, 2)
    env: Any = heart_rush_v0.parallel_env(
        scenario={
            "name": "hall",
            "fighter": [
                {**PLAIN, "id": "knight", "team": "blue", "at": [0, 1], "speed": 80},
                {**PLAIN, "id": "rogue", "team": "red", "at": [31, 0]},
            ],
            "battlefield": {"map": ["." * 32] * 3},
        }
    ).unwrapped
    env.reset(seed=1)
    names = env.get_action_meanings()
    for choice in ("dash 12,1", "sidestep e"):
        infos = env.step({"knight_0": names.index(choice), "rogue_0": 0})[4]
    assert infos["knight_0"]["illegal"]
    assert [event["path"][-1] for event in env.events if event["type"] == "move"] == [[12, 2]]


@pytest.mark.heading("Dash", "Opportunity Attacks")
def test_a_far_dash_draws_opportunity_attacks_on_its_way(plainly: None) -> None:
    """The corridor leads past the rogue, whose reach ends between 15,0 and 16,0."""
    rows = "K" + "." * 19 + "\n" + "#" * 14 + "R" + "#" * 5
    table = on_map(rows, {"knight": {"speed": 80}, "rogue": {}})
    table.play(knight="dash 12,0").play(knight="dash 4,0")
    assert (table.window, at(table, "knight")) == ("opportunity", (14, 0))  # it has gone five feet within the reach
    table.pass_to("action")
    assert at(table, "knight") == (16, 0)


def test_a_square_behind_a_fighter_is_named_only_from_where_the_dash_might_end(plainly: None) -> None:
    """An ally on the thirteenth square of a corridor is passed at a cost of two squares."""
    fighters = {"knight": {"speed": 80}, "rogue": {"at": [19, 0]}, "monk": {"team": "blue", "at": [13, 0]}}
    table = on_map("K" + "." * 19, fighters)
    assert row(reached(table)) == [*range(1, 13), 14, 15]


def test_a_way_step_by_step_stays_within_twelve_squares(plainly: None) -> None:
    table = on_map("K" + "." * 19, {"knight": {"speed": 80}, "rogue": {"at": [19, 0]}}).play(knight="walk")
    for _ in range(10):  # the first step has no alternative
        table.play(knight="sidestep e")
    assert table.legal("knight") == ["pass", "sidestep e", "sidestep w"]
    table.play(knight="sidestep e")
    assert table.legal("knight") == ["pass", "sidestep w"]
    table.play(knight="pass")
    assert at(table, "knight") == (12, 0)


def test_in_the_classic_edition_it_is_as_long(plainly: None) -> None:
    table = on_map(HALL, {"knight": {"speed": 80}, "rogue": {"at": [31, 0]}}, [4], rules={"edition": "classic"})
    table.play(knight="dash 12,0").play(knight="dash 4,0")
    assert at(table, "knight") == (16, 1)


def test_what_the_first_part_names_is_public_only_once_the_dash_begins(plainly: None) -> None:
    """The rogue sees the position of before, in which it is not asked; the knight sees where it has got to."""
    table = on_map(HALL, FAST)
    features = [name for name in table._fights.game.feature_names]
    was = table._fights.observations[0].copy()
    table.play(knight="dash 12,1")
    seen = table._fights.observations[0]
    assert np.array_equal(seen[1], was[1])
    told = {features[k]: round(float(seen[0, k]) * 12) for k in np.flatnonzero(seen[0] != was[0])}
    assert told == {"walks": 12, "way dx": 12, "way dy": 1, "way left": 4}
    assert all(seen[0][features.index(f"self {name}")] == 1 for name in ("speed", "budget"))  # at most


def test_its_view_and_its_words_name_squares_of_the_map(plainly: None) -> None:
    """A reader of views, a language model for instance, learns where the dash has got to and where it may go on."""
    table = on_map("." * 18 + "\nK" + "." * 17, FAST | {"rogue": {"at": [17, 0]}}).play(knight="dash 12,-1")
    fights = table._fights
    game, seen = fights.game, fights.observations[0, 0]
    view = view_of(game, "knight_0", seen)
    assert view["map"]["way"] == {"to": [12, 0], "left": 4}
    assert (view["self"]["speed"], view["self"]["budget"]) == (12, 12)  # or more
    assert np.array_equal(observation_of(game, "knight_0", view), seen)
    exact = {**view, "self": {**view["self"], "speed": 16, "budget": 16}}  # as another engine may say it
    assert np.array_equal(observation_of(game, "knight_0", exact), seen)
    legal = {action: game.action_names[action] for action in fights.legal(0, 0)}
    words = {offer.name: offer.words for offer in game.words.offers("knight_0", view, legal)}
    assert words["dash 4,0"] == "go on to 16,0" and words["dash 1,1"] == "go on to 13,1"
    assert words["pass"] == "end your dash at 12,0"


def test_the_position_between_the_parts_is_saved_and_restored(plainly: None) -> None:
    table = on_map(HALL, FAST).play(knight="dash 12,1")
    fights = table._fights
    assert fights.faults(0) == []
    table.restore().play(knight="dash 4,-1")
    assert at(table, "knight") == (16, 1)
    table = on_map(HALL, FAST).play(knight="dash 12,1")
    mark = table._fights.snapshot(0)
    mark["position"]["fighters"][0]["detail"] = int(destination(11, 0)) + 1
    with pytest.raises(SnapshotError, match="the way that it is choosing is not one that it may take"):
        table._fights.restore(0, mark)


def test_the_reach_of_the_fastest_on_the_largest_map() -> None:
    """The squares that one choice names are those up to twelve away; the dash itself reaches twice as far."""
    drawn = scene("\n".join(["A" + "." * 31] + ["." * 32] * 31), A={"speed": 24})
    assert len(reach(drawn)) == 13 * 13 - 1


def test_squares_and_their_numbers() -> None:
    places = [(dx, dy) for dy in range(-FASTEST, FASTEST + 1) for dx in range(-FASTEST, FASTEST + 1)]
    numbers = {int(destination(dx, dy)): (dx, dy) for dx, dy in places}
    assert len(numbers) == len(places) and min(numbers) >= 0 and max(numbers) < DESTINATIONS
    assert all(tuple(map(int, steps_to(number))) == place for number, place in numbers.items())
    near = sorted(number for number, place in numbers.items() if max(map(abs, place)) <= NEAR)
    assert near == list(range(NAMED)) and numbers[0] == (-NEAR, -NEAR) and numbers[AROUND] == (-NEAR, 1 - NEAR)


def test_only_two_values_of_the_setting_are_taken() -> None:
    table = {"name": "x", "fighter": [{**PLAIN, "id": "a", "team": "blue"}, {**PLAIN, "id": "b", "team": "red"}]}
    for value in (13, "12", True, 12.0):
        with pytest.raises(RulesError, match=r"top_speed: expected 24 or 12 \(squares\), got"):
            load_scenario({**table, "rules": {"top_speed": value}})
