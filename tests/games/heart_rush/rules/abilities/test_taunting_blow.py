"""Taunting Blow: an attack in cunning enrages its target."""

import pytest

from tests.games.heart_rush.rules.table import Dice, Fields, Table

pytestmark = pytest.mark.heading("Taunting Blow")


def taunted(dice: Dice, choice: str = "attack 1", field: str = "talents", **knight: Fields) -> Table:
    """Return a table at which the knight taunts the rogue with its attack in cunning."""
    owner = {field: ["taunting_blow", *knight.pop("talents", [])], **knight}
    table = Table({"knight": owner, "rogue": {}, "page": {"team": "blue"}}, dice)
    table.engage(knight="cunning", rogue="agility")
    assert table.window == "instant"
    return table.play(knight="use_at 1 a").pass_to("attack", "cunning").play(knight=choice).finish_round()


def rage(table: Table) -> list[int]:
    """Return the levels of enraged that the rogue had."""
    return table.history("rogue", "enraged")


def test_it_enrages_in_place_of_two_levels() -> None:
    table = taunted([(5, 3, 8), (4, 3)], "attack 1 dazed+weakened")
    assert (rage(table), table.hp("rogue")) == ([1], 31)
    assert table.history("rogue", "dazed") == table.history("rogue", "weakened") == []
    assert table.fighter("rogue")["sources"] == {"enraged": "knight"}


def test_in_the_destiny_version_it_enrages_more_in_place_of_damage_and_the_levels_stay() -> None:
    table = taunted([(5, 3, 8), (4, 3)], "attack 1 dazed+weakened", "destiny_talents")
    assert (rage(table), table.hp("rogue")) == ([3], 40)
    assert (table.history("rogue", "dazed")[0], table.history("rogue", "weakened")[0]) == (1, 1)


@pytest.mark.interplay("cunning", "taunting_blow")
def test_of_the_four_levels_of_cunning_two_stay() -> None:
    table = taunted([(5, 3, 8), (4, 3)], "attack 1 dazed+weakened", talents=["cunning"])
    assert (rage(table), table.history("rogue", "dazed"), table.history("rogue", "weakened")[0]) == ([1], [], 2)


@pytest.mark.parametrize(
    ("stances", "offered"),
    [({"knight": "cunning", "rogue": "defensive"}, False), ({"knight": "might", "rogue": "cunning"}, False)],
)
def test_it_takes_cunning_against_agility(stances: dict[str, str], offered: bool) -> None:
    table = Table({"knight": {"talents": ["taunting_blow"]}, "rogue": {}}).engage(**stances)
    assert (table.window == "instant") is offered


def test_an_attack_on_another_target_enrages_nobody() -> None:
    table = Table({"knight": {"talents": ["taunting_blow"]}, "rogue": {}, "fox": {}}, [(5, 3, 8), (4, 3)])
    table.engage(knight="cunning", rogue="agility", fox="agility").play(knight="use_at 1 a")
    assert table.window == "attack", "one taunt a round"
    table.play(knight="attack 2 dazed+dazed").finish_round()
    assert (rage(table), table.history("fox", "dazed")[0]) == ([], 2)
