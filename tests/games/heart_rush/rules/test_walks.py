"""Dashes whose path is chosen step by step (R-172): the squares that are offered, and what becomes of the path."""

import pytest

from tests.games.heart_rush.rules.map_table import at, on_map, told_ways
from tests.games.heart_rush.rules.table import Fields, Table

pytestmark = pytest.mark.heading("Dash")


def walk(table: Table, name: str, *steps: str) -> Table:
    """Let a fighter walk these steps; it is then asked for the next one, unless its path has ended."""
    table.play(**{name: "walk"})
    for step in steps:
        table.play(**{name: step if step == "pass" else f"sidestep {step}"})
    return table


def offered(table: Table, name: str) -> str:
    """Return the legal answers in short."""
    assert (table.window, table.choosers()) == ("action", {name})
    return " ".join(answer.removeprefix("sidestep ") for answer in table.legal(name))


def test_the_squares_that_a_dash_may_go_to_next_are_offered() -> None:
    """Of two squares, the ally's takes both and allows no stop; a wall is in the way, and the start is no end."""
    table = on_map("KA..\n.#..\n...R", {"knight": {"speed": 10}, "rogue": {}, "ally": {"team": "blue"}})
    assert offered(walk(table, "knight"), "knight") == "e s"
    assert offered(table.play(knight="sidestep s"), "knight") == "pass n se s"
    table.play(knight="sidestep se")  # the last square, so it is not asked again
    assert (table.window, told_ways(table, "dash")) == ("action", [("knight", [[0, 1], [1, 2]])])
    assert not table.fighter("knight")["dash"] and table.fighter("knight")["action"]


def test_a_way_may_lead_back_over_its_start_but_not_end_there() -> None:
    table = on_map("K...\n####\n...R", {"knight": {"speed": 15}, "rogue": {}})
    assert offered(walk(table, "knight"), "knight") == "pass e w"  # the step to the east is the only one
    table.play(knight="sidestep w")  # where it may not stay, and the last step is the only one again
    assert told_ways(table, "dash") == [("knight", [[1, 0], [0, 0], [1, 0]])]


def test_it_may_end_wherever_it_may_stay_but_where_it_began() -> None:
    table = on_map(".K..\n####\n...R", {"knight": {"speed": 15}, "rogue": {}})
    assert offered(walk(table, "knight", "w"), "knight") == "pass e"
    assert offered(table.play(knight="sidestep e"), "knight") == "e w"
    table.play(knight="sidestep e")
    assert told_ways(table, "dash") == [("knight", [[0, 0], [1, 0], [2, 0]])]


def test_a_dead_end_is_cut_back_to_where_it_may_stay() -> None:
    """The knight is among its allies, with no square left."""
    table = on_map("KA..\n.#..\n...R", {"knight": {"speed": 15}, "rogue": {}, "ally": {"team": "blue"}})
    walk(table, "knight", "s", "ne")
    assert (told_ways(table, "dash"), at(table, "knight")) == ([("knight", [[0, 1]])], (0, 1))


def test_a_way_without_a_square_to_stay_in_is_a_pass() -> None:
    table = on_map("KA..\n.#..\n...R", {"knight": {"speed": 10}, "rogue": {}, "ally": {"team": "blue"}})
    walk(table, "knight", "e")
    assert (table.window, at(table, "knight"), table.events_of("declare")) == ("stance", (0, 0), [])


def test_an_answer_that_is_not_legal_ends_the_way() -> None:
    steps: list[str]
    for steps, ways in ((["s"], [("knight", [[0, 1]])]), ([], [])):
        table = walk(on_map("K..\n...\n..R", {"knight": {}, "rogue": {}}), "knight", *steps)
        table._fights.step(table._fights.actions * 0 + table._actions.index("dash 1,0"))
        table._look()
        assert told_ways(table, "dash") == ways


def test_steps_cost_what_they_cost_in_dashes() -> None:
    """Three squares pay for a difficult and a plain one, not for two difficult ones; the first is always affordable."""
    table = on_map("K,,.\n####\n...R", {"knight": {"speed": 15}, "rogue": {}})
    assert offered(walk(table, "knight"), "knight") == "pass w"  # the only step first
    table = on_map("K,..\n####\n...R", {"knight": {"speed": 15}, "rogue": {}})
    assert offered(walk(table, "knight"), "knight") == "pass e w"
    table = walk(on_map("K,..\n####\n...R", {"knight": {"speed": 5}, "rogue": {}}), "knight")
    assert told_ways(table, "dash") == [("knight", [[1, 0]])]


