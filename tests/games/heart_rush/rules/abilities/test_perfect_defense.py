"""Perfect Defense: a die of a defense roll at its maximum lets another count twice."""

from __future__ import annotations

import pytest

from tests.games.heart_rush.rules.table import Table, strike

HEADING = "Talents > Perfect Defense"
ADVANTAGE = "Dice Mechanics > Advantage and Disadvantage"
OWNER = {"talents": ["perfect_defense"]}


@pytest.mark.heading(HEADING)
@pytest.mark.parametrize(
    ("dice", "defense"),
    [
        ((8, 4), 8 + 2 * 4),  # the d8 at its maximum lets the d6 count twice
        ((5, 6), 2 * 5 + 6),
        ((8, 6), 2 * 8 + 6),  # the larger of two at their maximum
        ((7, 5), 7 + 5),
    ],
)
def test_another_die_counts_twice(dice: tuple[int, int], defense: int) -> None:
    table = strike({}, OWNER, dice=[(8, 6, 8), dice])
    assert table.rolls() == (22, defense)


@pytest.mark.heading(HEADING)
def test_armor_is_not_a_die() -> None:
    assert strike({}, {**OWNER, "armor": "light"}, dice=[(8, 6, 8), (8, 1)]).rolls() == (22, 8 + 2 * 1 + 2)


@pytest.mark.heading(HEADING, ADVANTAGE)
def test_a_die_that_disadvantage_drops_does_not_count() -> None:
    rogue = {**OWNER, "conditions": {"weakened": 1}}  # d8, d6 and a further d8, of which the 8 goes
    assert strike({}, rogue, dice=[(8, 6, 8), (8, 3, 5)]).rolls() == (22, 8)


@pytest.mark.heading(HEADING, ADVANTAGE)
def test_of_equal_dice_that_which_was_rolled_first_goes() -> None:
    rogue = {**OWNER, "conditions": {"weakened": 1}}  # the 6 of the heart's d8 goes, that of the d6 doubles the 2
    assert strike({}, rogue, dice=[(8, 6, 8), (6, 6, 2)]).rolls() == (22, 6 + 2 * 2)


@pytest.mark.heading(HEADING)
def test_attack_rolls_are_as_usual() -> None:
    table = Table({"knight": OWNER, "rogue": {}}, [(8, 6, 2), (1, 1)])
    table.engage(knight="might", rogue="cunning")
    table.pass_to("attack", "might")
    table.play(knight="attack 1")
    assert table.rolls() == (16, 2)
    table.finish_round()


@pytest.mark.heading(HEADING)
def test_of_destiny_defense_has_two_levels_of_advantage() -> None:
    rogue = {"destiny_talents": ["perfect_defense"]}  # d8, d6 and two further d6: of 1, 6, 4 and 3 the best two count
    table = strike({}, rogue, dice=[(8, 6, 8), (1, 6, 4, 3)])
    assert table.last("attack")["defense_causes"] == {"ability": 2}
    assert table.rolls() == (22, 6 + 2 * 4)


@pytest.mark.heading(HEADING)
@pytest.mark.parametrize(
    ("talents", "defense"),
    [
        (["perfect_defense", "haphazard"], 8 + 6 + 1),  # the 1 counts twice, then as 6
        (["haphazard", "perfect_defense"], 2 * 8 + 6),
    ],
)
def test_what_it_adds_stays_where_another_ability_changes_the_dice(talents: list[str], defense: int) -> None:
    assert strike({}, {"talents": talents}, dice=[(8, 6, 8), (8, 1)]).rolls() == (22, defense)


@pytest.mark.heading(HEADING)
def test_its_event_shows_what_it_adds() -> None:
    table = strike({}, {**OWNER, "armor": "light"}, dice=[(8, 6, 8), (8, 4)])
    assert table.last("attack")["defense_flat"] == {"armor": 2, "ability_bonus": 4}
