"""Rising by the agility stance, and being tripped in one's own steps: positions with given dice."""

from collections.abc import Mapping
from typing import Any

import pytest

from heartrush_env.games.heart_rush.scenario.load import load_scenario
from heartrush_env.tabletop.errors import RulesError
from tests.games.heart_rush.rules.map_table import at
from tests.games.heart_rush.rules.table import Dice, Table

PRONE = {"conditions": {"prone": 1}}
UNSTEADY = {"conditions": {"off_balanced": 2}}


def prone_duel(dice: Dice, rules: Mapping[str, Any] | None = None) -> Table:
    """Return a table with a prone fighter in agility against one in might."""
    return Table({"a": PRONE, "b": {}}, dice, rules, heroes=["blue"]).engage(a="agility", b="might")


@pytest.mark.heading("Agility Stance", "Getting Up")
def test_a_prone_fighter_that_rises_by_its_agility_attacks_without_the_disadvantage() -> None:
    table = prone_duel([5, 4, 6, 3, 2]).play(a="rise").play(a="attack 1").pass_to("shrug").play()
    assert table.facts("b", ["hp", "wounds"]) == {"hp": 30, "wounds": 10}
    assert "prone" not in table.conditions("a") and table.fighter("a")["action"]


@pytest.mark.heading("Agility Stance")
def test_a_prone_fighter_that_attacks_first_has_the_disadvantage_and_may_rise_then() -> None:
    table = prone_duel([5, 4, 6, 1, 3, 2]).play(a="attack 1")
    assert (table.choosers(), table.legal("a")) == ({"a"}, ["pass", "rise"])
    table.play(a="rise")
    assert "prone" not in table.conditions("a")
    assert table.pass_to("shrug").play().hp("b") == 35


@pytest.mark.heading("Agility Stance")
def test_a_prone_fighter_on_a_map_may_rise_by_its_agility_or_crawl_one_step() -> None:
    field = {"map": ["....", "...."]}
    table = Table({"a": {"at": [0, 0], **PRONE}, "b": {"at": [1, 0]}}, battlefield=field)
    table.engage(a="agility", b="might")
    assert {"rise", "sidestep s", "attack 1"} <= set(table.legal("a")) and "rise rush" not in table.legal("a")
    table.play(a="rise")
    assert "attack 1" in table.legal("a") and not {"rise", "sidestep s"} & set(table.legal("a"))


@pytest.mark.heading("Agility Stance", "Getting Up")
def test_agility_rises_false_leaves_a_prone_fighter_prone() -> None:
    table = prone_duel([], {"agility_rises": False})
    assert "attack 1" in table.legal("a") and "rise" not in table.legal("a")


@pytest.mark.heading("Agility Stance")
@pytest.mark.parametrize("barred", [{"grappled": {"source": "b"}}, {"restrained": 1}, {"stunned": 1}])
def test_a_fighter_that_is_held_or_stunned_does_not_rise_by_its_agility(barred: Mapping[str, Any]) -> None:
    table = Table({"a": {"conditions": {"prone": 1, **barred}}, "b": {}}).pass_to("stance")
    if "stance agility" in table.legal("a"):
        assert "rise" not in table.engage(a="agility", b="might").legal("a")


@pytest.mark.heading("Agility Stance")
def test_in_the_classic_round_the_free_step_may_always_be_a_rise() -> None:
    classic = {"edition": "classic", "agility_rises": False}
    assert load_scenario("duel", classic).settings.agility_rises
    table = Table({"a": PRONE, "b": {}}, [4], classic, heroes=["blue"]).play(a="engage 1")
    assert "rise" in table.engage(a="agility", b="might").legal("a")


# ---- trips


def beside(knight: tuple[int, int], rules: Mapping[str, Any] | None = None, dice: Dice = (), **more: Any) -> Table:
    """Return a table with an off-balanced knight on a map of 8 by 6 with a rogue at (3, 2)."""
    fighters = {"knight": {"at": list(knight), **UNSTEADY, **more}, "rogue": {"at": [3, 2]}}
    return Table(fighters, dice, rules, battlefield={"map": ["........"] * 6})


@pytest.mark.heading("Trip")
def test_an_off_balanced_fighter_may_be_tripped_where_it_has_sidestepped() -> None:
    table = beside((2, 2)).play(knight="sidestep n")
    assert (table.choosers(), table.legal("rogue")) == ({"rogue"}, ["pass", "trip 1"])
    table.play(rogue="trip 1")
    assert (at(table, "knight"), table.conditions("knight")["prone"]) == ((2, 1), 1)
    assert not table.fighter("knight")["action"] and table.fighter("rogue")["action"]


@pytest.mark.heading("Trip")
@pytest.mark.parametrize(
    ("step", "rules", "conditions"),
    [
        ("sidestep w", {}, {"off_balanced": 2}),  # to a distance of two squares
        ("sidestep n", {"trip_on": "dashes"}, {"off_balanced": 2}),
        ("sidestep n", {}, {"off_balanced": 1, "prone": 1}),  # nothing is left to trip
        ("sidestep n", {}, {}),
    ],
)
def test_a_sidestep_that_leads_away_or_is_steady_is_not_tripped(
    step: str, rules: Mapping[str, Any], conditions: Mapping[str, int]
) -> None:
    assert "trip 1" not in beside((2, 2), rules, conditions=conditions).play(knight=step).legal("rogue")


