"""Action Surge: a second action."""

import pytest

from tests.games.heart_rush.rules.table import Table


@pytest.mark.heading("Action Surge")
@pytest.mark.parametrize(("field", "points"), [("talents", 1), ("destiny_talents", 4)])
def test_the_action_comes_back_once(field: str, points: int) -> None:
    table = Table({"knight": {field: ["action_surge"]}, "rogue": {}, "page": {"team": "blue"}})
    assert "use a" not in table.legal("knight")  # it has its action still
    table.play(knight="help 1")
    assert "help 1" not in table.legal("knight")
    table.play(knight="use a")
    assert table.fighter("knight")["rush"] == points
    table.play(knight="help 1")
    assert "use a" not in table.legal("knight")
    assert len([event for event in table.events_of("declare") if event["action"].startswith("help")]) == 2


@pytest.mark.heading("Suffocating")
def test_its_return_takes_no_breath() -> None:
    knight = {"talents": ["action_surge"], "conditions": {"suffocating": 1}}
    table = Table({"knight": knight, "rogue": {}, "page": {"team": "blue"}}, [4]).play(knight="help 1")
    table.play(knight="take").play(knight="use a")
    assert (table.window, table.hp("knight")) == ("action", 40 - 4)


@pytest.mark.heading("Confused")
def test_its_return_lets_a_confused_fighter_that_has_acted_move_no_more() -> None:
    knight = {"talents": ["action_surge"], "conditions": {"confused": 1, "prone": 1}}
    table = Table({"knight": knight, "rogue": {}, "page": {"team": "blue"}})
    assert {"stand", "rise rush"} <= set(table.legal("knight"))
    table.play(knight="help 1").play(knight="use a")
    assert "help 1" in table.legal("knight")
    assert not {"stand", "rise rush"} & set(table.legal("knight"))
