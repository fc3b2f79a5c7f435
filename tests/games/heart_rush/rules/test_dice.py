"""Dice Mechanics: handfuls with advantage and disadvantage, and the sizes of dice."""

import pytest

from heartrush_env.tabletop.errors import DiceError
from tests.games.heart_rush.rules.table import Table, strike, weapon

# The knight breaks free from the orc's grapple with the help of two friends: a might check of d8 and d6 with A2.
TWO_HELPERS = {
    "knight": {"agility": 4, "conditions": {"grappled": {"source": "orc"}}},
    "squire": {"team": "blue", "agility": 12},
    "page": {"team": "blue", "agility": 10},
    "orc": {},
}
# The orc answers with D1, as it is grappling: 1 and 1, and the third die is dropped.
ORC_ROLLS_2 = [1, 1, 8]


def twice_helped(dice: list[int]) -> Table:
    table = Table(TWO_HELPERS, [*dice, *ORC_ROLLS_2])
    table.play(squire="help 1", page="help 1", knight="break_free").pass_to("stance")
    return table


@pytest.mark.heading("Advantage and Disadvantage")
def test_might_d6_and_heart_d8_with_two_advantages_roll_1d8_and_3d6_and_drop_the_two_lowest() -> None:
    check = twice_helped([5, 3, 6, 1]).last("check")
    # d8, d6 and two more d6: 5+3+6+1 without 1 and 3
    assert (check["attack_dice"], check["attack_roll"]) == ([5, 3, 6, 1], 11)


@pytest.mark.heading("Advantage and Disadvantage")
def test_advantage_adds_dice_of_the_smallest_size() -> None:
    with pytest.raises(DiceError, match="expected 1 to 6 for a d6, got 7"):
        twice_helped([5, 3, 7, 1])
    Table.laid.clear()  # the check was not made


@pytest.mark.heading("Advantage and Disadvantage")
def test_disadvantage_adds_a_die_of_the_largest_size_and_drops_the_highest() -> None:
    table = strike({"weapon": weapon("heavy"), "conditions": {"blinded": 1}}, dice=[5, 3, 7, 12, 2, 1])
    assert table.last("attack")["attack_dice"] == [5, 3, 7, 12]  # d8, d6, d12 and one more d12
    assert table.rolls() == (15, 3)  # 5+3+7+12 without 12


@pytest.mark.heading("Advantage and Disadvantage")
def test_what_is_dropped_is_the_highest_of_all_whatever_its_size_and_of_equals_one_for_each_level() -> None:
    knight = {"weapon": weapon("heavy"), "conditions": {"blinded": 1}}
    assert strike(knight, dice=[8, 3, 2, 4, 2, 1]).rolls() == (9, 3)  # 8+3+2+4 without the heart die's 8
    # 7+6+7 and two more d8 showing 7 and 2, without two of the 7: 6+7+2
    assert strike({"conditions": {"blinded": 2}}, dice=[7, 6, 7, 7, 2, 1, 1]).rolls() == (15, 2)


@pytest.mark.heading("Advantage and Disadvantage")
def test_advantage_and_disadvantage_cancel() -> None:
    knight = {"agility": 4, "conditions": {"grappled": {"source": "orc"}, "poisoned": 1}}
    table = Table({**TWO_HELPERS, "knight": knight}, [5, 3, 6, *ORC_ROLLS_2])
    check = table.play(squire="help 1", page="help 1", knight="break_free").last("check")
    # two helps less one level of poison: A1; 5+3+6 without 3
    assert (check["attack_dice"], check["attack_roll"]) == ([5, 3, 6], 11)


@pytest.mark.heading("Advantage and Disadvantage")
def test_flat_bonuses_never_count_as_dice() -> None:
    table = strike({"weapon": "none", "attack_bonus": 9, "conditions": {"blinded": 1}}, dice=[2, 3, 8, 1, 1])
    assert table.rolls() == (14, 2)  # 2+3+8 without 8, and then 9


@pytest.mark.heading("Advantage and Disadvantage")
def test_no_more_than_ten_levels_count() -> None:
    table = strike({"conditions": {"blinded": 5, "poisoned": 5, "weakened": 5}}, dice=[5, 3, 7, *[8] * 10, 2, 1])
    assert len(table.last("attack")["attack_dice"]) == 3 + 10  # 15 levels count as ten
    assert table.rolls() == (15, 3)  # 5+3+7, the ten 8 dropped


@pytest.mark.heading("Die Sizes")
@pytest.mark.parametrize(("heart", "smaller"), [(20, 12), (12, 10), (10, 8), (8, 6), (6, 4)])
def test_a_die_falls_one_size(heart: int, smaller: int) -> None:
    table = strike({}, {"heart": heart}, dice=[8, 6, 8, 1, 1], answer="shrug")
    assert table.heart("rogue") == smaller
    assert table.last("shrug") == {"type": "shrug", "fighter": "rogue", "heart_from": heart, "heart_to": smaller}


@pytest.mark.heading("Die Sizes", "Taking Damage")
def test_a_d4_falls_no_further() -> None:
    table = strike({}, {"heart": 4}, dice=[8, 6, 8, 1, 1])
    assert table.rolls() == (22, 2)
    assert table.events_of("shrug") == []  # nothing to choose: 20 of 40 are gone
    assert (table.heart("rogue"), table.hp("rogue")) == (4, 20)