@pytest.mark.heading("Trip")
def test_a_step_of_the_agility_stance_may_end_prone_before_the_attack() -> None:
    table = beside((2, 2), dice=[5, 4, 6, 1, 2, 3, 3, 2]).engage(knight="agility: sidestep n", rogue="might")
    assert table.legal("rogue") == ["pass", "trip 1"]
    table.play(rogue="trip 1")
    assert "attack 1" in table.legal("knight") and "prone" in table.conditions("knight")
    table.play(knight="attack 1")  # two dice for off-balanced, one for prone: 6, 5 and 4 are dropped, 6 are left
    assert table.pass_to("shrug").play().hp("rogue") == 39


@pytest.mark.heading("Trip")
def test_a_last_step_of_the_agility_stance_may_be_tripped_and_the_attack_before_it_still_lands() -> None:
    table = beside((2, 2), dice=[5, 4, 6, 1, 2, 3, 2])
    # Two dice for off-balanced: 6 and 5 are dropped, 4 + 1 + 2 are left, against 5.
    table.engage(knight="agility: attack 1", rogue="might").play(knight="sidestep n").play(rogue="trip 1")
    table.pass_to("shrug").play()
    assert (at(table, "knight"), "prone" in table.conditions("knight"), table.hp("rogue")) == ((2, 1), True, 38)


@pytest.mark.heading("Trip", "Melee")
@pytest.mark.parametrize("trips", [True, False])
def test_a_fighter_that_follows_its_push_is_tripped_beside_another_enemy(trips: bool) -> None:
    knight = {"at": [0, 1], "conditions": {"off_balanced": 1}}
    fighters = {"knight": knight, "rogue": {"at": [1, 1]}, "bandit": {"at": [2, 0]}}
    table = Table(fighters, [5, 4, 6, 3, 2], battlefield={"map": ["........"] * 3})
    table.engage(knight="might: attack 1", rogue="cunning").pass_to("follow")
    assert at(table, "rogue") == (3, 1)
    table.play(knight="follow")
    assert (at(table, "knight"), table.legal("bandit")) == ((1, 1), ["pass", "trip 1"])
    table.play(bandit="trip 1" if trips else "pass")
    if not trips:  # the pushed creature may trip it at the next square
        assert (at(table, "knight"), table.choosers()) == ((2, 1), {"rogue"})
        table.play()
    assert (at(table, "knight"), "prone" in table.conditions("knight")) == ((1, 1) if trips else (2, 1), trips)


@pytest.mark.heading("Trip", "Stunt")
def test_a_fighter_that_swings_past_another_is_tripped_where_it_lands() -> None:
    fighters = {"knight": {"at": [0, 0], "conditions": {"off_balanced": 1}}, "rogue": {"at": [1, 0]}}
    table = Table(fighters, [6, 5, 6, 1, 2], battlefield={"map": ["....", "...."]})
    table.engage(knight="agility: swing_past 1", rogue="might").pass_to("opportunity")
    assert (at(table, "knight"), table.legal("rogue")) == ((2, 0), ["pass", "trip 1"])
    assert "prone" in table.play(rogue="trip 1").conditions("knight")


@pytest.mark.heading("Trip")
def test_a_fighter_that_is_pushed_or_dragged_is_not_tripped() -> None:
    fighters = {"knight": {"at": [1, 1], **UNSTEADY}, "rogue": {"at": [0, 1]}, "bandit": {"at": [3, 0]}}
    table = Table(fighters, [5, 4, 6, 3, 2], battlefield={"map": ["......"] * 3})
    table.engage(rogue="might: attack 1", knight="cunning")
    while table.window != "stance":
        assert not any("trip" in action for name in table.choosers() for action in table.legal(name))
        table.play()
    assert at(table, "knight") == (3, 1)


def felled(rules: Mapping[str, Any]) -> Table:
    """Return a table with a knight that was tripped in its dash, has risen, and steps on beside the same enemy."""
    table = beside((2, 4), rules, rush=3).play(knight="dash 0,-3")
    assert at(table, "knight") == (2, 1)
    assert "prone" in table.play(rogue="trip 1").conditions("knight")
    table.play(knight="rise").play(knight="sidestep s rush")
    assert at(table, "knight") == (2, 2)
    return table


@pytest.mark.heading("Trip")
def test_a_fighter_trips_the_same_creature_once_a_round() -> None:
    assert "trip 1" not in felled({}).legal("rogue")


@pytest.mark.heading("Trip")
def test_with_trips_unlimited_a_creature_is_felled_again_as_often_as_it_steps() -> None:
    table = felled({"trips_per_round": "unlimited"})
    assert table.legal("rogue") == ["pass", "trip 1"]
    assert "prone" in table.play(rogue="trip 1").conditions("knight")


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ({"trip_on": "crawls"}, "steps or dashes"),
        ({"trips_per_round": 2}, "once or unlimited"),
        ({"agility_rises": "no"}, "true or false"),
    ],
)
def test_a_wrong_value_is_refused_with_those_allowed(rules: Mapping[str, Any], words: str) -> None:
    with pytest.raises(RulesError, match=words):
        load_scenario("duel", rules)
