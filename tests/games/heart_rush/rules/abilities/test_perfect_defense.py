"""Perfect Defense: a die of a defense roll at its maximum lets another count twice."""

import pytest

from tests.games.heart_rush.rules.table import Fields, Table, strike

pytestmark = pytest.mark.heading("Perfect Defense")
OWNER = {"talents": ["perfect_defense"]}


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
    assert strike({}, OWNER, dice=[(8, 6, 8), dice]).rolls() == (22, defense)


@pytest.mark.heading("Advantage and Disadvantage")
@pytest.mark.parametrize(
    ("more", "dice", "defense"),
    [
        ({"armor": "light"}, (8, 1), 8 + 2 * 1 + 2),  # armor is not a die
        # d8, d6 and a further d8: of the 8, which goes, or of two sixes, of which the first goes.
        ({"conditions": {"weakened": 1}}, (8, 3, 5), 8),
        ({"conditions": {"weakened": 1}}, (6, 6, 2), 6 + 2 * 2),
    ],
)
def test_what_is_dropped_or_no_die_does_not_count(more: Fields, dice: tuple[int, ...], defense: int) -> None:
    assert strike({}, {**OWNER, **more}, dice=[(8, 6, 8), dice]).rolls() == (22, defense)


def test_attack_rolls_are_as_usual() -> None:
    table = Table({"knight": OWNER, "rogue": {}}, [(8, 6, 2), (1, 1)])
    table.engage(knight="might: attack 1", rogue="cunning")
    assert table.rolls() == (16, 2)
    table.finish_round()


def test_of_destiny_defense_has_two_levels_of_advantage() -> None:
    rogue = {"destiny_talents": ["perfect_defense"]}  # d8, d6 and two further d6: of 1, 6, 4 and 3 the best two count
    table = strike({}, rogue, dice=[(8, 6, 8), (1, 6, 4, 3)])
    assert (table.last("attack")["defense_causes"], table.rolls()) == ({"ability": 2}, (22, 6 + 2 * 4))


@pytest.mark.parametrize(
    ("talents", "defense"),
    [
        (["perfect_defense", "haphazard"], 8 + 6 + 1),  # the 1 counts twice, then as 6
        (["haphazard", "perfect_defense"], 2 * 8 + 6),
    ],
)
def test_what_it_adds_stays_where_another_ability_changes_the_dice(talents: list[str], defense: int) -> None:
    assert strike({}, {"talents": talents}, dice=[(8, 6, 8), (8, 1)]).rolls() == (22, defense)


def test_its_event_shows_what_it_adds() -> None:
    table = strike({}, {**OWNER, "armor": "light"}, dice=[(8, 6, 8), (8, 4)])
    assert table.last("attack")["defense_flat"] == {"armor": 2, "ability_bonus": 4}
