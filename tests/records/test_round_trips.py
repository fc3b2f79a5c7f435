"""Every shipped scenario and every example, recorded, read back and replayed."""

import json
import random
import warnings
from contextlib import nullcontext
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from heartrush_env.app.heart_rush.encounters.day import read_day
from heartrush_env.app.referee import Side, match
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.scenario.load import load_scenario, shipped_scenarios
from heartrush_env.games.heart_rush.tables import scenario_table
from heartrush_env.records.record import read_record
from heartrush_env.records.recorder import Recorder
from heartrush_env.records.replay import check, replay
from heartrush_env.tabletop.errors import HeartRushError, ScenarioWarning
from heartrush_env.tabletop.files import parse_toml
from heartrush_env.tabletop.kernels import noting
from heartrush_env.tabletop.registry import open_game
from tests.processes import ROOT
from tests.records.recorded import record, write
from tests.reference.scenarios import random_scenario, with_spares
from tests.shipped import SHIPPED
from tests.toy_game import ToyGame

EXAMPLES = [
    path for path in sorted((ROOT / "examples").rglob("*.toml")) if "[[fight" in path.read_text(encoding="utf-8")
]
HOMEBREW = {path.stem for path in (ROOT / "examples" / "homebrew").glob("*.toml")}
ROUNDS = 3
GIFTED: dict[str, Any] = {
    "name": "gifted",
    "max_rounds": 3,
    "fighter": [
        {"from": "knight", "team": "blue", "talents": ["exert"], "destiny_talents": ["dodge_and_weave"]},
        {"from": "duelist", "team": "red", "talents": ["baited_attack"]},
    ],
}


def fights_of(path: Path) -> dict[str, str]:
    """Return the scenarios of an example by name: the fights of a day, or the file itself."""
    if "fight" not in parse_toml(path.read_text(encoding="utf-8")):
        return {path.stem: str(path)}
    return {f"{path.stem}-{number}": fight for number, (fight, _) in enumerate(read_day(path).fights, 1)}


OWN = {name: scenario for path in EXAMPLES for name, scenario in fights_of(path).items()}


def round_trip(given: Any, folder: Path, **rules: Any) -> HeartRush:
    """Record a few rounds of random choices, compare them with the file, and return the game."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ScenarioWarning)  # of abilities that are left out
        scenario = load_scenario({**scenario_table(load_scenario(given, rules)), "max_rounds": ROUNDS})
    game = HeartRush(scenario)
    recorder, happened = record(game, 3)
    found = read_record(write(folder, recorder.content))
    assert found.game == game
    assert [moment.events for moment in replay(found)] == happened
    assert sum(len(step.actions) for step in found.steps) > len(game.agents)
    return game


@pytest.mark.parametrize("name", SHIPPED)
def test_a_fight_of_a_shipped_scenario_is_recorded_and_replayed(name: str, tmp_path: Path) -> None:
    round_trip(name, tmp_path)


@pytest.mark.parametrize("name", ["duel", pytest.param("skirmish", marks=pytest.mark.long)])
def test_a_classic_fight_is_recorded_and_replayed(name: str, tmp_path: Path) -> None:
    assert round_trip(name, tmp_path, edition="classic").edition.turns


@pytest.mark.long
def test_a_classic_fight_with_abilities_is_recorded_and_replayed(tmp_path: Path, plainly: None) -> None:
    game = round_trip(GIFTED, tmp_path, edition="classic")
    assert game.edition.turns and game.scenario.has_abilities


SLOW = ("bridge", "hydra", "alley")


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.long] * (name in SLOW)) for name in OWN])
def test_a_fight_of_an_example_is_recorded_and_replayed(name: str, tmp_path: Path) -> None:
    with noting() if name in HOMEBREW else nullcontext(), np.errstate(over="ignore"):
        game = round_trip(OWN[name], tmp_path)
    assert game.scenario.has_abilities == (name in {"hydra", *HOMEBREW}), "a monster's abilities are in the record"


# -- what cannot be recorded -------------------------------------------------------------------------------------------


def odd_game() -> HeartRush:
    """Return a duel changed in Python, with more rush points than a scenario file may give."""
    scenario = load_scenario("duel")
    knight, duelist = scenario.fighters
    return HeartRush(replace(scenario, fighters=(replace(knight, rush=99), duelist)))


@pytest.mark.parametrize(
    ("game", "why"),
    [(odd_game(), "got 'duel', which has no table"), (ToyGame(), "expected heart_rush")],
    ids=["changed in Python", "another game"],
)
def test_a_game_that_cannot_be_recorded_is_refused_before_the_first_round(game: Any, why: str, tmp_path: Path) -> None:
    with pytest.raises(HeartRushError, match=why):
        Recorder(game, (0, 0), {})
    side = Side("absent", command=("no-such-program",))  # it would be refused for this if it were started
    with pytest.raises(HeartRushError, match=why):
        match(side, side, game, record=tmp_path / "records")
    assert not list(tmp_path.iterdir())


# -- what is written out as a table -----------------------------------------------------------------------------------


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


@pytest.mark.parametrize("edition", ["june2025", "december2025"])
@pytest.mark.parametrize("name", shipped_scenarios())
def test_a_shipped_scenario_written_out_is_the_same_scenario(name: str, edition: str) -> None:
    scenario = load_scenario(name, {"edition": edition, "talk": "open"})
    table = json.loads(json.dumps(scenario_table(scenario)))
    assert load_scenario(table) == scenario
    assert table["rules"] == asdict(scenario.settings), "the settings stand there in full"


def test_any_scenario_written_out_is_the_same_scenario() -> None:
    for seed in range(400):
        rng = random.Random(seed)
        table = random_scenario(rng)
        scenario = load_scenario(with_spares(rng, table) if seed % 2 else table)
        again = load_scenario(json.loads(json.dumps(scenario_table(scenario))))
        assert again == scenario and again.digest == scenario.digest


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
