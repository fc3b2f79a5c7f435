"""First Strike: attacks on the unhurt, and the first attack of a fight."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.heart_rush.rules.table import Table, strike

HEADING = "Talents > First Strike"
OWNER = {"talents": ["first_strike"], "agility": 8}


@pytest.mark.heading(HEADING)
@pytest.mark.parametrize(("field", "levels"), [("talents", 0), ("destiny_talents", 3)])
def test_an_attack_on_the_unhurt_has_a_further_die(field: str, levels: int) -> None:
    table = strike({field: ["first_strike"]}, dice=[(1, 2, 3), 6, (1, 1)])
    assert table.rolls() == (12, 2)
    assert max(table.history("rogue", "weakened"), default=0) == levels


@pytest.mark.heading(HEADING)
def test_the_hurt_are_attacked_as_ever() -> None:
    table = strike({"destiny_talents": ["first_strike"]}, {"hp_now": 39}, dice=[(1, 2, 3), (1, 1)])
    assert table.rolls() == (6, 2)
    assert table.conditions("rogue") == {}


@pytest.mark.heading(HEADING)
def test_the_first_to_engage_may_strike_before_the_stances() -> None:
    # Agility has its largest dice: d8, d8 and d8, and the d6 against the unhurt.
    table = Table({"knight": OWNER, "rogue": {}}, [(1, 2, 3), 6, (1, 1)])
    assert (table.window, table.choosers()) == ("instant", {"knight"})
    table.play(knight="use_at 1 a")
    assert (table.last("attack")["cause"], table.last("attack")["stance"]) == ("opportunity", "agility")
    assert table.window == "shrug"
    table.play()
    assert table.window == "stance"
    assert table.hp("rogue") == 40 - 10
    assert table.fighter("knight")["action"] is False and table.fighter("knight")["rush"] == 1


@pytest.mark.heading(HEADING)
def test_without_its_action_it_costs_a_rush_point() -> None:
    knight = {**OWNER, "conditions": {"prone": 1}}
    table = Table({"knight": knight, "rogue": {}}, [(1, 2, 3), 6, (1, 1)])
    table.play(knight="rise")
    table.pass_to("instant")
    table.play(knight="use_at 1 a")
    assert table.fighter("knight")["rush"] == 0


@pytest.mark.heading(HEADING)
def test_it_must_be_paid_for() -> None:
    table = Table({"knight": {**OWNER, "rush": 0, "conditions": {"prone": 1}}, "rogue": {}})
    table.play(knight="rise")
    table.pass_to("stance")
    assert table.events_of("use") == []
    assert table.fighter("knight")["action"] is False


@pytest.mark.heading(HEADING)
@pytest.mark.parametrize(
    "fighters",
    [
        {"knight": OWNER, "rogue": {"agility": 10}},  # quicker
        {"knight": {**OWNER, "conditions": {"stunned": 1}}, "rogue": {}},
    ],
)
def test_others_may_not(fighters: dict[str, Any]) -> None:
    assert Table(fighters).window == "stance"


@pytest.mark.heading(HEADING)
def test_a_quicker_enemy_that_cannot_act_is_not_the_first() -> None:
    rogue = {"agility": 10, "conditions": {"stunned": 1}}
    table = Table({"knight": OWNER, "rogue": rogue})
    assert (table.window, table.choosers()) == ("instant", {"knight"})


@pytest.mark.heading(HEADING)
def test_it_is_used_before_anybody_attacks() -> None:
    table = Table({"knight": OWNER, "rogue": {}})
    table.play()
    assert table.window == "stance"
    table.finish_round()
    assert (table.round, table.window) == (2, "stance")  # though nobody has attacked


@pytest.mark.heading(HEADING)
def test_a_second_use_is_not_the_first() -> None:
    table = Table({"knight": OWNER, "rogue": {}}, [(1, 2, 3), 6, (1, 1)])
    table.play(knight="use_at 1 a")
    table.pass_to("stance")
    assert len(table.events_of("use")) == 1