def test_closed_doors_and_cut_corners_are_no_ways() -> None:
    table = on_map("K+.\n.#.\n..R", {"knight": {}, "rogue": {}})
    assert offered(walk(table, "knight"), "knight") == "pass n se s"
    table = on_map("K/.\n.#.\n..R", {"knight": {}, "rogue": {}})
    assert offered(walk(table, "knight"), "knight") == "e s"
    table = on_map("K#.\n+..\n.R.", {"knight": {}, "rogue": {}})
    assert "walk" not in table.legal("knight")  # between two walls there is no way at all


def test_enemies_are_in_the_way() -> None:
    table = on_map("K..\n.R.\n...", {"knight": {}, "rogue": {}})
    assert offered(walk(table, "knight"), "knight") == "e s"


@pytest.mark.heading("Frightened")
def test_nobody_walks_nearer_to_what_it_fears() -> None:
    """The knight is two squares from what it fears; to the south-east it would be one square away."""
    scared: Fields = {"conditions": {"frightened": {"source": "rogue"}}}
    table = on_map("K...\n....\n..R.", {"knight": scared, "rogue": {}})
    assert offered(walk(table, "knight"), "knight") == "e s"


@pytest.mark.heading("Drops")
def test_a_climb_out_of_a_drop_is_a_whole_walk() -> None:
    table = on_map("K...\n#v..\n...R", {"knight": {}, "rogue": {}})
    knight = table._fights.records[0].fighters[0]
    knight.x = knight.y = 1
    assert offered(walk(table.restore(), "knight"), "knight") == "n ne e se s sw nw"
    table.play(knight="sidestep e")
    assert told_ways(table, "dash") == [("knight", [[2, 1]])]


@pytest.mark.heading("Opportunity Attacks")
def test_the_chosen_way_draws_the_attacks_that_it_deserves() -> None:
    """The path by the rules keeps two squares away; the knight's own path leaves the rogue's reach."""
    table = on_map("K....\n.....\n..R..", {"knight": {"speed": 10}, "rogue": {}})
    table.play(knight="dash 2,0")
    assert (table.window, at(table, "knight")) == ("action", (2, 0))
    table = on_map("K....\n.....\n..R..", {"knight": {"speed": 10}, "rogue": {}}, [(4, 3, 5), (1, 1)])
    walk(table, "knight", "se", "ne")
    assert (table.window, table.choosers(), at(table, "knight")) == ("opportunity", {"rogue"}, (1, 1))
    table.play(rogue="opportunity 1 might").play()
    assert (table.hp("knight"), at(table, "knight")) == (30, (2, 0))


def test_what_is_left_of_the_way_is_walked() -> None:
    """The quicker squire takes the last square of the knight's path."""
    fighters: Fields = {"knight": {"speed": 10}, "rogue": {}, "squire": {"team": "blue", "agility": 12}}
    table = on_map("K..S\n....\n...R", fighters)
    table.play(knight="walk", squire="dash -1,0").play(knight="sidestep e").play(knight="sidestep e")
    assert told_ways(table, "dash") == [("squire", [[2, 0]]), ("knight", [[1, 0]])]


def test_a_walk_into_a_way_that_is_barred_by_then_fizzles() -> None:
    """The quicker rogue bars the only path, so the walk costs nothing; the next dash forgets its path."""
    table = on_map("K...\n###R\n....", {"knight": {}, "rogue": {"agility": 12}})
    table.play(knight="walk", rogue="dash -2,-1")
    assert offered(table, "knight") == "pass e w"
    table.play(knight="sidestep e").play(knight="pass")
    assert [event["fighter"] for event in table.events_of("fizzle")] == ["knight"]
    assert table.fighter("knight")["dash"] and at(table, "knight") == (0, 0)


def test_the_way_is_kept_while_others_answer_in_inner_windows() -> None:
    """The quicker squire's dash opens a window in which the knight passes; then the knight walks its chosen path."""
    fighters: Fields = {"knight": {"speed": 10}, "rogue": {}, "squire": {"team": "blue", "agility": 12}}
    table = on_map("K.....\n......\n....SR\n......", fighters)
    table.play(knight="walk", squire="dash -2,0")
    table.play(knight="sidestep s").play(knight="sidestep ne")
    assert (table.window, table.choosers()) == ("opportunity", {"rogue"})
    table.restore().play()
    assert told_ways(table, "dash")[1:] == [("knight", [[0, 1], [1, 0]])]
