"""Trickster: a hinder that does two things at once."""

import pytest

from tests.games.heart_rush.rules.map_table import at, on_map
from tests.games.heart_rush.rules.table import Fields, Table

pytestmark = pytest.mark.heading("Trickster")
OWNER: Fields = {"abilities": ["trickster"]}
BOTH: Fields = {"abilities": ["trickster", "improved_interference"]}
DAZED, OFF_BALANCED, WEAKENED, BLINDED, PRONE, PUSH, ENRAGED, TRADE = (f"pick {k}" for k in range(8))


def tricked(table: Table, first: str, second: str) -> Table:
    """Let the knight hinder the rogue in two ways, and play on to the next round."""
    table.engage(knight="cunning", rogue="agility").play(knight="use_at 1 a")
    return table.play(knight=first).play(knight=second).finish_round()


def test_two_lines_of_the_books_list() -> None:
    table = tricked(Table({"knight": OWNER, "rogue": {}}, [4]), BLINDED, WEAKENED)
    assert (table.history("rogue", "blinded"), table.history("rogue", "weakened")) == ([1], [2, 1])
    assert (table.hp("rogue"), table.events_of("attack")) == (36, [])


def test_a_shove_of_the_book_and_a_fall() -> None:
    table = tricked(on_map(".KR..", {"knight": OWNER, "rogue": {}}), PRONE, PUSH)
    assert (at(table, "rogue"), table.conditions("rogue")) == ((3, 0), {"prone": 1, "off_balanced": 1})


@pytest.mark.interplay("improved_interference", "trickster")
def test_two_lines_of_improved_interference_each_with_its_damage() -> None:
    table = tricked(Table({"knight": BOTH, "rogue": {}}, [4, 6]), OFF_BALANCED, BLINDED)
    assert (table.history("rogue", "off_balanced"), table.history("rogue", "blinded")) == ([3, 2], [2])
    assert table.hp("rogue") == 30


def test_the_second_is_void_where_the_first_leaves_nothing_to_do() -> None:
    table = tricked(on_map(".KR..", {"knight": BOTH, "rogue": {}}), PUSH, TRADE)
    assert (at(table, "knight"), at(table, "rogue")) == ((1, 0), (4, 0))


def test_the_lines_are_different_and_in_the_owners_list() -> None:
    table = Table({"knight": OWNER, "rogue": {}}).engage(knight="cunning", rogue="agility").play(knight="use_at 1 a")
    assert table.legal("knight") == [DAZED, OFF_BALANCED, WEAKENED, BLINDED, PRONE, PUSH]
    assert table.play(knight=WEAKENED).legal("knight") == [BLINDED, PRONE, PUSH]
    table = Table({"knight": BOTH, "rogue": {}}).engage(knight="cunning", rogue="agility").play(knight="use_at 1 a")
    assert table.play(knight=ENRAGED).legal("knight") == [DAZED, OFF_BALANCED, WEAKENED, BLINDED, PRONE]


def test_a_player_that_names_none_dazes_and_blinds() -> None:
    table = Table({"knight": OWNER, "rogue": {}}, [1]).engage(knight="cunning", rogue="agility")
    table.play(knight="use_at 1 a").play().play().finish_round()
    assert (table.history("rogue", "dazed"), table.history("rogue", "blinded")) == ([2, 1], [1])


def test_it_takes_the_attack_and_a_hinder_that_the_book_allows() -> None:
    table = Table({"knight": OWNER, "rogue": {}}, [1]).engage(knight="cunning", rogue="agility")
    table.play(knight="use_at 1 a").play().play()
    while table.phase == "cunning":
        assert not [name for name in table.legal("knight") if name.startswith(("attack", "blind"))]
        table.play()
    table = Table({"knight": OWNER, "rogue": {}}).engage(knight="cunning", rogue="cunning")
    assert table.window != "instant"
    table = Table({"knight": BOTH, "rogue": {}}).engage(knight="cunning", rogue="cunning")
    assert table.window == "instant"
