"""Vampiric Mark: wounds of the marked enemy heal the owner."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.heart_rush.rules.table import Table

HEADING = "Talents > Vampiric Mark"
WOUNDS = "Combat > Taking Damage > Wounds"


def marked(owner: dict[str, Any], damage: int, hp_now: int = 20) -> Table:
    """The knight marks the rogue and hits it for this damage: 14 or less."""
    table = Table({"knight": {**owner, "hp_now": hp_now}, "rogue": {}}, [damage - 2, 1, 3, 1, 1])
    table.play(knight="use_at 1 a")
    table.engage(knight="might", rogue="cunning")
    table.pass_to("attack", "might")
    table.play(knight="attack 1")
    table.play()
    return table


@pytest.mark.heading(HEADING)
@pytest.mark.parametrize(("field", "healed"), [("talents", 3), ("destiny_talents", 5)])
def test_a_wound_heals_its_owner(field: str, healed: int) -> None:
    table = marked({field: ["vampiric_mark"], "heart": 12}, damage=10)
    assert table.hp("rogue") == 30
    assert table.last("heal") == {
        "type": "heal",
        "fighter": "knight",
        "by": "knight",
        "amount": healed,
        "hp": 20 + healed,
    }


@pytest.mark.heading(HEADING)
def test_damage_that_does_not_wound_heals_nobody() -> None:
    table = marked({"talents": ["vampiric_mark"], "heart": 12}, damage=9)
    assert (table.hp("rogue"), table.hp("knight")) == (31, 20)


@pytest.mark.heading(HEADING, WOUNDS)
@pytest.mark.parametrize(
    ("wounds", "hp_now", "hp"),
    [([], 38, 40), ([12], 20, 23), ([12], 26, 28), ([12], 28, 28)],  # 40 hit points less 12 are 28
)
def test_healing_ends_at_the_maximum_less_the_wounds(wounds: list[int], hp_now: int, hp: int) -> None:
    knight = {"talents": ["vampiric_mark"], "heart": 12, "wounds": wounds}
    assert marked(knight, damage=10, hp_now=hp_now).hp("knight") == hp


@pytest.mark.heading(HEADING)
def test_it_is_used_once_a_fight() -> None:
    table = Table({"knight": {"talents": ["vampiric_mark"]}, "rogue": {}})
    table.play(knight="use_at 1 a")
    assert "use_at 1 a" not in table.legal("knight")


def felled(**scenario: Any) -> Table:
    """The marked rogue takes the knight's last hit points in the cunning phase, and the squire wounds the rogue."""
    knight = {"talents": ["vampiric_mark"], "hp_now": 2}
    dice = [(3, 1, 1), (1, 1), (8, 3, 3), (2, 1)]  # 5 - 2 = 3 of 2 hit points; 14 - 3 = 11, which is a wound
    table = Table({"knight": knight, "rogue": {}, "squire": {"team": "blue"}}, dice, **scenario)
    table.play(knight="use_at 1 a")
    table.engage(knight="agility", rogue="cunning", squire="might")
    table.play(rogue="attack 1")
    table.play()
    if table.window == "yield":
        table.play(knight="yield")
    assert (table.hp("knight"), table.phase) == (-1, "might")
    table.play(squire="attack 1")
    table.play()
    assert table.hp("rogue") == 40 - 11
    return table


@pytest.mark.heading("Combat > Taking Damage > Zero Hit points")
def test_who_is_unconscious_wakes_above_zero() -> None:
    table = felled(heroes=["blue"])
    assert (table.hp("knight"), table.status("knight")) == (2, "standing")


@pytest.mark.heading(WOUNDS)
def test_who_is_out_of_the_fight_is_not_healed() -> None:
    table = felled()
    assert (table.hp("knight"), table.status("knight")) == (-1, "defeated")
