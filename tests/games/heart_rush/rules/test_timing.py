"""The Action Phase > When Timing Matters."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.heart_rush.rules.table import Table

TIMING = "Combat > The Action Phase > When Timing Matters"


def order_of_actions(table: Table) -> list[str]:
    """In which order the window's declarations were carried out."""
    return [event["fighter"] for event in table.events if event["type"] == "declare"]


def burning(**fields: Any) -> dict[str, Any]:
    return {**fields, "conditions": {"burning": 1}}


@pytest.mark.heading(TIMING)
def test_the_larger_agility_die_goes_first() -> None:
    fighters = {
        "knight": burning(agility=4),
        "rogue": burning(agility=12),
        "orc": burning(agility=8),
        "wolf": burning(agility=10),
        "imp": burning(agility=6),
    }
    table = Table(fighters)
    table.play(**dict.fromkeys(fighters, "put_out_fire"))
    assert order_of_actions(table) == ["rogue", "wolf", "orc", "imp", "knight"]  # d12, d10, d8, d6, d4


@pytest.mark.heading(TIMING)
def test_heroes_win_ties() -> None:
    fighters = {"orc": burning(), "knight": burning()}
    table = Table(fighters, heroes=["red"])
    table.play(**dict.fromkeys(fighters, "put_out_fire"))
    assert order_of_actions(table) == ["knight", "orc"]


@pytest.mark.heading(TIMING)
def test_heroism_does_not_make_up_for_a_smaller_die() -> None:
    fighters = {"knight": burning(agility=6), "orc": burning(agility=8)}
    table = Table(fighters, heroes=["blue"])
    table.play(**dict.fromkeys(fighters, "put_out_fire"))
    assert order_of_actions(table) == ["orc", "knight"]


@pytest.mark.heading(TIMING, "Dice Mechanics > Contested Checks")
@pytest.mark.parametrize("heroes", [[], ["blue", "red"]])
def test_equals_roll_contested_agility_checks(heroes: list[str]) -> None:
    fighters = {"knight": burning(), "orc": burning()}
    table = Table(fighters, [3, 2, 5, 4], heroes=heroes)  # 5 against 9
    table.play(**dict.fromkeys(fighters, "put_out_fire"))
    assert order_of_actions(table) == ["orc", "knight"]


@pytest.mark.heading(TIMING)
def test_equal_checks_are_rolled_again() -> None:
    fighters = {"knight": burning(), "orc": burning()}
    table = Table(fighters, [(3, 2, 1, 4), (6, 1, 5, 1)])  # 5 against 5, then 7 against 6
    table.play(**dict.fromkeys(fighters, "put_out_fire"))
    assert order_of_actions(table) == ["knight", "orc"]


@pytest.mark.heading(TIMING)
def test_of_three_only_those_who_tie_roll_again() -> None:
    fighters = {"knight": burning(), "orc": burning(), "imp": burning()}
    table = Table(fighters, [(3, 2, 1, 4, 8, 6), (1, 1, 2, 1)])  # 5, 5 and 14; then 2 against 3
    table.play(**dict.fromkeys(fighters, "put_out_fire"))
    assert order_of_actions(table) == ["imp", "orc", "knight"]


@pytest.mark.heading(TIMING)
def test_the_contenders_share_the_places_of_their_group() -> None:
    fighters = {"wolf": burning(agility=8), "knight": burning(), "orc": burning(), "snail": burning(agility=4)}
    table = Table(fighters, [1, 1, 2, 2])  # knight 2, orc 4
    table.play(**dict.fromkeys(fighters, "put_out_fire"))
    assert order_of_actions(table) == ["wolf", "orc", "knight", "snail"]


@pytest.mark.heading(TIMING)
def test_conditions_weigh_on_the_check_of_timing() -> None:
    off_balance = {"conditions": {"burning": 1, "off_balanced": 1}}
    table = Table({"knight": off_balance, "orc": burning()}, [5, 4, 8, 3, 5])  # 5+4, the 8 dropped, against 3+5
    table.play(knight="put_out_fire", orc="put_out_fire")
    assert order_of_actions(table) == ["knight", "orc"]


@pytest.mark.heading(TIMING)
def test_those_who_declare_nothing_do_not_roll() -> None:
    table = Table({"knight": burning(), "orc": {"conditions": {"burning": 1}}}, [3])
    table.play(knight="put_out_fire")
    table.finish_round()
    assert table.hp("orc") == 37


@pytest.mark.heading(TIMING, "Combat > The Engagement > Attack Resolution Process > Resolution Phases")
def test_equals_who_go_for_the_same_target_roll_and_others_do_not() -> None:
    fighters = {"knight": {}, "squire": {"team": "blue"}, "rogue": {"team": "red"}, "orc": {"team": "red"}}
    table = Table(fighters, [(1, 1, 8, 6), (4, 4, 4, 2, 2), (5, 4, 4, 2, 2)])
    table.engage(knight="might", squire="might", rogue="cunning", orc="cunning")
    table.pass_to("attack", "might")
    table.play(knight="attack 1", squire="attack 1")  # knight 2, squire 14: the squire strikes first
    assert [attack["attacker"] for attack in table.events_of("attack")] == ["squire", "knight"]
    table = Table(fighters, [(4, 4, 4, 2, 2), (5, 4, 4, 2, 2)])
    table.engage(knight="might", squire="might", rogue="cunning", orc="cunning")
    table.pass_to("attack", "might")
    table.play(knight="attack 1", squire="attack 2")
    assert [attack["attacker"] for attack in table.events_of("attack")] == ["knight", "squire"]


@pytest.mark.heading(TIMING)
def test_attacks_are_rolled_in_timing_order() -> None:
    fighters = {"knight": {"agility": 4}, "squire": {"team": "blue", "agility": 12}, "rogue": {"team": "red"}}
    table = Table(fighters, [(8, 6, 8, 1, 1), (4, 4, 4, 2, 2)])
    table.engage(knight="might", squire="might", rogue="cunning")
    table.pass_to("attack", "might")
    table.play(knight="attack 1", squire="attack 1")
    assert [(attack["attacker"], attack["damage"]) for attack in table.events_of("attack")] == [
        ("squire", 20),
        ("knight", 8),
    ]
