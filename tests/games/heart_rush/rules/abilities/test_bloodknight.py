"""Bloodknight: the first healing of a round is larger."""

import pytest

from tests.games.heart_rush.rules.table import Fields, Table, strike

pytestmark = pytest.mark.heading("Bloodknight")


def healed(owner: Fields, hp_now: int = 20, rounds: int = 1) -> Table:
    """Let the knight wound the rogue, which it marked, by 10 in each round; the mark heals the knight by 3."""
    knight = {**owner, "heart": 12, "hp_now": hp_now}
    knight["talents"] = ["vampiric_mark", *owner.get("talents", [])]
    table = Table({"knight": knight, "rogue": {}}, [(8, 1, 3), (1, 1)] * rounds).play(knight="use_at 1 a")
    for _ in range(rounds):
        table.engage(knight="might: attack 1", rogue="cunning").finish_round()
    return table


@pytest.mark.parametrize(("field", "more"), [("talents", 2), ("destiny_talents", 4)])
@pytest.mark.interplay("bloodknight", "vampiric_mark")
def test_the_first_healing_of_each_round_is_larger(field: str, more: int) -> None:
    table = healed({field: ["bloodknight"]}, rounds=2)
    assert [event["amount"] for event in table.events_of("heal")] == [3 + more, 3 + more]


def test_the_second_healing_of_a_round_is_not() -> None:
    # The knight and the page wound the marked rogue by 10 each.
    knight = {"talents": ["vampiric_mark", "bloodknight"], "hp_now": 20}
    fighters = {"knight": knight, "rogue": {}, "page": {"team": "blue", "agility": 4}}
    table = Table(fighters, [(6, 1, 5), (1, 1), (6, 1, 5), (1, 1)]).play(knight="use_at 1 a")
    table.engage(knight="might: attack 1", rogue="cunning", page="might: attack 1").finish_round()
    assert [event["amount"] for event in table.events_of("heal")] == [5, 3]


def test_healing_that_finds_no_room_is_none() -> None:
    assert healed({"talents": ["bloodknight"]}, hp_now=40).events_of("heal") == []


def test_half_of_no_damage_heals_nothing() -> None:
    """Life Drain would heal half of the damage, which is 1 + 3 + 1 - (1 + 1) = 3, less 4."""
    knight = {"talents": ["bloodknight"], "abilities": ["vampire_spawn.life_drain"], "hp_now": 20}
    table = strike(knight, {"talents": ["iron_constitution"]}, dice=[(1, 3, 1), (1, 1)])
    assert (table.last("damage")["amount"], table.events_of("heal"), table.hp("knight")) == (0, [], 20)
