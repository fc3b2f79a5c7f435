"""Veteran: one more use of a mastery."""

import pytest

from tests.games.heart_rush.rules.table import Fields, Table

pytestmark = pytest.mark.heading("Veteran")


def veteran(*masteries: str, **fields: object) -> Fields:
    """Return a fighter that owns these masteries, and Veteran in the slot after them."""
    return {"abilities": [*masteries, "veteran"], "rush": 6, **fields}


@pytest.mark.interplay("battle_spirited", "veteran")
def test_it_gives_a_spent_mastery_one_more_use_once() -> None:
    table = Table({"knight": veteran("battle_spirited"), "rogue": {}})
    assert "use b" not in table.legal("knight"), "its mastery is not spent yet"
    table.play(knight="use a").play(knight="pick 1").play(knight="pick 1")
    assert "use a" not in table.legal("knight")
    table.play(knight="use b")
    assert "use a" in table.legal("knight") and "use b" not in table.legal("knight")
    table.play(knight="use a").play(knight="pick 1").play(knight="pick 1")
    assert "use a" not in table.legal("knight") and "use b" not in table.legal("knight")


def test_its_owner_names_one_of_two_spent_masteries() -> None:
    table = Table({"knight": veteran("battle_spirited", "rallying_cry"), "rogue": {}})
    table.play(knight="use a").play(knight="pick 1").play(knight="pick 1")
    table.play(knight="use b").play(knight="pick 1").pass_to("pick").play(knight="pick 2")
    table.play(knight="use c")
    assert table.legal("knight") == ["pick 0", "pick 1"]
    table.play(knight="pick 1")
    assert ("use a" in table.legal("knight"), "use b" in table.legal("knight")) == (False, True)


def test_a_player_that_names_none_gets_the_first() -> None:
    table = Table({"knight": veteran("battle_spirited", "rallying_cry"), "rogue": {}})
    table.play(knight="use a").play(knight="pick 1").play(knight="pick 1")
    table.play(knight="use b").play(knight="pick 1").pass_to("pick").play(knight="pick 2")
    table.play(knight="use c").play()
    assert ("use a" in table.legal("knight"), "use b" in table.legal("knight")) == (True, False)


def test_the_bank_of_eternal_fortitude_adds_up() -> None:
    owner = veteran("eternal_fortitude")
    table = Table({"knight": owner, "rogue": {}}, [(8, 6, 8), (1, 1, *[6] * 6)])
    table.play(knight="use a").play(knight="pick 1").pass_to("action")
    table.play(knight="use b").pass_to("action").play(knight="use a").play(knight="pick 2")
    table.engage(knight="cunning", rogue="might: attack 1")
    assert table.legal("knight") == [f"pick {dice}" for dice in range(7)], "two dice for each of three points"
    table.play(knight="pick 6")
    assert table.rolls() == (22, 2 + 36)


def test_minor_and_other_major_abilities_are_no_masteries() -> None:
    table = Table({"knight": {"talents": ["rejuvenate"], "abilities": ["lightning_reflexes", "veteran"], "rush": 6},
                   "page": {"team": "blue", "hp_now": 20}, "rogue": {}})  # fmt: skip
    table.play(knight="use_for 1 a").play(knight="pick 0").play(knight="pick 4").pass_to("action")
    table.play(knight="use b").pass_to("action")
    assert "use c" not in table.legal("knight")
