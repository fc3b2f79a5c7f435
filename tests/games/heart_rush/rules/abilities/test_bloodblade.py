"""Bloodblade: hit points paid for a die."""

import pytest

from tests.games.heart_rush.rules.table import Table

pytestmark = pytest.mark.heading("Bloodblade")


@pytest.mark.parametrize(("field", "cost", "sides"), [("talents", 4, 8), ("destiny_talents", 6, 12)])
def test_hit_points_buy_a_die(field: str, cost: int, sides: int) -> None:
    table = Table({"knight": {field: ["bloodblade"]}, "rogue": {}}, [(1, 2, 3), 7, (1, 1)]).play(knight="use a")
    assert table.hp("knight") == 40 - cost
    table.engage(knight="might: attack 1", rogue="cunning")
    assert (table.last("attack")["attack_pool"][3:], table.rolls()) == ([["bonus", sides, 7]], (13, 2))


@pytest.mark.parametrize(
    ("field", "hp", "offered"),
    [("talents", 4, False), ("talents", 5, True), ("destiny_talents", 6, False), ("destiny_talents", 7, True)],
)
def test_nobody_pays_with_its_last_hit_point(field: str, hp: int, offered: bool) -> None:
    table = Table({"knight": {field: ["bloodblade"], "hp_now": hp}, "rogue": {}})
    assert ("use a" in table.legal("knight")) == offered


def test_it_holds_for_one_attack_of_the_round() -> None:
    table = Table({"knight": {"talents": ["bloodblade"]}, "rogue": {}}, [(1, 2, 3), 7, (1, 1), (1, 2, 3), (1, 1)])
    table.play(knight="use a")
    assert "use a" not in table.legal("knight")
    for _ in range(2):
        table.engage(knight="might: attack 1", rogue="cunning").finish_round()
    assert [event["attack_roll"] for event in table.events_of("attack")] == [13, 6]


def test_an_opportunity_attack_spends_it() -> None:
    prone = {"conditions": {"prone": 1}}
    dice = [(1, 2, 3), 7, (1, 1, 1), (1, 2, 3), (1, 1)]
    table = Table({"knight": {"talents": ["bloodblade"]}, "rogue": prone}, dice, {"options_on_rolls": True})
    table.play(knight="use a").play(rogue="stand").play(knight="opportunity 1 might")
    assert table.last("attack")["attack_roll"] == 13
    table.engage(knight="might", rogue="cunning").play()  # it may pay once more
    table.play(knight="attack 1")
    assert table.last("attack")["attack_roll"] == 6
