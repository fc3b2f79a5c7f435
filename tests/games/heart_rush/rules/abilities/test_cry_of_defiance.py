"""Cry of Defiance: the end of one condition, a level of each, or healing."""

import pytest

from tests.games.heart_rush.rules.table import Table

pytestmark = pytest.mark.heading("Cry of Defiance")
ONE, EACH, HEAL = "pick 0", "pick 1", "pick 2"
DAZED, PRONE, GRAPPLED = "pick 0", "pick 17", "pick 25"


def crying(**more: object) -> Table:
    """Return a table at which the knight has begun to cry."""
    table = Table({"knight": {"abilities": ["cry_of_defiance"], "rush": 3, **more}, "rogue": {}})
    table.play(knight="use a")
    return table


def test_it_ends_one_condition_with_all_its_levels() -> None:
    table = crying(conditions={"dazed": 3, "weakened": 2})
    assert table.legal("knight") == [ONE, EACH, HEAL]
    table.play(knight=ONE)
    assert table.legal("knight") == [DAZED, "pick 2"]
    table.play(knight=DAZED)
    assert (table.conditions("knight"), table.fighter("knight")["rush"]) == ({"weakened": 2}, 2)


def test_it_may_end_a_condition_without_levels() -> None:
    table = crying(conditions={"prone": 1, "dazed": 1})
    table.play(knight=ONE).play(knight=PRONE)
    assert table.conditions("knight") == {"dazed": 1}


def test_its_fighter_is_free_of_a_hold() -> None:
    knight = {"abilities": ["cry_of_defiance"], "rush": 1, "conditions": {"grappled": {"source": "rogue"}}}
    table = Table({"knight": knight, "rogue": {}})
    assert "grappled" in table.conditions("knight")
    table.play(knight="use a").play(knight=ONE)  # being grappled is its one condition, so nothing more is asked
    assert table.conditions("knight") == table.conditions("rogue") == {}


def test_a_level_of_each_spares_conditions_without_levels() -> None:
    table = crying(conditions={"dazed": 3, "weakened": 1, "prone": 1})
    table.play(knight=EACH)
    assert table.conditions("knight") == {"dazed": 2, "prone": 1}


def test_it_heals_the_sides_of_the_largest_heart_die() -> None:
    table = crying(hp_now=20, heart=10, heart_now=6, conditions={"dazed": 1})
    table.play(knight=HEAL)
    assert table.hp("knight") == 30


def test_without_a_condition_it_heals_and_nothing_is_asked() -> None:
    table = crying(hp_now=20, conditions={"highground": 1})
    assert table.hp("knight") == 28
    picked = {"type": "pick", "fighter": "knight", "ability": "cry_of_defiance", "part": 0, "answer": "heal"}
    assert table.last("pick") == picked


def test_a_fighter_that_does_not_answer_heals() -> None:
    table = crying(hp_now=20, conditions={"dazed": 2})
    table.play()  # nothing is chosen, so the automatic answer is taken
    assert (table.hp("knight"), table.conditions("knight")) == (28, {"dazed": 2})


def test_it_fizzles_if_its_condition_has_ended_before_its_turn() -> None:
    knight = {"abilities": ["cry_of_defiance"], "rush": 1, "agility": 4, "conditions": {"burning": 1, "dazed": 1}}
    fighters = {"knight": knight, "rogue": {"agility": 12}, "page": {"team": "blue", "agility": 12}}
    table = Table(fighters).play(knight="use a", page="douse 1").play(knight=ONE).play(knight="pick 18")
    assert table.window == "instant"  # the knight may cry at the page's declaration, too
    table.pass_to("stance")
    assert (table.last("fizzle")["fighter"], table.conditions("knight")["dazed"]) == ("knight", 1)
    assert table.fighter("knight")["rush"] == 1  # it costs nothing
