"""Devastation Strike: dice for the next attack, and each minor ability once for nothing."""

import pytest

from tests.games.heart_rush.rules.table import Dice, Fields, Table

pytestmark = pytest.mark.heading("Devastation Strike")


def raging(points: int | None, dice: Dice = (), **knight: Fields) -> Table:
    """Return a table at which the knight has spent so many points on its strike."""
    owner = {"abilities": ["devastation_strike"], "rush": 4, **knight}
    table = Table({"knight": owner, "rogue": {}, "fox": {}}, dice)
    use = "use b" if "talents" in knight else "use a"
    table.play(knight=use).play(**({} if points is None else {"knight": f"pick {points}"}))
    return table.pass_to("action")  # the knight may answer its own declaration by another ability


def test_the_next_attack_has_a_die_for_each_point() -> None:
    table = raging(2, [(5, 3, 8), (6, 2), (4, 3), (5, 3, 8), (4, 3)])
    assert table.fighter("knight")["rush"] == 2
    table.engage(knight="might: attack 1", rogue="cunning").finish_round()
    assert table.rolls() == (16 + 8, 7)
    table.engage(knight="might: attack 1", rogue="cunning")
    assert table.rolls() == (16, 7)


def test_dice_that_no_attack_has_used_lapse_with_the_round() -> None:
    table = raging(2, [(5, 3, 8), (4, 3)]).finish_round().engage(knight="might: attack 1", rogue="cunning")
    assert table.rolls() == (16, 7)


@pytest.mark.interplay("devastation_strike", "target_the_weakness")
def test_each_minor_ability_is_free_once_in_the_round() -> None:
    knight = {"talents": ["target_the_weakness"], "rush": 4}
    table = raging(0, **knight)
    table.play(knight="use_at 1 a").play(knight="pick 0").pass_to("action")
    assert table.fighter("knight")["rush"] == 4
    table.play(knight="use_at 1 a").play(knight="pick 1")
    assert table.fighter("knight")["rush"] == 2, "the second use costs two points"


def test_a_fighter_without_points_may_use_its_minor_abilities() -> None:
    table = raging(1, talents=["target_the_weakness"], rush=1)
    assert table.fighter("knight")["rush"] == 0
    table.play(knight="use_at 1 a").play(knight="pick 0")
    assert "use_at 1 a" not in table.legal("knight")


def test_in_the_next_round_they_cost_as_always() -> None:
    table = raging(0, talents=["target_the_weakness"]).finish_round()
    assert (table.fighter("knight")["rush"], table.legal("knight")) == (0, ["pass"])


def test_it_spends_what_its_owner_has_at_most_and_comes_once_a_day() -> None:
    table = Table({"knight": {"abilities": ["devastation_strike"], "rush": 2}, "rogue": {}}).play(knight="use a")
    assert table.legal("knight") == ["pick 0", "pick 1", "pick 2"]
    table.play(knight="pick 0")
    assert "use a" not in table.legal("knight")


def test_a_player_that_does_not_answer_spends_all() -> None:
    assert raging(None).last("pick")["answer"] == "4"
