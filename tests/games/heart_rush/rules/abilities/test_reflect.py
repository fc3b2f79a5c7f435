"""Reflect: the next damage hurts an enemy, too."""

import pytest

from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import Table

pytestmark = pytest.mark.heading("Reflect")


def struck(field: str, damage: int, choice: str = "use_at 1 a") -> Table:
    """Let the rogue hit the knight, which answers before the damage lands; the fox is not involved."""
    table = Table({"knight": {field: ["reflect"]}, "rogue": {"heart": 12}, "fox": {}}, [(damage, 1, 1), (1, 1)])
    table.engage(knight="might", rogue="agility: attack 1", fox="defensive")
    assert table.window == "instant"
    table.play(knight=choice)
    return table


@pytest.mark.heading("Taking Damage")
@pytest.mark.parametrize(("field", "returned"), [("talents", 4), ("destiny_talents", 9)])
@pytest.mark.parametrize(("choice", "other"), [("use_at 1 a", "rogue"), ("use_at 2 a", "fox")])
def test_half_of_the_damage_or_all_of_it_comes_back(field: str, returned: int, choice: str, other: str) -> None:
    table = struck(field, 9, choice)
    table.finish_round()
    assert (table.hp("knight"), table.hp(other)) == (31, 40 - returned)
    assert table.last("damage") == {
        "type": "damage", "fighter": other, "by": "knight", "cause": "ability", "amount": returned, "hp": 40 - returned,
    }  # fmt: skip


def test_what_is_shrugged_off_does_not_come_back() -> None:
    table = struck("destiny_talents", 9)
    table.pass_to("shrug").play(knight="shrug").finish_round()
    assert (table.hp("knight"), table.hp("rogue")) == (35, 35)


def test_only_the_next_damage_comes_back_once_a_day() -> None:
    fighters = {"knight": {"talents": ["reflect"]}, "rogue": {"agility": 8}, "fox": {}}
    blow = [(8, 1, 1), (1, 1)]
    table = Table(fighters, [*blow, *blow, *blow])
    table.engage(knight="might", rogue="agility: attack 1", fox="agility: attack 1")
    table.play(knight="use_at 2 a").finish_round()
    assert (table.hp("knight"), table.hp("rogue"), table.hp("fox")) == (24, 40, 36)
    table.engage(knight="might", rogue="agility: attack 1", fox="defensive")
    assert table.window == "shrug"


def test_without_damage_there_is_nothing_to_reflect() -> None:
    table = Table({"knight": {"talents": ["reflect"]}, "rogue": {}}, [(1, 1, 1), (8, 6)])
    table.engage(knight="might", rogue="agility: attack 1")
    assert table.window != "instant"


def test_it_reaches_thirty_feet() -> None:
    fighters = {"knight": {"talents": ["reflect"]}, "rogue": {}, "fox": {}, "elf": {}}
    table = on_map("RK.....FE", fighters, [(8, 1, 1), (1, 1)])  # fox and elf are 6 and 7 squares away
    table.engage(knight="might", rogue="agility: attack 1", fox="defensive", elf="defensive").pass_to("instant")
    assert {choice for choice in table.legal("knight") if choice != "pass"} == {"use_at 1 a", "use_at 2 a"}


@pytest.mark.heading("Zero Hit points")
@pytest.mark.interplay("iron_constitution", "reflect")
def test_an_enemy_that_is_already_out_dies_at_the_negative_of_its_maximum() -> None:
    """The first hit deals 0, so Reflect waits; meanwhile, the fox goes out at -1 of 4 hit points."""
    fighters = {
        "knight": {"talents": ["reflect", "iron_constitution"]}, "rogue": {"heart": 12},
        "fox": {"team": "gold", "hp": 4}, "page": {"team": "green"},
    }  # fmt: skip
    table = Table(fighters, [(1, 3, 1), (1, 1), (4, 2, 1), (1, 1), (10, 1, 1), (1, 1)], victory="first_down")
    table.engage(knight="might", rogue="agility: attack 1", fox="cunning", page="might")
    table.play(knight="use_at 2 a").pass_to("attack", "might")
    assert table.hp("knight") == 40
    table.play(page="attack 3").finish_round()
    assert (table.hp("fox"), table.fighter("fox")["status"]) == (-1, "defeated")
    table.engage(knight="might", rogue="agility: attack 1", page="might").finish_round()
    assert (table.hp("knight"), table.hp("fox"), table.fighter("fox")["status"]) == (30, -6, "dead")  # 10 // 2 = 5
