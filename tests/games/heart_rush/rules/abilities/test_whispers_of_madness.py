"""Whispers of Madness: dazed and shaken for ten rounds."""

from typing import Any

import pytest

from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import Fields, Table

pytestmark = pytest.mark.heading("Whispers of Madness")


def whispered(field: str, rogue: Fields, **knight: Any) -> Table:
    """Let the knight whisper to the rogue, for its action."""
    table = Table({"knight": {field: ["whispers_of_madness"], **knight}, "rogue": rogue, "fox": {}})
    assert {"use_at 1 a", "use_at 2 a"} < set(table.legal("knight"))
    table.play(knight="use_at 1 a")
    return table


def test_the_target_is_dazed_and_shaken_for_ten_rounds() -> None:
    table = whispered("talents", {})
    for number in range(1, 11):
        assert (table.round, table.conditions("rogue")) == (number, {"dazed": 1, "shaken": 1})
        assert "use_at 2 a" not in table.legal("knight")
        table.finish_round()
    assert (table.conditions("rogue"), table.conditions("fox")) == ({}, {})


@pytest.mark.parametrize("talents", [[], ["still_fresh"]])
@pytest.mark.interplay("still_fresh", "whispers_of_madness")
def test_only_further_levels_fade(talents: list[str]) -> None:
    table = whispered("talents", {"conditions": {"dazed": 3, "weakened": 1}, "talents": talents})
    levels = []
    for _ in range(3):
        table.finish_round()
        levels.append(table.conditions("rogue"))
    dazed = [2, 1, 1] if talents else [3, 2, 1]  # four levels at first, of which one or two a round go
    assert levels == [{"dazed": level, "shaken": 1} for level in dazed]


def test_levels_that_the_target_refuses_are_not_held() -> None:
    """Still Fresh of destiny refuses dazed from an enemy, and takes off two of the earlier levels a round."""
    table = whispered("talents", {"conditions": {"dazed": 2}, "destiny_talents": ["still_fresh"]})
    assert table.conditions("rogue") == {"dazed": 2, "shaken": 1}
    table.finish_round()
    assert table.conditions("rogue") == {"shaken": 1}


def test_of_destiny_it_is_repeated_twice_in_later_rounds() -> None:
    table = whispered("destiny_talents", {})
    levels = []
    for _ in range(5):
        levels.append(table.conditions("rogue"))
        table.finish_round()
    assert levels == [{"dazed": level, "shaken": level} for level in (1, 2, 3, 3, 3)]


def test_it_costs_the_action() -> None:
    prone = {"conditions": {"prone": 1}}  # so that the rogue has something left to choose
    table = Table({"knight": {"talents": ["whispers_of_madness"]}, "rogue": prone}).play(knight="use_at 1 a")
    assert (table.round, table.fighter("knight")["action"]) == (1, False)


def test_it_reaches_forty_five_feet() -> None:
    fighters = {"knight": {"talents": ["whispers_of_madness"]}, "rogue": {}, "fox": {}}
    table = on_map("K........RF", fighters)  # nine and ten squares away
    assert {"use_at 1 a", "use_at 2 a"} & set(table.legal("knight")) == {"use_at 1 a"}
