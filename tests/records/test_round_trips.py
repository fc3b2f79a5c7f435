"""Every shipped scenario and every example, recorded, read back and replayed."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from heartrush_env.app.heart_rush.encounters.day import read_day
from heartrush_env.app.referee import Side, match
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.scenario.load import load_scenario
from heartrush_env.games.heart_rush.tables import scenario_table
from heartrush_env.records.record import read_record
from heartrush_env.records.recorder import Recorder
from heartrush_env.records.replay import replay
from heartrush_env.tabletop.errors import HeartRushError, ScenarioWarning
from heartrush_env.tabletop.files import parse_toml
from tests.records.recorded import record, write
from tests.shipped import SHIPPED
from tests.toy_game import ToyGame

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
ROUNDS = 3


def fights_of(path: Path) -> dict[str, str]:
    """Return the scenarios of an example by name: the fights of a day, or the file itself."""
    if "fight" not in parse_toml(path.read_text(encoding="utf-8")):
        return {path.stem: str(path)}
    return {f"{path.stem}-{number}": fight for number, (fight, _) in enumerate(read_day(path).fights, 1)}


OWN = {name: scenario for path in sorted(EXAMPLES.rglob("*.toml")) for name, scenario in fights_of(path).items()}


def round_trip(given: str, folder: Path, **rules: Any) -> HeartRush:
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


@pytest.mark.parametrize("name", OWN)
def test_a_fight_of_an_example_is_recorded_and_replayed(name: str, tmp_path: Path) -> None:
    game = round_trip(OWN[name], tmp_path)
    assert game.scenario.has_abilities == (name == "hydra"), "a monster's abilities are in the record"


# -- what cannot be recorded -------------------------------------------------------------------------------------------


def odd_game() -> HeartRush:
    """Return a duel changed in Python, with more rush points than a scenario file may give."""
    scenario = load_scenario("duel")
    knight, duelist = scenario.fighters
    return HeartRush(replace(scenario, fighters=(replace(knight, rush=99), duelist)))


@pytest.mark.parametrize(
    ("game", "why"),
    [
        (odd_game(), "got 'duel', which has no table"),
        (ToyGame(), "expected heart_rush"),
    ],
    ids=["changed in Python", "another game"],
)
def test_a_game_that_cannot_be_recorded_is_refused_before_the_first_round(game: Any, why: str, tmp_path: Path) -> None:
    with pytest.raises(HeartRushError, match=why):
        Recorder(game, (0, 0), {})
    side = Side("absent", command=("no-such-program",))  # it would be refused for this if it were started
    with pytest.raises(HeartRushError, match=why):
        match(side, side, game, record=tmp_path / "records")
    assert not list(tmp_path.iterdir())
