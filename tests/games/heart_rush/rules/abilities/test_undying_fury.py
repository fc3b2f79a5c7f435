"""Undying Fury: Battle Spirited starts for free as its owner falls."""

from typing import Any

import pytest

from tests.games.heart_rush.rules.table import Dice, Fields, Table

pytestmark = pytest.mark.heading("Undying Fury")
HEALING, DEFENSE = "pick 1", "pick 2"
# In cunning 8 + 6 + 8 = 22 against a defense of 2 leave 20, and the defensive stance takes half.
BLOW: Dice = [(8, 6, 8), (1, 1)]
OWNER = {"abilities": ["battle_spirited", "undying_fury"]}


def felled(rush: int, hp: int, sheet: Fields = OWNER, **more: Any) -> Table:
    """Return a table at which the rogue has taken 10 damage, as instants answer; the page's might phase comes next."""
    fighters = {"knight": {}, "rogue": {**sheet, "rush": rush, "hp_now": hp}, "page": {"team": "blue"}, **more}
    table = Table(fighters, BLOW, {"zero_hp": "all_choose"})
    table.engage(knight="cunning: attack 1", rogue="defensive", page="might")
    return table.pass_to("shrug").play(rogue="take")


@pytest.mark.parametrize(("hp", "window"), [(9, "attack"), (8, "yield")])
@pytest.mark.interplay("battle_spirited", "undying_fury")
def test_it_heals_at_once_and_may_lift_the_owner(hp: int, window: str) -> None:
    """From -1 two hit points lift it to 1, and it is not asked whether it yields; from -2 they do not lift it."""
    table = felled(1, hp)
    assert table.window == "instant"
    table.play(rogue="use b")
    assert table.legal("rogue") == ["pick 1", "pick 2", "pick 4", "pick 8"], "one effect for one point"
    table.play(rogue=HEALING)
    assert (table.hp("rogue"), table.window) == (hp - 10 + 2, window)
    assert table.fighter("rogue")["rush"] == 1, "the point is not spent"


def test_the_effects_favor_allies_and_last_and_battle_spirited_is_used_up() -> None:
    # Five points are five effects, each as strong as five points; defense comes again.
    table = felled(5, 4, fox={"hp_now": 5}).play(rogue="use b").play(rogue=DEFENSE)
    assert (table.hp("rogue"), table.hp("fox"), table.hp("page")) == (4 - 10 + 10, 15, 40)
    table.finish_round()
    assert (table.hp("rogue"), table.hp("fox")) == (4 + 10, 25)
    assert "use a" not in table.legal("rogue")


def test_the_defense_is_as_strong_as_if_battle_spirited_had_been_paid_for() -> None:
    fighters = {"knight": {}, "rogue": {**OWNER, "rush": 5, "hp_now": 4}, "page": {"team": "blue"}}
    table = Table(fighters, [*BLOW, (8, 6, 8), (1, 1)], {"zero_hp": "all_choose"})
    table.engage(knight="cunning: attack 1", rogue="defensive", page="might").pass_to("shrug").play(rogue="take")
    table.play(rogue="use b").play(rogue=DEFENSE).pass_to("attack", "might").play(page="attack 1")
    assert table.rolls() == (22, 2 + 2 * 5)


def test_a_player_that_does_not_answer_gets_the_first_effect_once_more() -> None:
    assert felled(5, 4).play(rogue="use b").play().hp("rogue") == 4 - 10 + 2 * 10


def test_one_with_war_gives_it_more_effects() -> None:
    """Two points are four effects: each comes once, and nothing is asked."""
    table = felled(2, 7, {"abilities": ["battle_spirited", "undying_fury", "one_with_war"]}).play(rogue="use b")
    assert (table.hp("rogue"), table.window) == (-3 + 4, "attack")


@pytest.mark.parametrize(
    ("rush", "hp", "sheet"),
    [
        (0, 9, OWNER),  # no points, no effects
        (1, 11, OWNER),  # it has not fallen
        (1, 0, OWNER),  # it has fallen before
        (1, 9, {"abilities": ["undying_fury"]}),  # no Battle Spirited
    ],
)
def test_it_takes_a_fall_points_and_a_battle_spirited(rush: int, hp: int, sheet: Fields) -> None:
    assert felled(rush, hp, sheet).window != "instant"


@pytest.mark.heading("Battle Spirited")
def test_a_battle_spirited_that_has_been_used_does_not_start_again() -> None:
    table = Table({"knight": {}, "rogue": {**OWNER, "rush": 2, "hp_now": 9}}, BLOW, {"zero_hp": "all_choose"})
    table.play(rogue="use a").play(rogue="pick 1").play(rogue="pick 4")
    table.engage(knight="cunning: attack 1", rogue="defensive").pass_to("shrug").play(rogue="take")
    assert table.window == "yield"
