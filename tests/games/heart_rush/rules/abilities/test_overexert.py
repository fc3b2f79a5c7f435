"""Overexert: rush points at the expense of the heart die."""

import pytest

from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import Table

pytestmark = pytest.mark.heading("Overexert")


@pytest.mark.parametrize(("field", "rush", "heart"), [("talents", 2, 8), ("destiny_talents", 3, 6)])
def test_points_come_now_and_the_heart_die_falls_as_the_round_ends(field: str, rush: int, heart: int) -> None:
    table = Table({"knight": {field: ["overexert"], "heart": 10, "rush": 0}, "rogue": {}}).play(knight="use a")
    assert (table.fighter("knight")["rush"], table.heart("knight"), table.last("rush")["left"]) == (rush, 10, rush)
    assert "use a" not in table.legal("knight")
    table.finish_round()
    assert (table.heart("knight"), table.status("knight")) == (heart, "standing")
    table.finish_round()
    assert table.heart("knight") == heart
    assert "use a" in table.legal("knight")


@pytest.mark.parametrize(("field", "heart"), [("talents", 4), ("destiny_talents", 6), ("destiny_talents", 4)])
def test_a_fighter_whose_die_cannot_fall_passes_out(field: str, heart: int) -> None:
    table = Table({"knight": {field: ["overexert"], "heart": heart}, "rogue": {}}).play(knight="use a")
    table.engage(knight="defensive", rogue="defensive").pass_to("over")
    assert (table.status("knight"), table.heart("knight"), table.hp("knight")) == ("unconscious", 4, 40)


def test_unused_it_costs_nothing() -> None:
    table = Table({"knight": {"talents": ["overexert"], "heart": 4}, "rogue": {}}).finish_round()
    assert (table.status("knight"), table.heart("knight")) == ("standing", 4)


def test_the_heart_die_falls_before_the_damage_of_the_round_end_lands() -> None:
    # A d6 falls to d4, with which nothing is shrugged off: burning costs 5 hit points.
    burning = {"talents": ["overexert"], "heart": 6, "conditions": {"burning": 1}}
    table = Table({"knight": burning, "rogue": {}}, dice=[5]).play(knight="use a").finish_round()
    assert (table.heart("knight"), table.hp("knight")) == (4, 35)


def test_healing_does_not_wake_a_fighter_that_has_passed_out() -> None:
    # The knight marks the rogue, passes out and is healed 3 when the squire wounds the rogue.
    knight = {"talents": ["overexert", "vampiric_mark"], "heart": 4, "hp_now": 30}
    fighters = {"knight": knight, "rogue": {"wound_threshold": 1}, "squire": {"team": "blue"}}
    table = Table(fighters, dice=[(8, 6, 8), (1, 1)]).play(knight="use a").play(knight="use_at 1 b")
    table.finish_round().engage(rogue="cunning", squire="might: attack 1").pass_to("shrug")
    table.play(rogue="take")
    assert (table.hp("knight"), table.status("knight")) == (33, "unconscious")


@pytest.mark.heading("Burst of Speed", "Threatening Presence")
def test_what_comes_later_as_the_round_ends_does_not_act_for_one_that_has_passed_out() -> None:
    knight = {"talents": ["overexert", "burst_of_speed", "threatening_presence"], "heart": 4}
    table = on_map("K.R\n...\n..S", {"knight": knight, "rogue": {}, "squire": {"team": "blue"}})
    table.play(knight="use a").play(knight="dash 1,0").play(knight="use b").finish_round()
    assert (table.status("knight"), table.conditions("knight"), table.conditions("rogue")) == ("unconscious", {}, {})
