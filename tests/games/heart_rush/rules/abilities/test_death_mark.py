"""Death Mark: all attacks on the marked enemy are stronger."""

from typing import Any

import pytest

from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import Dice, Fields, Table, weapon

pytestmark = pytest.mark.heading("Death Mark")
STRUCK = [(1, 2, 3), 4, (1, 1)]  # an attack with the die, and the defense


def phase(owner: Fields, dice: Dice) -> Table:
    """Return a table at the start of the might phase: the knight and its page in might, the rogue in cunning."""
    table = Table({"knight": owner, "rogue": {}, "page": {"team": "blue", "agility": 4}}, dice)
    table.engage(knight="might", rogue="cunning", page="might")
    return table


def marks(table: Table) -> list[list[Any]]:
    """Return the further dice of all attacks so far."""
    return [event["attack_pool"][3:] for event in table.events_of("attack")]


def test_a_mark_takes_the_place_of_the_attack_and_adds_a_die() -> None:
    table = phase({"talents": ["death_mark"]}, STRUCK * 2)
    assert (table.window, table.choosers()) == ("instant", {"knight"})
    table.play(knight="use_at 1 a")
    assert table.choosers() == {"page"}
    table.play(page="attack 1").finish_round()
    table.engage(knight="might: attack 1", rogue="cunning", page="defensive")  # in the next round it attacks again
    assert marks(table) == [[["bonus", 4, 4]]] * 2


def test_as_destiny_the_owner_attacks_as_well() -> None:
    table = phase({"destiny_talents": ["death_mark"]}, STRUCK * 3)
    table.play(knight="use_at 1 a").play(knight="attack 1", page="attack 1").finish_round()
    table.engage(knight="defensive", rogue="cunning", page="might: attack 1")
    assert marks(table) == [[["bonus", 4, 4]]] * 3


def test_as_destiny_the_die_is_larger_without_an_attack() -> None:
    table = phase({"destiny_talents": ["death_mark"]}, STRUCK * 3)
    table.play(knight="use_at 1 a").play(page="attack 1").finish_round()
    table.engage(knight="might: attack 1", rogue="cunning", page="might: attack 1")
    assert marks(table) == [[["bonus", 8, 4]]] * 3


def test_attacks_on_others_have_no_die() -> None:
    table = Table({"knight": {"talents": ["death_mark"]}, "rogue": {}, "fox": {}}, [(1, 2, 3), (1, 1)])
    table.engage(knight="might", rogue="cunning", fox="cunning").play(knight="use_at 1 a").finish_round()
    table.engage(knight="might: attack 2", rogue="cunning", fox="cunning")
    assert table.rolls() == (6, 2)


@pytest.mark.parametrize(("drawing", "offered"), [("KR", True), ("K.R", False)])
def test_on_a_map_the_marked_is_adjacent(drawing: str, offered: bool) -> None:
    whip = weapon("ultralight", attack_type="whip")
    table = on_map(drawing, {"knight": {"talents": ["death_mark"], "weapon": whip}, "rogue": {}})
    table.engage(knight="might", rogue="cunning")
    assert (table.window == "instant") == offered


def test_it_is_for_whom_the_stance_may_attack() -> None:
    table = Table({"knight": {"talents": ["death_mark"]}, "rogue": {}}).engage(knight="might", rogue="agility")
    assert table.window == "attack"
