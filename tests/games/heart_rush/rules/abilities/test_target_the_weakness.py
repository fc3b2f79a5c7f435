"""Target the Weakness: attacks in one stance ignore half of a creature's defense, or all of it."""

import pytest

from tests.games.heart_rush.rules.table import Dice, Fields, Table

pytestmark = pytest.mark.heading("Target the Weakness")
MIGHT, AGILITY, CUNNING = "pick 0", "pick 1", "pick 2"


def named(stance: str | None = MIGHT, dice: Dice = (), field: str = "talents", **rogue: Fields) -> Table:
    """Return a table at which the knight has named the rogue and a stance."""
    fighters = {"knight": {field: ["target_the_weakness"], "rush": 10}, "rogue": rogue, "page": {"team": "blue"}}
    table = Table(fighters, dice).play(knight="use_at 1 a")
    return table.play(**({"knight": stance} if stance else {}))


@pytest.mark.parametrize(
    ("field", "roll"),
    [("talents", 7 - 3), ("destiny_talents", 0)],  # the half of 7 that is ignored is rounded down
)
def test_attacks_in_the_stance_ignore_half_of_the_defense_roll_or_all(field: str, roll: int) -> None:
    table = named(MIGHT, [(5, 3, 8), (4, 3)], field)
    table.engage(knight="might: attack 1", rogue="cunning").finish_round()
    assert (table.rolls(), table.hp("rogue")) == ((16, roll), 40 - (16 - roll))


def test_armor_is_part_of_the_roll() -> None:
    table = named(MIGHT, [(5, 3, 8), (4, 3)], armor="light", shield="light_shield")  # 2 and 1 more
    table.engage(knight="might: attack 1", rogue="cunning")
    assert table.rolls() == (16, 5)


def test_it_helps_everybody() -> None:
    table = named(MIGHT, [(5, 3, 8), (4, 3)])
    table.engage(page="might: attack 1", rogue="cunning")
    assert table.rolls() == (16, 4)


def test_attacks_in_another_stance_or_on_another_creature_or_in_the_next_round_meet_all_of_it() -> None:
    table = named(AGILITY, [(5, 3, 8), (4, 3)]).engage(knight="might: attack 1", rogue="cunning")
    assert table.rolls() == (16, 7)
    table = named(MIGHT, [(5, 3, 8), (4, 3)]).engage(rogue="might: attack 1", knight="cunning")
    assert table.rolls() == (16, 7)
    table = named(MIGHT, [(5, 3, 8), (4, 3)]).finish_round().engage(knight="might: attack 1", rogue="cunning")
    assert table.rolls() == (16, 7)


def test_each_stance_is_named_once_a_round_and_each_use_costs_more() -> None:
    table = named(AGILITY)
    assert table.fighter("knight")["rush"] == 9
    table.play(knight="use_at 1 a")
    assert table.legal("knight") == [MIGHT, CUNNING]
    table.play(knight=CUNNING)
    assert table.fighter("knight")["rush"] == 7
    table.play(knight="use_at 1 a")  # nothing is left to pick but might
    assert table.last("pick")["answer"] == "might"
    assert table.fighter("knight")["rush"] == 4


def test_with_all_three_stances_named_it_is_not_offered() -> None:
    table = named(MIGHT)
    for stance in (AGILITY, ""):
        table.play(knight="use_at 1 a")
        table = table.play(knight=stance) if stance else table
    assert "use_at 1 a" not in table.legal("knight")


def test_it_is_used_before_the_stances_only() -> None:
    table = Table({"knight": {"talents": ["target_the_weakness"], "rush": 1}, "rogue": {}})
    table.play(rogue="help 1") if "help 1" in table.legal("rogue") else table.play()
    assert (table.window, "use_at 1 a" in table.legal("knight")) == ("instant", True), "as the engagement begins"
    table.play().engage(knight="might", rogue="cunning")
    assert table.window == "attack"


def test_a_player_that_does_not_answer_names_might() -> None:
    assert named(None).last("pick")["answer"] == "might"


def test_the_half_is_of_what_the_defenders_own_abilities_have_made_of_the_roll() -> None:
    # Perfect Defense counts the 3 beside the 8 once more: 14, and half of it is 7.
    table = named(MIGHT, [(5, 3, 8), (8, 3)], talents=["perfect_defense"])
    table.engage(knight="might: attack 1", rogue="cunning")
    assert table.rolls() == (16, 7)
