"""Scenarios written out as plain data."""

from __future__ import annotations

import json
import random
from dataclasses import asdict, replace

import pytest

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.scenario.load import load_scenario, shipped_scenarios
from heartrush_env.games.heart_rush.tables import scenario_table
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.registry import open_game
from tests.reference.scenarios import random_scenario


@pytest.mark.parametrize("edition", ["june2025", "december2025"])
@pytest.mark.parametrize("name", shipped_scenarios())
def test_a_shipped_scenario_written_out_is_the_same_scenario(name: str, edition: str) -> None:
    scenario = load_scenario(name, {"edition": edition, "talk": "open"})
    table = json.loads(json.dumps(scenario_table(scenario)))
    assert load_scenario(table) == scenario
    assert table["rules"] == asdict(scenario.settings), "the settings stand there in full"


def test_any_scenario_written_out_is_the_same_scenario() -> None:
    for seed in range(400):
        scenario = load_scenario(random_scenario(random.Random(seed)))
        assert load_scenario(json.loads(json.dumps(scenario_table(scenario)))) == scenario


@pytest.mark.parametrize(("armor", "bonus"), [("none", 30), ("light", 1), ("heavy", 29), ("heavy", 30)])
def test_every_sum_of_armor_and_bonus_can_be_written(armor: str, bonus: int) -> None:
    table = scenario_table(load_scenario("duel"))
    table["fighter"][0].update(armor=armor, defense_bonus=bonus)
    scenario = load_scenario(table)
    assert load_scenario(scenario_table(scenario)) == scenario


@pytest.mark.parametrize("change", [{"rush": 4}, {"shield": 7}, {"hp": 0}])
def test_a_scenario_that_no_table_gives_is_refused(change: dict[str, int]) -> None:
    scenario = load_scenario("duel")
    odd = replace(scenario, fighters=(replace(scenario.fighters[0], **change), scenario.fighters[1]))
    with pytest.raises(HeartRushError, match=r"^Expected a scenario that was loaded, got 'duel', which has no table"):
        scenario_table(odd)


def test_a_game_written_out_is_the_same_game() -> None:
    game = HeartRush("duel", {"profile": "levels"}, "stance", "team", "team", 3, "hp_change", 50)
    assert open_game(json.loads(json.dumps(game.as_table())), "here") == game
