"""The Action Phase > When Timing Matters."""

from typing import Any

import pytest

from tests.games.heart_rush.rules.table import Dice, Fields, Table

pytestmark = pytest.mark.heading("When Timing Matters")


def order_of_actions(table: Table) -> list[str]:
    """Return the order in which the window's declarations were carried out."""
    return [event["fighter"] for event in table.events if event["type"] == "declare"]


def burning(**fields: Any) -> Fields:
    return {**fields, "conditions": {"burning": 1}}


@pytest.mark.heading("Contested Checks")
@pytest.mark.parametrize(
    ("case", "agility", "heroes", "dice", "order"),
    [
        ("the larger die goes first", {"knight": 4, "rogue": 12, "orc": 8, "wolf": 10, "imp": 6}, [], [],
         "rogue wolf orc imp knight"),
        ("heroes win ties", {"orc": 6, "knight": 6}, ["red"], [], "knight orc"),
        ("heroism does not make up for a smaller die", {"knight": 6, "orc": 8}, ["blue"], [], "orc knight"),
        ("equals roll a contest, 5 against 9", {"knight": 6, "orc": 6}, [], [3, 2, 5, 4], "orc knight"),
        ("equal heroes roll one", {"knight": 6, "orc": 6}, ["blue", "red"], [3, 2, 5, 4], "orc knight"),
        ("5 and 5 again, 7 and 6", {"knight": 6, "orc": 6}, [], [(3, 2, 1, 4), (6, 1, 5, 1)], "knight orc"),
        ("of 5, 5 and 14 only those who tie roll again, 2 and 3", {"knight": 6, "orc": 6, "imp": 6}, [],
         [(3, 2, 1, 4, 8, 6), (1, 1, 2, 1)], "imp orc knight"),
        ("the contenders share the places of their group, 2 and 4", {"wolf": 8, "knight": 6, "orc": 6, "snail": 4}, [],
         [1, 1, 2, 2], "wolf orc knight snail"),
    ],
)  # fmt: skip
def test_who_goes_first(case: str, agility: dict[str, int], heroes: list[str], dice: Dice, order: str) -> None:
    table = Table({name: burning(agility=die) for name, die in agility.items()}, dice, heroes=heroes)
    table.play(**dict.fromkeys(agility, "put_out_fire"))
    assert order_of_actions(table) == order.split()


def test_conditions_weigh_on_the_check_of_timing() -> None:
    off_balance = {"conditions": {"burning": 1, "off_balanced": 1}}
    table = Table({"knight": off_balance, "orc": burning()}, [5, 4, 8, 3, 5])  # 5+4, the 8 dropped, against 3+5
    table.play(knight="put_out_fire", orc="put_out_fire")
    assert order_of_actions(table) == ["knight", "orc"]


def test_those_who_declare_nothing_do_not_roll() -> None:
    table = Table({"knight": burning(), "orc": {"conditions": {"burning": 1}}}, [3])
    table.play(knight="put_out_fire").finish_round()
    assert table.hp("orc") == 37


@pytest.mark.heading("Resolution Phases")
def test_equals_who_go_for_the_same_target_roll_and_others_do_not() -> None:
    fighters = {"knight": {}, "squire": {"team": "blue"}, "rogue": {"team": "red"}, "orc": {"team": "red"}}
    table = Table(fighters, [(1, 1, 8, 6), (4, 4, 4, 2, 2), (5, 4, 4, 2, 2)])
    # knight 2, squire 14: the squire strikes first
    table.engage(knight="might: attack 1", squire="might: attack 1", rogue="cunning", orc="cunning")
    assert [attack["attacker"] for attack in table.events_of("attack")] == ["squire", "knight"]
    table = Table(fighters, [(4, 4, 4, 2, 2), (5, 4, 4, 2, 2)])
    table.engage(knight="might: attack 1", squire="might: attack 2", rogue="cunning", orc="cunning")
    assert [attack["attacker"] for attack in table.events_of("attack")] == ["knight", "squire"]


def test_attacks_are_rolled_in_timing_order() -> None:
    fighters = {"knight": {"agility": 4}, "squire": {"team": "blue", "agility": 12}, "rogue": {"team": "red"}}
    table = Table(fighters, [(8, 6, 8, 1, 1), (4, 4, 4, 2, 2)])
    table.engage(knight="might: attack 1", squire="might: attack 1", rogue="cunning")
    attacks = [(attack["attacker"], attack["damage"]) for attack in table.events_of("attack")]
    assert attacks == [("squire", 20), ("knight", 8)]
