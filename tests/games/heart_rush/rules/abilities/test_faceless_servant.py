"""Vanish of the Faceless Servant: any damage is its end."""

import pytest

from tests.games.heart_rush.rules.table import Fields, Table, strike

pytestmark = pytest.mark.heading("Vanish")
SERVANT: Fields = {"abilities": ["faceless_servant.vanish"]}


@pytest.mark.parametrize(("attack", "status"), [((1, 1, 1), "dead"), ((1, 1, 0 + 2), "dead")])
def test_a_point_of_damage_is_enough_even_for_a_hero(attack: tuple[int, int, int], status: str) -> None:
    table = strike({}, SERVANT, dice=[attack, (1, 1)], heroes=["red"])
    assert table.status("rogue") == status and table.ending == ("victory", ["blue"])


def test_no_damage_does_nothing() -> None:
    table = strike({}, SERVANT, dice=[(1, 1, 1), (8, 6)])
    assert (table.status("rogue"), table.hp("rogue")) == ("standing", 40)


def test_damage_to_another_does_nothing() -> None:
    table = Table({"knight": {}, "rogue": {}, "page": {**SERVANT, "team": "red"}}, [(5, 3, 1), (1, 1)])
    table.engage(knight="might: attack 1", rogue="cunning", page="defensive").play(rogue="take")
    assert (table.hp("rogue"), table.status("page")) == (33, "standing")


def test_what_an_ability_lowers_to_nothing_is_no_damage() -> None:
    hidden = {"abilities": ["faceless_servant.vanish"], "talents": ["iron_constitution"]}
    table = strike({}, hidden, dice=[(1, 1, 1), (1, 1)])
    assert (table.hp("rogue"), table.status("rogue")) == (40, "standing")
