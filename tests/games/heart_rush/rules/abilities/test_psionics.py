"""Psionics: a hinder that frightens, enrages or confuses."""

import pytest

from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import Fields, Table

pytestmark = pytest.mark.heading("Psionics")
OWNER: Fields = {"abilities": ["psionics"]}


@pytest.mark.parametrize(
    ("choice", "condition", "source"),
    [("pick 0", "frightened", "knight"), ("pick 1", "enraged", "knight"), ("pick 2", "confused", None)],
)
def test_three_levels_without_damage_or_attack(choice: str, condition: str, source: str | None) -> None:
    table = Table({"knight": OWNER, "rogue": {}}).engage(knight="cunning", rogue="agility")
    table.play(knight="use_at 1 a").play(knight=choice)
    table.finish_round()
    assert (table.conditions("rogue"), table.hp("rogue")) == ({condition: 3}, 40)
    assert table.fighter("rogue")["sources"] == ({condition: source} if source else {})
    assert not table.events_of("attack")


def test_in_december_it_aggravates() -> None:
    table = Table({"knight": OWNER, "rogue": {}}, rules={"edition": "december2025"})
    table.engage(knight="cunning", rogue="agility").play(knight="use_at 1 a").play(knight="pick 1").finish_round()
    assert table.conditions("rogue") == {"aggravated": 3}


def test_a_player_that_names_none_frightens() -> None:
    table = Table({"knight": OWNER, "rogue": {}}).engage(knight="cunning", rogue="agility")
    assert table.play(knight="use_at 1 a").play().finish_round().conditions("rogue") == {"frightened": 3}


def test_once_in_a_fight_for_each_creature() -> None:
    table = Table({"knight": OWNER, "rogue": {}, "fox": {}}).engage(knight="cunning", rogue="agility", fox="agility")
    table.play(knight="use_at 1 a").play(knight="pick 2").finish_round()
    table.engage(knight="cunning", rogue="agility", fox="agility")
    assert [name for name in table.legal("knight") if name.startswith("use")] == ["use_at 2 a"]
    table.play(knight="use_at 2 a").play(knight="pick 1").finish_round()
    assert (table.conditions("rogue"), table.conditions("fox")) == ({"confused": 3}, {"enraged": 3})
    table.engage(knight="cunning", rogue="agility", fox="agility")
    assert table.window != "instant"


def test_it_takes_the_attack_and_a_hinder_that_the_book_allows() -> None:
    table = Table({"knight": OWNER, "rogue": {}}).engage(knight="cunning", rogue="agility")
    table.play(knight="use_at 1 a").play(knight="pick 2")
    while table.phase == "cunning":
        assert not [name for name in table.legal("knight") if name.startswith(("attack", "blind"))]
        table.play()
    for against in ("cunning", "might"):
        table = Table({"knight": OWNER, "rogue": {}}).engage(knight="cunning", rogue=against)
        assert table.window != "instant"
    table = on_map("K.R", {"knight": OWNER, "rogue": {}}).engage(knight="cunning", rogue="agility")
    assert table.window != "instant"


def test_with_improved_interference_it_works_on_the_owners_own_stance() -> None:
    owner = {"abilities": ["psionics", "improved_interference"]}
    table = Table({"knight": owner, "rogue": {}}).engage(knight="cunning", rogue="cunning")
    assert table.play(knight="use_at 1 a").play(knight="pick 2").finish_round().conditions("rogue") == {"confused": 3}


def test_a_swarm_of_many_bodies_is_not_frightened() -> None:
    table = Table({"knight": OWNER, "rogue": {"abilities": ["many_bodies"]}})
    table.engage(knight="cunning", rogue="agility").play(knight="use_at 1 a").play(knight="pick 0").finish_round()
    assert table.history("rogue", "frightened") == []
