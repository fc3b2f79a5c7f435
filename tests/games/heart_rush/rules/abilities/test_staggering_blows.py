"""Staggering Blows: a die at its maximum throws the target off balance, or down."""

import pytest

from tests.games.heart_rush.rules.table import Dice, Fields, Table, strike, weapon

pytestmark = pytest.mark.heading("Staggering Blows")


def fates(table: Table) -> tuple[list[int], list[int]]:
    """Return the rogue's first new levels of off-balanced and of prone."""
    return table.history("rogue", "off_balanced")[:1], table.history("rogue", "prone")[:1]


WEAKENED = {"conditions": {"weakened": 1}}
OWNER, DESTINED = {"talents": ["staggering_blows"]}, {"destiny_talents": ["staggering_blows"]}
BARE = {**DESTINED, "weapon": "none", "attack_bonus": 2}


@pytest.mark.parametrize(
    ("case", "knight", "size", "dice", "rolls", "fate"),
    [
        ("a die at its maximum, without any damage", OWNER, "medium", [(1, 6, 1), (8, 6)], (8, 14), ([3], [])),
        ("of destiny", DESTINED, "medium", [(1, 6, 1), (8, 6)], (8, 14), ([3], [1])),
        ("dice below their maximum", OWNER, "medium", [(7, 5, 7), (1, 1)], (19, 2), ([], [])),
        ("of destiny as well", DESTINED, "medium", [(7, 5, 7), (1, 1)], (19, 2), ([], [])),
        ("a die that disadvantage drops", OWNER | WEAKENED, "medium", [(8, 5, 7, 1), (1, 1)], (13, 2), ([], [])),
        ("of destiny, one size larger", DESTINED, "large", [(1, 6, 1), (8, 6)], (8, 14), ([3], [1])),
        ("too large to fall: a further weapon die", DESTINED, "L2", [(1, 6, 1), 5, (8, 6)], (13, 14), ([3], [])),
        ("which bare hands do not have", BARE, "L2", [(1, 6), (8, 6)], (9, 14), ([3], [])),
    ],
)
def test_which_dice_stagger_the_target(
    case: str, knight: Fields, size: str, dice: Dice, rolls: tuple[int, int], fate: tuple[list[int], list[int]]
) -> None:
    table = strike(knight, {"size": size}, dice=dice)
    assert (table.rolls(), fates(table)) == (rolls, fate)


def test_the_roll_that_answers_an_attack_in_a_contest_does_not_stagger() -> None:
    fighters: dict[str, Fields] = {"knight": {"talents": ["staggering_blows"]}, "rogue": {"agility": 8}}
    table = Table(fighters, [(1, 1, 1), (1, 6, 1)])  # the quicker rogue rolls first
    table.engage(knight="might", rogue="might: attack 1").finish_round()
    assert (table.rolls(), fates(table)) == ((3, 8), ([], []))


def test_nor_does_the_answer_to_one_that_a_whirlwind_strike_has_struck() -> None:
    slashing = weapon("light", "melee", "slashing")
    owner = {"talents": ["whirlwind_strike", "staggering_blows"], "weapon": slashing, "agility": 8}
    rolls = [(1, 5, 1), (8, 6), (8, 6), (1, 6, 1), (1, 1, 1)]  # the knight's might die shows its 6 in the contest only
    table = Table({"knight": owner, "rogue": {}, "fox": {}}, rolls)
    table.engage(knight="might: attack 1", rogue="cunning", fox="might: attack 1").play(knight="use a")
    table.finish_round()
    assert (table.rolls(), table.history("fox", "off_balanced")) == ((3, 8), [])


def test_each_attack_staggers_by_its_own_dice() -> None:
    table = Table({"knight": {"talents": ["staggering_blows"]}, "rogue": {}}, [(1, 6, 1), (8, 6), (1, 5, 1), (8, 6)])
    for _ in range(2):
        table.engage(knight="might: attack 1", rogue="cunning")
    assert table.history("rogue", "off_balanced") == [3, 2, 1]  # it only fades after the second


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
    table.engage(rogue="might: attack 1", knight="might: attack 1").finish_round()
    assert fates(table)[0] == off_balanced
