"""Brutal Criticals: two dice at their maximum count twice, once the roll is seen."""

from __future__ import annotations

import pytest

from tests.games.heart_rush.rules.table import Table, strike

HEADING = "Talents > Brutal Criticals"
ADVANTAGE = "Dice Mechanics > Advantage and Disadvantage"
OWNER = {"talents": ["brutal_criticals"]}


def struck(owner: dict, dice: list[int]) -> Table:
    """The knight's might against the rogue's cunning, up to the first window after the attack roll."""
    table = Table({"knight": owner, "rogue": {}}, dice)
    table.engage(knight="might", rogue="cunning")
    table.pass_to("attack", "might")
    table.play(knight="attack 1")
    return table


@pytest.mark.heading(HEADING)
def test_two_dice_at_their_maximum_are_doubled_for_a_rush_point() -> None:
    table = struck(OWNER, [8, 6, 3, 2, 1])  # heart d8 and might d6 at their maximum, weapon d8 at 3; defense 2 + 1
    assert (table.window, table.choosers()) == ("instant", {"knight"})
    assert (table.last("roll")["attack_roll"], table.fighter("knight")["rush"]) == (17, 1)
    table.play(knight="use a")
    assert table.fighter("knight")["rush"] == 0
    assert table.last("use") == {"type": "use", "fighter": "knight", "ability": "brutal_criticals"}
    table.pass_to("shrug")
    table.play()
    assert table.rolls() == (31, 3)  # 17 + 8 + 6
    assert table.hp("rogue") == 40 - 28


@pytest.mark.heading(HEADING)
def test_it_may_be_left_alone_and_is_not_offered_twice() -> None:
    table = struck(OWNER, [8, 6, 3, 2, 1])
    table.play()
    table.play()  # after the defense it may still be used
    assert table.window == "shrug"
    table.play()
    assert table.hp("rogue") == 40 - 14


@pytest.mark.heading(HEADING)
@pytest.mark.parametrize("dice", [[8, 5, 3, 2, 1], [7, 6, 3, 2, 1]])
def test_one_die_at_its_maximum_is_not_enough(dice: list[int]) -> None:
    assert struck(OWNER, dice).window == "shrug"


@pytest.mark.heading(HEADING)
def test_a_die_smaller_than_d6_does_not_count() -> None:
    assert struck({**OWNER, "might": 4}, [8, 4, 3, 2, 1]).window == "shrug"


@pytest.mark.heading(HEADING)
def test_without_a_rush_point_it_is_not_offered() -> None:
    assert struck({**OWNER, "rush": 0}, [8, 6, 3, 2, 1]).window == "shrug"


@pytest.mark.heading(HEADING)
def test_its_destiny_version_costs_nothing() -> None:
    table = struck({"destiny_talents": ["brutal_criticals"], "rush": 0}, [8, 6, 3, 2, 1])
    table.play(knight="use a")
    table.pass_to("shrug")
    table.play()
    assert table.hp("rogue") == 40 - 28


@pytest.mark.heading(HEADING, ADVANTAGE)
def test_a_die_that_disadvantage_drops_is_not_doubled() -> None:
    owner = {**OWNER, "conditions": {"weakened": 1}}  # d8, d6, d8 and one more of the largest; the highest goes
    table = Table({"knight": owner, "rogue": {}}, [8, 6, 3, 1, 2, 1])
    table.engage(knight="might", rogue="cunning")
    table.pass_to("attack", "might")
    table.play(knight="attack 1")
    assert table.window == "shrug"  # 6 + 3 + 1 are left
    table.play()
    assert table.hp("rogue") == 40 - 7


def test_fights_without_abilities_have_no_window_of_instants() -> None:
    assert strike(dice=[8, 6, 3, 2, 1]).hp("rogue") == 40 - 14
