"""Quicksand of the Sand Serpent: restrained until an action is spent."""

import pytest

from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import Dice, Fields, Table

pytestmark = pytest.mark.heading("Quicksand")
SERPENT: Fields = {"abilities": ["sand_serpent.quicksand"]}


def sunk(dice: Dice = ((1, 1),), **knight: object) -> Table:
    """Return a table at which the serpent has used its sand on the knight."""
    return Table({"serpent": SERPENT, "knight": knight}, dice).play(serpent="use_at 1 a")


@pytest.mark.parametrize(("save", "restrained"), [((5, 3), {"restrained": 1}), ((5, 4), {})])
def test_an_enemy_saves_with_agility_against_9_or_is_restrained(save: tuple[int, int], restrained: dict) -> None:
    table = sunk([save])
    assert (table.conditions("knight"), table.last("check")["ability"]) == (restrained, "agility")
    assert table.fighter("serpent")["action"], "it costs nothing"
    assert (table.window == "pick") == bool(restrained)


def test_the_action_gets_it_out_at_once() -> None:
    table = sunk()
    assert (table.choosers(), table.legal("knight")) == ({"knight"}, ["pass", "pick 0"])
    table.restore().play(knight="pick 0")
    assert (table.conditions("knight"), table.fighter("knight")["action"]) == ({}, False)


def test_who_stays_in_it_is_asked_again_as_each_round_starts() -> None:
    table = sunk().play(knight="pass").finish_round()
    assert (table.round, table.window, table.conditions("knight")) == (2, "pick", {"restrained": 1})
    table.play(knight="pick 0").finish_round()
    assert (table.round, table.window, table.conditions("knight")) == (3, "action", {})


def test_an_action_spent_on_something_else_frees_it_as_stances_are_shown() -> None:
    table = Table({"serpent": SERPENT, "knight": {}, "page": {"team": "red"}}, [(1, 1)]).play(serpent="use_at 1 a")
    table.play(knight="pass").play(knight="help 1").pass_to("stance")
    assert table.conditions("knight") == {"restrained": 1}
    assert table.engage(knight="defensive").conditions("knight") == {}


def test_who_has_no_action_left_is_not_asked_and_gets_out_as_stances_are_shown() -> None:
    table = Table({"serpent": SERPENT, "knight": {}, "page": {"team": "red"}}, [(1, 1)]).play(knight="help 1")
    table.play(serpent="use_at 1 a")
    assert (table.window, table.conditions("knight")) == ("action", {"restrained": 1})
    assert table.finish_round().conditions("knight") == {}


def test_once_a_round_and_not_for_one_that_is_in_it() -> None:
    table = Table({"serpent": SERPENT, "knight": {}, "monk": {}}, [(1, 1), (6, 6)]).play(serpent="use_at 1 a")
    table.play(knight="pass")
    assert not [name for name in table.legal("serpent") if name.startswith("use_at")]
    table.finish_round().play(knight="pass")
    assert [name for name in table.legal("serpent") if name.startswith("use_at")] == ["use_at 2 a"]
    table.play(serpent="use_at 2 a")


@pytest.mark.parametrize(("gap", "reached"), [(5, True), (6, False)])
def test_it_reaches_30_feet(gap: int, reached: bool) -> None:
    table = on_map(f"S{'.' * gap}K", {"serpent": SERPENT, "knight": {}})
    assert ("use_at 1 a" in table.legal("serpent")) == reached


@pytest.mark.interplay("sand_serpent.ambusher", "sand_serpent.quicksand")
def test_whom_it_holds_the_ambusher_strikes_with_advantage() -> None:
    serpent = {"abilities": ["sand_serpent.quicksand", "sand_serpent.ambusher"]}
    dice = [(1, 1), (1, 1, 1, 1, 1), (8, 6, 1)]  # two levels for the serpent, and one less for the knight's defense
    table = Table({"serpent": serpent, "knight": {}}, dice).play(serpent="use_at 1 a").play(knight="pass")
    table.engage(serpent="cunning: attack 1", knight="agility")
    assert table.last("attack")["attack_causes"] == {"ability": 2}


def test_an_action_frees_it_although_the_serpent_has_fallen() -> None:
    serpent = {**SERPENT, "hp": 1, "conditions": {"burning": 1}}
    fighters = {"serpent": serpent, "scout": {"team": "blue"}, "knight": {"team": "red"}, "page": {"team": "red"}}
    # The save fails; the fire of round 1 kills the serpent.
    table = Table(fighters, [(1, 1), 6]).play(serpent="use_at 1 a").play(knight="pass").finish_round()
    assert (table.status("serpent"), table.window) == ("dead", "pick")
    table.play(knight="pass").play(knight="help 1").engage(knight="defensive")
    assert table.conditions("knight") == {}


def test_the_stunned_cannot_get_out() -> None:
    fighters = {"serpent": SERPENT, "knight": {"conditions": {"stunned": 1}}}
    table = Table(fighters, [(1, 1)]).play(serpent="use_at 1 a")
    assert (table.window, table.conditions("knight").get("restrained")) != ("pick", 1)
