"""Opportunity attacks whose rolls are seen: instants answer each roll, as in the engagement."""

import numpy as np
import pytest

from tests.games.heart_rush.rules.table import Dice, Fields, Table
from tests.notation import line_of

CRITICAL = {"talents": ["brutal_criticals"]}
PRONE = {"conditions": {"prone": 1}}
MAXIMA = (8, 6, 3)  # of a d8, a d6 and a d8: two dice at their maximum
WHILE_PRONE = (2, 1, 8)  # a defense whose largest die is dropped


def at_an_opening(striker: Fields, *, dice: Dice, **others: Fields) -> Table:
    """Let the prone knight stand up and the rogue strike at it."""
    table = Table({"knight": PRONE, "rogue": striker, **others}, dice).play(knight="stand")
    table.play(**{name: "opportunity 1 might" for name in ("rogue", *others)})
    return table


@pytest.mark.heading("Opportunity Attacks", "Instant Abilities")
def test_both_rolls_at_an_opening_may_be_answered_or_left_alone() -> None:
    table = at_an_opening(CRITICAL, dice=[MAXIMA, WHILE_PRONE])
    assert (table.window, table.choosers(), table.dice_used) == ("instant", {"rogue"}, 3)
    table.play(rogue="use a")
    assert (table.window, table.rolls()) == ("shrug", (31, 3))  # 17 + 8 + 6
    table.play()
    assert (table.hp("knight"), table.conditions("knight")) == (40 - 28, {})  # it is up
    table = at_an_opening(CRITICAL, dice=[MAXIMA, WHILE_PRONE]).play()
    assert (table.window, table.dice_used) == ("instant", 6)
    table.play()
    assert (table.window, table.play().hp("knight")) == ("shrug", 40 - 14)


@pytest.mark.heading("Opportunity Attacks", "Instant Abilities")
def test_the_one_struck_at_answers_as_well() -> None:
    defender = {**PRONE, "abilities": ["violent_defense"]}
    table = Table({"knight": defender, "rogue": {}}, [(1, 1, 1), (2, 1, 8), 5]).play(knight="stand")
    table.play()  # the rising may be answered by the knight itself
    table.play(rogue="opportunity 1 might")
    assert (table.window, table.choosers()) == ("instant", {"knight"})
    table.play(knight="use a")
    assert table.rolls() == (3, 8)  # its weapon's d8 has joined the 2 and the 1
    assert table.fighter("rogue")["hits"] == [5]


@pytest.mark.heading("Opportunity Attacks", "Instant Abilities")
def test_nobody_acts_between_the_declaration_and_the_attack_roll() -> None:
    defender = {"surprised": True, "abilities": ["violent_defense"]}
    table = Table({"knight": CRITICAL, "rogue": defender}, [MAXIMA, (2, 1)]).play(knight="opportunity 1 might")
    assert (table.window, table.dice_used) == ("instant", 3)
    assert table.choosers() == {"knight"}  # the surprised use nothing
    table.play(knight="use a")
    assert table.rolls() == (31, 3)


@pytest.mark.heading("Opportunity Attacks", "Instant Abilities")
def test_a_declared_opportunity_attack_is_answered_too() -> None:
    table = Table({"knight": CRITICAL, "rogue": {"surprised": True}}, [MAXIMA, (2, 1)])
    table.play(knight="opportunity 1 might rush")
    assert table.window == "shrug"  # the rush point for the talent has been spent
    table = Table({"knight": CRITICAL, "rogue": {"surprised": True}}, [MAXIMA, (2, 1)])
    table.play(knight="opportunity 1 might").play(knight="use a").play()
    assert table.hp("rogue") == 40 - 28
    assert not table.fighter("knight")["action"]


@pytest.mark.heading("Opportunity Attacks", "Instant Abilities")
def test_each_attack_at_an_opening_is_answered_before_the_next_and_all_land_together() -> None:
    orc = {**CRITICAL, "agility": 12}
    table = at_an_opening(CRITICAL, orc=orc, dice=[MAXIMA, WHILE_PRONE, MAXIMA, WHILE_PRONE])
    assert (table.window, table.choosers(), table.dice_used) == ("instant", {"orc"}, 3)
    table.play(orc="use a")
    assert (table.window, table.choosers(), table.dice_used) == ("instant", {"rogue"}, 9)
    table.play().play()
    assert table.fighter("knight")["hits"] == [28, 14]


@pytest.mark.heading("Opportunity Attacks", "Using Abilities")
def test_an_answer_whose_rush_point_an_instant_has_taken_fizzles() -> None:
    # The rogue answers with its one rush point, and spends it on the orc's attack, which comes first.
    rogue = {"abilities": ["violent_defense"], "rush": 1}
    orc = {"team": "red", "agility": 12}
    table = Table({"knight": PRONE, "rogue": rogue, "orc": orc}, [(1, 1, 1), WHILE_PRONE])
    table.play(knight="stand").play()  # the rising itself may be answered
    table.play(rogue="opportunity 1 might rush", orc="opportunity 1 might")
    assert (table.window, table.choosers()) == ("instant", {"rogue"})
    table.play(rogue="use a")
    fizzle = {"type": "fizzle", "fighter": "rogue", "action": "opportunity", "target": "knight"}
    assert (table.last("fizzle"), table.fighter("rogue")["rush"]) == (fizzle, 0)
    assert [attack["attacker"] for attack in table.events_of("attack")] == ["orc"]


@pytest.mark.heading("First Strike", "Instant Abilities")
@pytest.mark.interplay("brutal_criticals", "first_strike")
def test_the_attack_that_an_instant_gives_is_seen_when_the_instants_are_done() -> None:
    knight = {"talents": ["first_strike", "brutal_criticals"], "agility": 8, "rush": 1}
    table = Table({"knight": knight, "rogue": {}}, [(8, 8, 3), 1, (1, 1)]).play(knight="use_at 1 a")
    assert (table.window, table.last("roll")["cause"]) == ("instant", "opportunity")
    table.play(knight="use b")
    assert table.rolls() == (36, 2)  # 8 + 8 + 3 + 1, and the two eights again
    table.play()
    assert (table.window, table.hp("rogue")) == ("stance", 40 - 34)


@pytest.mark.heading("Opportunity Attacks")
def test_who_answers_without_breath_is_hurt_after_the_attack() -> None:
    table = at_an_opening({**CRITICAL, "conditions": {"suffocating": 1}}, dice=[MAXIMA, WHILE_PRONE, 4])
    table.play(rogue="use a")
    assert (table.fighter("rogue")["hits"], table.fighter("knight")["hits"]) == ([4], [28])


def test_a_fight_comes_back_from_the_midst_of_an_answered_opening() -> None:
    table = at_an_opening(CRITICAL, dice=[MAXIMA, WHILE_PRONE])
    fights, game = table._fights, table._fights.game
    other = game.batch(1, record=True)
    other.restore(0, fights.snapshot(0))
    assert other.faults(0) == [] and fights.faults(0) == []
    assert line_of(other) == line_of(fights)
    names = game.action_names
    assert [names[action] for action in other.legal(0, 1)] == ["pass", "use a"]
    other.step(np.array([[names.index("pass"), names.index("use a")]], np.int64))
    table.play(rogue="use a")
    assert other.snapshot(0) == fights.snapshot(0)
    other.step(np.array([[names.index("take"), names.index("pass")]], np.int64))
    assert other.describe(0)["fighters"]["knight_0"]["hp"] == 40 - 28
