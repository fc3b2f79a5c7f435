"""Instants in the action phase: they answer a declaration before it is carried out, and one another."""

import numpy as np
import pytest

from heartrush_env.games.heart_rush.words.narrator import Narrator
from tests.games.heart_rush.rules.map_table import at, on_map
from tests.games.heart_rush.rules.table import Fields, Table
from tests.notation import line_of

PLANNER = {"abilities": ["tactics"]}
FURIOUS = {"abilities": ["violent_defense"]}
PRONE = {"conditions": {"prone": 1}}


def story(table: Table) -> list[str]:
    """Return the narration of what the knight has done."""
    events = [
        {key: f"{value}_0" if value in table.names else value for key, value in event.items()} for event in table.events
    ]
    lines = Narrator(table._fights.game.scenario).tell(events)
    return [line.strip() for line in lines if "Knight" in line]


def told(table: Table) -> list[tuple[str, str]]:
    """Return the declarations, uses, fizzles and risings in order, each with its fighter."""
    kinds = ("declare", "use", "fizzle", "stand")
    return [(event["type"], event["fighter"]) for event in table.events if event["type"] in kinds]


@pytest.mark.heading("Chaining Abilities", "Instant Abilities")
def test_a_declaration_is_heard_and_answered_before_it_is_carried_out() -> None:
    table = Table({"knight": PRONE, "rogue": PLANNER}).play(knight="rise")
    assert (table.window, table.choosers()) == ("instant", {"rogue"})
    assert table.last("declare") == {"type": "declare", "fighter": "knight", "action": "rise"}
    assert table.conditions("knight") == {"prone": 1} and table.fighter("knight")["action"]
    table.play(rogue="use_at 1 a")
    assert told(table) == [("declare", "knight"), ("use", "rogue"), ("stand", "knight")]
    assert not table.fighter("knight")["action"]
    table = Table({"knight": PRONE, "rogue": PLANNER}).play(knight="rise").play()  # it may be left alone
    assert (told(table), table.window) == ([("declare", "knight"), ("stand", "knight")], "action")


@pytest.mark.heading("Chaining Abilities", "Instant Abilities")
def test_an_enemy_is_marked_before_it_dashes_out_of_range() -> None:
    drawing = "." * 12 + "\n" + "KR" + "." * 10 + "\n" + "." * 12
    table = on_map(drawing, {"knight": PLANNER, "rogue": {}}, light="bright").play(rogue="dash 9,0")
    assert (table.window, table.choosers(), at(table, "rogue")) == ("instant", {"knight"}, (1, 1))
    table.play(knight="use_at 1 a").play()  # the knight leaves the opening
    assert (at(table, "rogue"), table.last("use")["target"]) == ((10, 1), "rogue")
    assert "use_at 1 a" not in table.legal("knight")  # 50 feet away, it would be too late


@pytest.mark.heading("Chaining Abilities", "Instant Abilities")
def test_an_instant_answers_an_instant_and_the_last_declared_is_done_first() -> None:
    table = Table({"knight": PRONE, "rogue": PLANNER, "orc": {**FURIOUS, "team": "red"}}).play(knight="rise")
    assert table.choosers() == {"rogue", "orc"}
    table.play(rogue="use_at 1 a")
    assert (table.window, table.choosers()) == ("instant", {"orc"})
    table.play(orc="use a")
    assert [user for kind, user in told(table) if kind == "use"] == ["orc", "rogue"]


@pytest.mark.heading("Chaining Abilities", "Instant Abilities")
def test_what_an_instant_has_made_impossible_fizzles_and_costs_nothing() -> None:
    # The knight means to rise for its one rush point, and spends that on its answer to itself.
    table = Table({"knight": {**PRONE, **FURIOUS, "rush": 1}, "rogue": {}}).play(knight="rise rush")
    table.play(knight="use a")
    assert told(table) == [("declare", "knight"), ("use", "knight"), ("fizzle", "knight")]
    assert table.conditions("knight") == {"prone": 1}
    assert (table.fighter("knight")["rush"], table.fighter("knight")["action"]) == (0, True)


