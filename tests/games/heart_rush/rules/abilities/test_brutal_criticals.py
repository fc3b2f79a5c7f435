"""Brutal Criticals: two dice at their maximum count twice, once the roll is seen."""

import pytest

from tests.games.heart_rush.rules.table import Table, strike

OWNER = {"talents": ["brutal_criticals"]}


def struck(owner: dict, dice: list[int]) -> Table:
    """Let the knight's might attack the rogue's cunning, up to the first window after the attack roll."""
    return Table({"knight": owner, "rogue": {}}, dice).engage(knight="might: attack 1", rogue="cunning")


@pytest.mark.heading("Brutal Criticals")
def test_two_dice_at_their_maximum_are_doubled_for_a_rush_point() -> None:
    table = struck(OWNER, [8, 6, 3, 2, 1])  # heart d8 and might d6 at their maximum, weapon d8 at 3; defense 2 + 1
    assert (table.window, table.choosers()) == ("instant", {"knight"})
    assert (table.last("roll")["attack_roll"], table.fighter("knight")["rush"]) == (17, 1)
    table.play(knight="use a")
    assert table.fighter("knight")["rush"] == 0
    assert table.last("use") == {"type": "use", "fighter": "knight", "ability": "brutal_criticals"}
    table.pass_to("shrug").play()
    assert table.rolls() == (31, 3)  # 17 + 8 + 6
    assert table.hp("rogue") == 40 - 28


@pytest.mark.heading("Brutal Criticals")
def test_it_may_be_left_alone_and_is_not_offered_twice() -> None:
    table = struck(OWNER, [8, 6, 3, 2, 1])
    table.play().play()  # after the defense it may still be used
    assert table.window == "shrug"
    table.play()
    assert table.hp("rogue") == 40 - 14


@pytest.mark.heading("Brutal Criticals", "Advantage and Disadvantage")
@pytest.mark.parametrize(
    ("case", "more", "dice", "damage"),
    [
        ("one die at its maximum", {}, [8, 5, 3, 2, 1], 13),
        ("no d8 at its maximum", {}, [7, 6, 3, 2, 1], 13),
        ("a die smaller than d6", {"might": 4}, [8, 4, 3, 2, 1], 12),
        ("no rush point", {"rush": 0}, [8, 6, 3, 2, 1], 14),
        # d8, d6, d8 and one more of the largest; the highest goes: 6 + 3 + 1 are left.
        ("a die that disadvantage drops", {"conditions": {"weakened": 1}}, [8, 6, 3, 1, 2, 1], 7),
    ],
)
def test_where_it_is_not_offered(case: str, more: dict, dice: list[int], damage: int) -> None:
    table = struck({**OWNER, **more}, dice)
    assert (table.window, table.play().hp("rogue")) == ("shrug", 40 - damage)


@pytest.mark.heading("Brutal Criticals")
def test_its_destiny_version_costs_nothing() -> None:
    table = struck({"destiny_talents": ["brutal_criticals"], "rush": 0}, [8, 6, 3, 2, 1])
    table.play(knight="use a").pass_to("shrug").play()
    assert table.hp("rogue") == 40 - 28


def test_fights_without_abilities_have_no_window_of_instants() -> None:
    assert strike(dice=[8, 6, 3, 2, 1]).hp("rogue") == 40 - 14
