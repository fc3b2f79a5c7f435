"""Vampiric Mark: wounds of the marked enemy heal the owner."""

from typing import Any

import pytest

from tests.games.heart_rush.rules.table import Fields, Table


def marked(owner: Fields, damage: int, hp_now: int = 20) -> Table:
    """Let the knight mark the rogue and hit it for this damage, 14 or less."""
    table = Table({"knight": {**owner, "hp_now": hp_now}, "rogue": {}}, [damage - 2, 1, 3, 1, 1])
    table.play(knight="use_at 1 a").engage(knight="might: attack 1", rogue="cunning").play()
    return table


@pytest.mark.heading("Vampiric Mark")
@pytest.mark.parametrize(("field", "healed"), [("talents", 3), ("destiny_talents", 5)])
def test_a_wound_heals_its_owner(field: str, healed: int) -> None:
    table = marked({field: ["vampiric_mark"], "heart": 12}, damage=10)
    healing = {"type": "heal", "fighter": "knight", "by": "knight", "amount": healed, "hp": 20 + healed}
    assert (table.hp("rogue"), table.last("heal")) == (30, healing)


@pytest.mark.heading("Vampiric Mark")
def test_damage_that_does_not_wound_heals_nobody() -> None:
    table = marked({"talents": ["vampiric_mark"], "heart": 12}, damage=9)
    assert (table.hp("rogue"), table.hp("knight")) == (31, 20)


@pytest.mark.heading("Vampiric Mark", "Wounds")
@pytest.mark.parametrize(
    ("wounds", "hp_now", "hp"),
    [([], 38, 40), ([12], 20, 23), ([12], 26, 28), ([12], 28, 28)],  # 40 hit points less 12 are 28
)
def test_healing_ends_at_the_maximum_less_the_wounds(wounds: list[int], hp_now: int, hp: int) -> None:
    knight = {"talents": ["vampiric_mark"], "heart": 12, "wounds": wounds}
    assert marked(knight, damage=10, hp_now=hp_now).hp("knight") == hp


@pytest.mark.heading("Vampiric Mark")
def test_it_is_used_once_a_fight() -> None:
    table = Table({"knight": {"talents": ["vampiric_mark"]}, "rogue": {}}).play(knight="use_at 1 a")
    assert "use_at 1 a" not in table.legal("knight")


def felled(**scenario: Any) -> Table:
    """Let the marked rogue take the knight's last hit points in the cunning phase, and the squire wound the rogue."""
    knight = {"talents": ["vampiric_mark"], "hp_now": 2}
    dice = [(3, 1, 1), (1, 1), (8, 3, 3), (2, 1)]  # 5 - 2 = 3 of 2 hit points; 14 - 3 = 11, which is a wound
    table = Table({"knight": knight, "rogue": {}, "squire": {"team": "blue"}}, dice, **scenario)
    table.play(knight="use_at 1 a").engage(knight="agility", rogue="cunning: attack 1", squire="might")
    table.play()
    if table.window == "yield":
        table.play(knight="yield")
    assert (table.hp("knight"), table.phase) == (-1, "might")
    table.play(squire="attack 1").play()
    assert table.hp("rogue") == 40 - 11
    return table


@pytest.mark.heading("Zero Hit points")
def test_who_is_unconscious_wakes_above_zero() -> None:
    table = felled(heroes=["blue"])
    assert (table.hp("knight"), table.status("knight")) == (2, "standing")


@pytest.mark.heading("Wounds")
def test_who_is_out_of_the_fight_is_not_healed() -> None:
    table = felled()
    assert (table.hp("knight"), table.status("knight")) == (-1, "defeated")
