"""First Strike: attacks on the unhurt, and the first attack of a fight."""

import pytest

from tests.games.heart_rush.rules.table import Fields, Table, strike

pytestmark = pytest.mark.heading("First Strike")
OWNER = {"talents": ["first_strike"], "agility": 8}


@pytest.mark.parametrize(("field", "levels"), [("talents", 0), ("destiny_talents", 3)])
def test_an_attack_on_the_unhurt_has_a_further_die(field: str, levels: int) -> None:
    table = strike({field: ["first_strike"]}, dice=[(1, 2, 3), 6, (1, 1)])
    assert (table.rolls(), max(table.history("rogue", "weakened"), default=0)) == ((12, 2), levels)


def test_the_hurt_are_attacked_as_ever() -> None:
    table = strike({"destiny_talents": ["first_strike"]}, {"hp_now": 39}, dice=[(1, 2, 3), (1, 1)])
    assert (table.rolls(), table.conditions("rogue")) == ((6, 2), {})


def test_the_first_to_engage_may_strike_before_the_stances() -> None:
    # Agility has its largest dice: d8, d8 and d8, and the d6 against the unhurt.
    table = Table({"knight": OWNER, "rogue": {}}, [(1, 2, 3), 6, (1, 1)])
    assert (table.window, table.choosers()) == ("instant", {"knight"})
    table.play(knight="use_at 1 a")
    assert (table.last("attack")["cause"], table.last("attack")["stance"]) == ("opportunity", "agility")
    assert table.window == "shrug"
    table.play()
    assert (table.window, table.hp("rogue")) == ("stance", 40 - 10)
    assert table.fighter("knight")["action"] is False and table.fighter("knight")["rush"] == 1


def test_without_its_action_it_costs_a_rush_point() -> None:
    knight = {**OWNER, "conditions": {"prone": 1}}
    table = Table({"knight": knight, "rogue": {}}, [(1, 2, 3), 6, (1, 1)]).play(knight="rise")
    table.pass_to("instant").play(knight="use_at 1 a")
    assert table.fighter("knight")["rush"] == 0


def test_it_must_be_paid_for() -> None:
    table = Table({"knight": {**OWNER, "rush": 0, "conditions": {"prone": 1}}, "rogue": {}})
    table.play(knight="rise").pass_to("stance")
    assert table.events_of("use") == []
    assert table.fighter("knight")["action"] is False


@pytest.mark.parametrize(
    ("case", "knight", "rogue", "window"),
    [
        ("not where another is quicker", {}, {"agility": 10}, "stance"),
        ("not if it cannot act", {"conditions": {"stunned": 1}}, {}, "stance"),
        ("where the quicker cannot act", {}, {"agility": 10, "conditions": {"stunned": 1}}, "instant"),
    ],
)
def test_who_is_the_first(case: str, knight: Fields, rogue: Fields, window: str) -> None:
    assert Table({"knight": {**OWNER, **knight}, "rogue": rogue}).window == window


def test_it_is_used_before_anybody_attacks() -> None:
    table = Table({"knight": OWNER, "rogue": {}}).play()
    assert table.window == "stance"
    table.finish_round()
    assert (table.round, table.window) == (2, "stance")  # though nobody has attacked


def test_a_second_use_is_not_the_first() -> None:
    table = Table({"knight": OWNER, "rogue": {}}, [(1, 2, 3), 6, (1, 1)]).play(knight="use_at 1 a")
    table.pass_to("stance")
    assert len(table.events_of("use")) == 1
