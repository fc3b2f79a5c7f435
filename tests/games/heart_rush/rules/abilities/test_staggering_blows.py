"""Staggering Blows: a die at its maximum throws the target off balance, or down."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.heart_rush.rules.table import Table, strike, weapon

HEADING = "Talents > Staggering Blows"


def fates(table: Table) -> tuple[list[int], list[int]]:
    """What the rogue's being off-balanced and prone change to first."""
    return table.history("rogue", "off_balanced")[:1], table.history("rogue", "prone")[:1]


@pytest.mark.heading(HEADING)
@pytest.mark.parametrize(("field", "prone"), [("talents", []), ("destiny_talents", [1])])
def test_a_die_at_its_maximum_staggers_the_target(field: str, prone: list[int]) -> None:
    table = strike({field: ["staggering_blows"]}, {}, dice=[(1, 6, 1), (8, 6)])  # without any damage
    assert (table.rolls(), fates(table)) == ((8, 14), ([3], prone))


@pytest.mark.heading(HEADING)
@pytest.mark.parametrize("field", ["talents", "destiny_talents"])
def test_dice_below_their_maximum_do_not(field: str) -> None:
    table = strike({field: ["staggering_blows"]}, {}, dice=[(7, 5, 7), (1, 1)])
    assert fates(table) == ([], [])


@pytest.mark.heading(HEADING)
def test_a_die_that_disadvantage_drops_does_not() -> None:
    owner = {"talents": ["staggering_blows"], "conditions": {"weakened": 1}}
    assert fates(strike(owner, {}, dice=[(8, 5, 7, 1), (1, 1)])) == ([], [])


@pytest.mark.heading(HEADING)
@pytest.mark.parametrize(
    ("size", "further", "prone"),
    [("large", (), [1]), ("L2", (5,), [])],  # one and two sizes larger than medium
)
def test_of_destiny_a_target_too_large_to_fall_is_struck_with_a_further_weapon_die(
    size: str, further: tuple[int, ...], prone: list[int]
) -> None:
    owner = {"destiny_talents": ["staggering_blows"]}
    table = strike(owner, {"size": size}, dice=[(1, 6, 1), further, (8, 6)])
    assert (table.rolls(), fates(table)) == ((8 + sum(further), 14), ([3], prone))


@pytest.mark.heading(HEADING)
def test_of_destiny_bare_hands_have_no_further_die_for_a_target_too_large_to_fall() -> None:
    owner = {"destiny_talents": ["staggering_blows"], "weapon": "none", "attack_bonus": 2}
    table = strike(owner, {"size": "L2"}, dice=[(1, 6), (8, 6)])
    assert (table.rolls(), fates(table)) == ((9, 14), ([3], []))


@pytest.mark.heading(HEADING)
def test_the_roll_that_answers_an_attack_in_a_contest_does_not_stagger() -> None:
    fighters: dict[str, dict[str, Any]] = {"knight": {"talents": ["staggering_blows"]}, "rogue": {"agility": 8}}
    table = Table(fighters, [(1, 1, 1), (1, 6, 1)])  # the quicker rogue rolls first
    table.engage(knight="might", rogue="might")
    table.pass_to("attack", "might")
    table.play(rogue="attack 1")
    table.finish_round()
    assert (table.rolls(), fates(table)) == ((3, 8), ([], []))


@pytest.mark.heading(HEADING)
def test_nor_does_the_answer_to_one_that_a_whirlwind_strike_has_struck() -> None:
    slashing = weapon("light", "melee", "slashing")
    owner = {"talents": ["whirlwind_strike", "staggering_blows"], "weapon": slashing, "agility": 8}
    rolls = [(1, 5, 1), (8, 6), (8, 6), (1, 6, 1), (1, 1, 1)]  # the knight's might die shows its 6 in the contest only
    table = Table({"knight": owner, "rogue": {}, "fox": {}}, rolls)
    table.engage(knight="might", rogue="cunning", fox="might")
    table.pass_to("attack", "might")
    table.play(knight="attack 1", fox="attack 1")
    table.play(knight="use a")
    table.finish_round()
    assert (table.rolls(), table.history("fox", "off_balanced")) == ((3, 8), [])


@pytest.mark.heading(HEADING)
def test_each_attack_staggers_by_its_own_dice() -> None:
    table = Table({"knight": {"talents": ["staggering_blows"]}, "rogue": {}}, [(1, 6, 1), (8, 6), (1, 5, 1), (8, 6)])
    for _ in range(2):
        table.engage(knight="might", rogue="cunning")
        table.pass_to("attack", "might")
        table.play(knight="attack 1")
    assert table.history("rogue", "off_balanced") == [3, 2, 1]  # it only fades after the second


@pytest.mark.heading(HEADING)
@pytest.mark.parametrize(
    ("abilities", "off_balanced"),
    [
        ([], []),  # the knight answers the rogue's further attack
        (["several_attacks"], [3]),  # the further attack is that of both
    ],
)
def test_neither_does_the_roll_that_answers_a_further_attack(abilities: list[str], off_balanced: list[int]) -> None:
    knight = {"talents": ["staggering_blows"], "abilities": abilities}
    table = Table({"rogue": {"abilities": ["several_attacks"]}, "knight": knight}, [(1, 1, 1)] * 3 + [(1, 6, 1)])
    table.engage(rogue="might", knight="might")
    table.pass_to("attack", "might")
    table.play(rogue="attack 1", knight="attack 1")
    table.finish_round()
    assert fates(table)[0] == off_balanced