@pytest.mark.heading("Chaining Abilities", "Instant Abilities")
def test_an_ability_is_no_answer_to_its_own_use_but_others_are() -> None:
    table = Table({"knight": {**PLANNER, "rush": 3}, "rogue": {}, "orc": {"team": "red"}}).play(knight="use_at 1 a")
    assert (table.window, len(table.events_of("use"))) == ("action", 1)
    table = Table({"knight": {"abilities": ["tactics", "violent_defense"], "rush": 2}, "rogue": {}})
    table.play(knight="use_at 1 a")
    assert (table.window, table.legal("knight")) == ("instant", ["pass", "use b"])
    table.play(knight="use b")
    assert [event["ability"] for event in table.events_of("use")] == ["violent_defense", "tactics"]


@pytest.mark.heading("Chaining Abilities", "Opportunity Attacks")
def test_nobody_acts_before_an_opportunity_attack() -> None:
    fighters: Fields = {"knight": {"surprised": True}, "rogue": {}, "orc": {**PLANNER, "team": "red"}}
    table = Table(fighters, [(1, 1, 1), (2, 1)]).play(rogue="opportunity 1 might")
    assert ([event["type"] for event in table.events[-2:]], table.window) == (["declare", "attack"], "action")


@pytest.mark.heading("Chaining Abilities")
def test_each_declaration_of_a_window_is_answered_by_itself() -> None:
    table = Table({"knight": PRONE, "squire": {**PRONE, "team": "blue", "agility": 4}, "rogue": PLANNER})
    table.play(knight="rise", squire="rise")
    assert table.last("declare")["fighter"] == "knight"
    table.play()
    assert (table.window, table.last("declare")["fighter"]) == ("instant", "squire")
    table.play()
    assert [who for kind, who in told(table) if kind == "stand"] == ["knight", "squire"]


def test_a_fight_comes_back_from_an_interrupted_declaration() -> None:
    table = Table({"knight": PRONE, "rogue": PLANNER, "orc": {**FURIOUS, "team": "red"}})
    table.play(knight="rise").play(rogue="use_at 1 a")  # it waits on the stack
    fights, game = table._fights, table._fights.game
    other = game.batch(1, record=True)
    other.restore(0, fights.snapshot(0))
    assert fights.faults(0) == [] and other.faults(0) == []
    assert (line_of(other), fights.describe(0)["occasion"]) == (line_of(fights), "declaration")
    names = game.action_names
    other.step(np.array([[names.index("pass"), names.index("pass"), names.index("use a")]], np.int64))
    table.play(orc="use a")
    assert (other.snapshot(0), other.describe(0)["fighters"]["knight_0"]["conditions"]) == (fights.snapshot(0), {})


def test_the_story_tells_the_declaration_the_answer_and_the_end_of_it() -> None:
    table = Table({"knight": {**PRONE, **FURIOUS, "rush": 1}, "rogue": {}}).play(knight="rise rush")
    table.play(knight="use a")
    assert story(table)[1:] == [
        "Knight sidesteps to its feet.",
        "Knight spends a rush point, 0 left.",
        "Knight uses Violent Defense.",
        "Knight wanted to act (rise), but no longer can.",
    ]


@pytest.mark.heading("Using Abilities")
def test_the_story_tells_which_ability_is_declared() -> None:
    table = Table({"knight": PLANNER, "rogue": {}}).play(knight="use_at 1 a")
    assert table.last("declare") == {
        "type": "declare", "fighter": "knight", "action": "use_at", "ability": "tactics", "target": "rogue",
    }  # fmt: skip
    assert story(table) == [
        "Knight means to use Tactics on Rogue.",
        "Knight spends a rush point, 0 left.",
        "Knight uses Tactics on Rogue.",
    ]


@pytest.mark.heading("Instant Abilities", "Using Abilities")
def test_an_ability_that_can_no_longer_be_paid_for_fizzles_by_name() -> None:
    # One rush point for two instants at the same declaration: what is done last has nothing left to pay with.
    knight = {**PRONE, "abilities": ["tactics", "violent_defense"], "rush": 1}
    table = Table({"knight": knight, "rogue": {"conditions": {"prone": 1}}}).play(rogue="rise")
    table.play(knight="use_at 1 a")
    assert table.legal("knight") == ["pass", "use b"]
    table.play(knight="use b")
    assert table.last("fizzle")["ability"] == "tactics"
    assert story(table)[-1] == "Knight wanted to act (Tactics), but no longer can."
