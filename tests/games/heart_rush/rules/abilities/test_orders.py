"""The Bandit Captain: Orders, by which an ally sidesteps."""

import pytest

from tests.games.heart_rush.rules.map_table import at, on_map, told_ways
from tests.games.heart_rush.rules.table import Table

pytestmark = pytest.mark.heading("Orders")
CAPTAIN = {"abilities": ["bandit_captain.orders"]}
GROUND = """
........
.C.P....
.....R..
........
"""


def ordered(ground: str = GROUND, page: dict[str, object] | None = None, **more: dict[str, object]) -> Table:
    """Return a table at which the captain orders the page to step."""
    fighters = {"captain": CAPTAIN, "page": {"team": "blue", **(page or {})}, "rogue": {"team": "red"}, **more}
    table = on_map(ground, fighters).play(captain="use_for 1 a")
    return table


@pytest.mark.heading("Using Abilities")
def test_the_ally_is_asked_where_it_steps() -> None:
    table = ordered()
    assert (table.window, table.choosers()) == ("pick", {"page"})
    assert table.legal("page") == [f"sidestep {way}" for way in ("n", "ne", "e", "se", "s", "sw", "w", "nw")]
    table.play(page="sidestep se")
    assert (at(table, "page"), told_ways(table, "sidestep")) == ((4, 2), [("page", [[4, 2]])])
    assert table.last("pick") == {
        "type": "pick", "fighter": "page", "ability": "bandit_captain.orders", "part": 0, "answer": "se",
        "by": "captain",
    }  # fmt: skip
    assert table.window == "action"


def test_the_step_costs_nobody_anything_and_makes_no_opening() -> None:
    table = ordered("......\n.C.PR.\n......")
    before = {name: table.fighter(name) for name in ("captain", "page")}
    table.play(page="sidestep w")
    assert table.window == "action"
    for name, was in before.items():
        now = table.fighter(name)
        assert [now[key] for key in ("rush", "action", "dash")] == [was[key] for key in ("rush", "action", "dash")]


def test_it_is_given_once_a_round_and_in_the_action_phase() -> None:
    table = ordered()
    table.play(page="sidestep n")
    assert "use_for 1 a" not in table.legal("captain")
    table.finish_round()
    assert "use_for 1 a" in table.legal("captain")
    table.engage(captain="might", page="might", rogue="might")
    assert table.window != "instant"


@pytest.mark.parametrize(
    ("ground", "page", "may"),
    [
        ("C.....P\nR......", {}, True),  # six squares are 30 feet
        ("C......P\nR.......", {}, False),
        ("C.#.P\nR.#..", {}, False),  # out of sight
        ("P#.C\n##.R", {}, False),  # without room
        ("C...P\nR....", {"conditions": {"stunned": 1}}, False),
        ("C...P\nR....", {"conditions": {"incapacitated": 1}}, False),
    ],
)
def test_it_needs_an_ally_in_sight_and_in_range_that_can_step(ground: str, page: dict[str, object], may: bool) -> None:
    fighters = {"captain": CAPTAIN, "page": {"team": "blue", **page}, "rogue": {"team": "red"}}
    assert ("use_for 1 a" in on_map(ground, fighters).legal("captain")) is may


@pytest.mark.heading("Sidestep")
def test_an_ally_with_one_square_steps_without_being_asked() -> None:
    table = ordered("PC..\n.###\n...R")
    assert (table.window, at(table, "page")) == ("action", (0, 1))


def test_a_step_past_an_enemy_may_be_tripped() -> None:
    table = ordered("C.P.\n....\n..R.", {"conditions": {"off_balanced": 1}})
    table.play(page="sidestep s")
    assert (table.window, table.choosers()) == ("opportunity", {"rogue"})
    table.play(rogue="trip 2")
    assert (table.conditions("page")["prone"], at(table, "page"), table.window) == (1, (2, 1), "action")


def test_a_confused_ally_has_moved_by_its_step() -> None:
    fighters = {"captain": CAPTAIN, "page": {"team": "blue", "conditions": {"confused": 1}}, "rogue": {"team": "red"}}
    table = on_map("CP..\n....\n...R", fighters)
    assert "help 1" in table.legal("page")
    table.play(captain="use_for 1 a").play(page="sidestep s")
    assert at(table, "page") == (1, 1)
    assert "help 1" not in table.legal("page"), "it may not spend its action any more"


def test_two_captains_order_one_after_the_other_and_the_second_ally_sees_the_first_step() -> None:
    fighters = {
        "captain": {**CAPTAIN, "agility": 12}, "duke": {**CAPTAIN, "team": "blue"},
        "page": {"team": "blue"}, "squire": {"team": "blue"},
        "rogue": {"team": "red"},
    }  # fmt: skip
    table = on_map("C.P.\nD.S.\n....\nR...", fighters).play(captain="use_for 2 a", duke="use_for 3 a")
    assert table.choosers() == {"page"}
    table.play(page="sidestep e")
    assert table.choosers() == {"squire"}
    assert "sidestep ne" not in table.legal("squire"), "the page is there"
    table.play(squire="sidestep n")
    assert (at(table, "page"), at(table, "squire")) == ((3, 0), (2, 0))
