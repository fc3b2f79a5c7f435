"""Records of fights with talents and other abilities."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import pytest

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.scenario.load import load_scenario
from heartrush_env.games.heart_rush.tables import scenario_table
from heartrush_env.records.record import read_record
from heartrush_env.records.replay import check
from heartrush_env.tabletop.errors import ScenarioWarning
from tests.records.recorded import record, write

EXAMPLES = sorted((Path(__file__).resolve().parents[2] / "examples").rglob("*.toml"))
GIFTED: dict[str, Any] = {
    "name": "gifted",
    "max_rounds": 3,
    "fighter": [
        {"from": "knight", "team": "blue", "talents": ["exert"], "destiny_talents": ["dodge_and_weave"]},
        {"from": "duelist", "team": "red", "talents": ["baited_attack"]},
    ],
}


@pytest.mark.parametrize("path", [path for path in EXAMPLES if "[[fight]]" not in path.read_text()], ids=str)
def test_an_example_written_out_is_the_same_scenario(path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ScenarioWarning)
        scenario = load_scenario(path)
        assert load_scenario(json.loads(json.dumps(scenario_table(scenario)))) == scenario


def test_a_fight_with_talents_is_recorded_and_replayed(tmp_path: Path, plainly: None) -> None:
    game = HeartRush(GIFTED)
    found = read_record(write(tmp_path, record(game, 3)[0].content))
    assert found.game == game and found.game.scenario.has_abilities
    check(found)
