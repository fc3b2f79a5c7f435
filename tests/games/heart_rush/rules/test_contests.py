"""Contests and halves of even numbers: what a contest ends, and where nothing may be rounded."""

import pytest

from tests.games.heart_rush.rules.table import Table, strike


@pytest.mark.heading("Same Stance Combat", "Hidden, Charmed", "Venting")
def test_a_mutual_contest_gives_both_away_and_ends_rage_and_charm() -> None:
    # both have attacked, so both show themselves; charm of one level bars nobody.
    knight = {"conditions": {"hidden": 1, "enraged": {"levels": 1, "source": "rogue"}}}
    rogue = {"conditions": {"hidden": 1, "charmed": {"levels": 1, "source": "knight"}}}
    # Each is at D5 against one unseen: three dice and five of the largest size, d8, the five highest dropped.
    table = Table({"knight": knight, "rogue": rogue}, [(1,) * 8, (1,) * 8])
    table.engage(knight="might: attack 1", rogue="might: attack 1")
    assert (table.conditions("knight"), table.conditions("rogue")) == ({}, {})


@pytest.mark.heading("Defensive Stance")
def test_half_of_an_even_number_against_the_defensive_is_exact() -> None:
    # 8+6+1 = 15 against 4+3 = 7: 8, halved
    table = strike(against="defensive", dice=[8, 6, 1, 4, 3])
    assert (table.last("attack")["damage"], table.hp("rogue")) == (4, 36)


@pytest.mark.heading("Grappling Requirements")
@pytest.mark.parametrize(("opposing", "held"), [((1, 2), True), ((2, 2), False)])
def test_a_one_handed_grapple_of_eight_counts_four(opposing: tuple[int, int], held: bool) -> None:
    # 5 + 3 = 8, halved to 4, against 3 and against 4 (R-1: a tie changes nothing)
    table = strike({"shield": "light_shield", "weapon": "claws"}, dice=[(5, 3), opposing], choice="grapple 1")
    assert table.conditions("rogue") == ({"grappled": 1} if held else {})
