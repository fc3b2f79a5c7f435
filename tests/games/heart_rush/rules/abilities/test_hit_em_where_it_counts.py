"""Hit 'Em Where It Counts: advantage traded for points."""

import pytest

from tests.games.heart_rush.rules.table import Dice, Fields, Table

pytestmark = pytest.mark.heading("Hit 'Em Where It Counts")
HIGH = {"conditions": {"highground": 1}}  # a level of advantage


def attacks(owner: Fields, uses: int, dice: Dice) -> Table:
    """Let the knight trade this many levels and attack the rogue in might."""
    table = Table({"knight": owner, "rogue": {}}, dice)
    for _ in range(uses):
        table.play(knight="use a")
    table.engage(knight="might: attack 1", rogue="cunning")
    return table


def test_a_level_of_advantage_is_traded_for_a_point() -> None:
    table = attacks({"talents": ["hit_em_where_it_counts"], **HIGH}, 1, [(1, 2, 3), (1, 1)])
    assert (table.rolls(), table.last("attack")["attack_flat"]) == ((7, 2), {"ability_bonus": 1})
    assert table.last("attack")["attack_causes"] == {"highground": 1, "ability": -1}


def test_without_a_use_advantage_stays_and_without_advantage_there_is_nothing_to_trade() -> None:
    assert attacks({"talents": ["hit_em_where_it_counts"], **HIGH}, 0, [(1, 2, 3), 6, (1, 1)]).rolls() == (11, 2)
    assert attacks({"destiny_talents": ["hit_em_where_it_counts"]}, 2, [(1, 2, 3), (1, 1)]).rolls() == (6, 2)


def test_as_destiny_advantage_has_two_levels_more_that_may_be_traded() -> None:
    # Of 1, 2, 3 and three d6 of 6, 6 and 5 the best three count. With two levels traded one d6 stays, and two points.
    owner = {"destiny_talents": ["hit_em_where_it_counts"], **HIGH}
    assert attacks(owner, 0, [(1, 2, 3), (6, 6, 5), (1, 1)]).rolls() == (17, 2)
    assert attacks(owner, 2, [(1, 2, 3), 6, (1, 1)]).rolls() == (13, 2)


def test_no_more_than_five_levels_are_traded() -> None:
    table = Table({"knight": {"talents": ["hit_em_where_it_counts"]}, "rogue": {}}, rules={"windows_per_round": 9})
    for _ in range(5):
        table.play(knight="use a")
    assert table.window == "stance"


def test_a_trade_is_for_one_attack_of_the_round() -> None:
    # At the rogue as it rises with 2 + 3 + 1 and the point; then 1, 2, 3 and 6 without the 1. The prone defend worse.
    prone = {"conditions": {"prone": 1}}
    owner = {"talents": ["hit_em_where_it_counts"], **HIGH}
    table = Table({"knight": owner, "rogue": prone}, [(1, 2, 3), (1, 1, 1), (1, 2, 3), 6, (1, 1)])
    table.play(knight="use a").play(rogue="stand").play(knight="opportunity 1 might")
    table.engage(knight="might: attack 1", rogue="cunning")
    assert [event["attack_roll"] for event in table.events_of("attack")] == [7, 11]
