"""Above the Fray: once a round, an interaction, a sidestep or help costs no action."""

import pytest

from tests.games.heart_rush.rules.map_table import at, on_map
from tests.games.heart_rush.rules.table import Fields, Table

pytestmark = pytest.mark.heading("Above the Fray")
OWNER: Fields = {"abilities": ["above_the_fray"], "rush": 0}


def acts(table: Table) -> bool:
    """Return whether the knight's action is left."""
    return bool(table.fighter("knight")["action"])


@pytest.mark.heading("Understanding Actions and Abilities")
def test_the_first_help_of_a_round_is_free_and_the_second_is_not() -> None:
    table = Table({"knight": OWNER, "page": {"team": "blue"}, "rogue": {}})
    table.play(knight="help 1")
    assert acts(table) and table.fighter("knight")["loadout"]["a"]["ability"] == "above_the_fray"
    table.play(knight="help 1")
    assert not acts(table) and "help 1" not in table.legal("knight")
    table.finish_round().play(knight="help 1")
    assert acts(table), "it is free again in the next round"


def test_a_free_sidestep_leaves_the_action_for_a_second_one() -> None:
    table = on_map("......\n.K..R.\n......", {"knight": OWNER, "rogue": {}}).play(knight="sidestep n")
    assert (acts(table), at(table, "knight")) == (True, (1, 0))
    table.play(knight="sidestep s")
    assert (acts(table), at(table, "knight")) == (False, (1, 1))
    assert "sidestep s" not in table.legal("knight")


def test_a_sidestep_for_a_rush_point_leaves_the_free_one() -> None:
    table = on_map("......\n.K..R.\n......", {"knight": {**OWNER, "rush": 1}, "rogue": {}})
    table.play(knight="sidestep n rush").play(knight="sidestep s").play(knight="sidestep n")
    assert (acts(table), table.fighter("knight")["rush"]) == (False, 0)


def test_the_usual_free_interaction_comes_first() -> None:
    owner = {**OWNER, "spare_weapon": "dagger"}
    table = Table({"knight": owner, "rogue": {}})
    for left in (True, True, False):
        table.play(knight="swap")
        assert acts(table) == left
    assert "swap" not in table.legal("knight")


def test_it_is_spent_by_whichever_of_them_comes_first() -> None:
    table = Table({"knight": {**OWNER, "conditions": {"prone": 1}}, "page": {"team": "blue"}, "rogue": {}})
    table.play(knight="rise")
    assert acts(table) and table.conditions("knight") == {}
    table.play(knight="help 1")
    assert not acts(table)


def test_a_confused_fighter_that_has_risen_for_nothing_has_moved() -> None:
    confused = {**OWNER, "conditions": {"prone": 1, "confused": 1}}
    table = Table({"knight": confused, "page": {"team": "blue"}, "rogue": {}}).play(knight="rise")
    assert acts(table) and "help 1" not in table.legal("knight"), "it may not act after it has moved"


def test_free_help_takes_no_breath_and_a_free_step_does() -> None:
    breathless = {**OWNER, "conditions": {"suffocating": 1}}
    table = Table({"knight": breathless, "page": {"team": "blue"}, "rogue": {}}).play(knight="help 1")
    assert table.window == "action"
    table = on_map("......\n.K..R.\n......", {"knight": breathless, "rogue": {}}, [5]).play(knight="sidestep n")
    assert table.fighter("knight")["hits"] == [5]


@pytest.mark.interplay("above_the_fray", "feint")
def test_a_feint_is_paid_for_as_a_sidestep() -> None:
    table = Table({"knight": {**OWNER, "talents": ["feint"]}, "rogue": {}}).play(knight="use_at 1 a")
    assert acts(table) and table.last("pick")["answer"] == "the action"


def test_a_confused_fighter_that_has_acted_pays_for_its_feint_with_its_second_action() -> None:
    owner = {**OWNER, "talents": ["feint"], "conditions": {"confused": 1, "burning": 1}}
    table = Table({"knight": owner, "rogue": {}})
    table._fights._fights[0].fighters[0].more_actions = 1
    table.restore().play(knight="put_out_fire")
    assert acts(table), "that was the further action"
    table.play(knight="use_at 1 a")
    assert not acts(table)


def test_the_interaction_of_an_ability_is_free() -> None:
    fighters: dict[str, Fields] = {"knight": {**OWNER, "talents": ["rejuvenate"], "spare_weapon": "dagger"}}
    fighters |= {"page": {"team": "blue", "hp_now": 20}, "rogue": {}}
    table = Table(fighters).play(knight="swap")
    table.play(knight="use_for 1 a").play(knight="pick 0").play(knight="pick 4")
    assert (acts(table), table.hp("page")) == (True, 22)
    table.play(knight="swap")
    assert not acts(table)


def test_a_trip_is_free_anyway_and_leaves_it_unspent() -> None:
    fighters: dict[str, Fields] = {"knight": OWNER, "rogue": {"conditions": {"off_balanced": 1}}}
    table = on_map("R......\n...K...\n.......", fighters).play(rogue="dash 6,0").play(knight="trip 1")
    assert "prone" in table.conditions("rogue") and acts(table)
    table.play(knight="sidestep s")
    assert acts(table)
