"""Power Strike: half of a die's faces are enough for Brutal Attacks."""

import pytest

from tests.games.heart_rush.rules.table import Table

pytestmark = pytest.mark.heading("Power Strike")
DEFENSE = (1, 1)
# Of d8, d6 and d8 the five and the eight are above half, as is the five among the three dice that follow.
BURSTING, FURTHER = (5, 3, 8), (2, 5, 1)


@pytest.mark.parametrize("abilities", [["brutal_attacks", "power_strike"], ["power_strike", "brutal_attacks"]])
@pytest.mark.interplay("brutal_attacks", "power_strike")
def test_dice_above_half_of_their_size_add_others(abilities: list[str]) -> None:
    slot = "ab"[abilities.index("power_strike")]
    table = Table({"knight": {"abilities": abilities}, "rogue": {}}, [BURSTING, FURTHER, DEFENSE, BURSTING, 1, DEFENSE])
    table.pass_to("instant").play(knight=f"use {slot}")
    assert table.fighter("knight")["rush"] == 0
    table.engage(knight="might: attack 1", rogue="cunning")
    assert table.rolls() == (16 + 8, 2)
    table.finish_round().engage(knight="might: attack 1", rogue="cunning")
    assert table.rolls() == (16 + 1, 2), "only the eight, in an attack without it"


def test_it_holds_for_one_attack() -> None:
    knight = {"abilities": ["brutal_attacks", "power_strike", "several_attacks"], "rush": 3}
    table = Table({"knight": knight, "rogue": {}}, [BURSTING, FURTHER, DEFENSE, BURSTING, 1, DEFENSE])
    table.pass_to("instant").play(knight="use b")
    assert table.window != "instant", "it is not offered again while it waits"
    table.engage(knight="might: attack 1", rogue="cunning")
    assert [event["attack_roll"] for event in table.events_of("attack")] == [24, 17]


def test_to_answer_in_a_contest_is_not_that_attack() -> None:
    fighters = {"knight": {"abilities": ["brutal_attacks", "power_strike"]}, "rogue": {}}
    table = Table(fighters, [(5, 4, 5), (1, 1, 1)]).pass_to("instant").play(knight="use b")
    table.engage(knight="might", rogue="might: attack 1")
    assert sorted(table.rolls()) == [3, 14]


def test_a_number_that_haphazard_raises_beyond_the_die_is_not_above_half() -> None:
    knight = {"abilities": ["brutal_attacks", "power_strike"], "destiny_talents": ["haphazard"]}
    table = Table({"knight": knight, "rogue": {}}, [(1, 3, 4), DEFENSE]).pass_to("instant").play(knight="use c")
    assert table.engage(knight="might: attack 1", rogue="cunning").rolls() == (12 + 3 + 4, 2)
