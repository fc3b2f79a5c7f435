"""Games are opened by name: those of the package, and those that other packages register."""

import json
import multiprocessing
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import heartrush_env
from heartrush_env.envs.parallel import ParallelFights
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.records import Recorder, check, read_record
from heartrush_env.tabletop import registry
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.registry import game_names, open_game, register_game
from tests.toy_game import ToyGame

TOY = """
from tests.toy_game import open_table
"""


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Register the toy game of the tests while a test runs."""
    monkeypatch.setenv(registry.VARIABLE, "")
    register_game("hidden_hands", "tests.toy_game")
    yield


def test_a_table_without_a_game_or_options_is_heart_rush_with_its_defaults() -> None:
    assert open_game({"scenario": "duel"}) == HeartRush("duel") == heartrush_env.open_game({"scenario": "duel"})
    assert open_game({"game": "heart_rush", "scenario": "duel", "rules": {"talk": "open"}, "memory": 0}) == HeartRush(
        "duel", {"talk": "open"}, memory=0
    )


@pytest.mark.parametrize(
    ("table", "why"),
    [
        ({"game": "chess", "scenario": "duel"}, "here: game: expected heart_rush or heretics, got 'chess'."),
        ({"game": 3}, "here: game: expected heart_rush or heretics, got 3."),
        ({"game": "heart_rush"}, "here: scenario is missing; expected "),
        ({"scenario": "duel", "memorx": 3}, "here: unknown field 'memorx'"),
        ({"scenario": "duel", "memory": 9}, "here: memory: expected None, 0, 1, 2, 3, 4, 5, 6, 7 or 8, got 9."),
    ],
)
def test_a_bad_table_is_refused_in_a_sentence(table: dict[str, object], why: str) -> None:
    with pytest.raises(HeartRushError) as refused:
        open_game(table, "here")
    assert str(refused.value).startswith(why)


def test_a_registered_game_is_opened_recorded_and_replayed(toy: None, tmp_path: Path) -> None:
    game = ToyGame(num_seats=3, rounds=4)
    assert "hidden_hands" in game_names()
    assert open_game(json.loads(json.dumps(game.as_table()))) == game
    env = ParallelFights(game)
    _, infos = env.reset(seed=5)
    recorder = Recorder(game, env.key, {agent: {"agent": "random"} for agent in game.agents})
    recorder.begin(env.events)
    rng = np.random.default_rng(1)
    while env.agents:
        actions = {agent: int(rng.choice(np.flatnonzero(infos[agent]["action_mask"]))) for agent in env.agents}
        _, rewards, _, _, infos = env.step(actions)
        recorder.step(actions, env.events)
    recorder.end(rewards)
    found = read_record(recorder.write(tmp_path / "toy.hrr"))
    assert found.game == game
    check(found)


def test_another_package_registers_a_game_by_an_entry_point(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """This is how an installed distribution does it."""
    (tmp_path / "hands_of_others.py").write_text(TOY)
    metadata = tmp_path / "hands-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: hands\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[heartrush_env.games]\nhidden_hands = hands_of_others\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    try:
        assert game_names() == ("heart_rush", "heretics", "hidden_hands")
        assert open_game(ToyGame(rounds=3).as_table()) == ToyGame(rounds=3)
    finally:
        sys.modules.pop("hands_of_others", None)


def opened_elsewhere(name: str) -> str:
    """Return the name of the game's scenario, or the refusal; other processes run this."""
    try:
        return open_game({"game": name}).scenario_name
    except HeartRushError as refusal:
        return str(refusal)


def test_a_registered_game_reaches_the_processes_that_are_started_later(toy: None) -> None:
    register_game("stones", "no_such.opening")
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        found = list(pool.map(opened_elsewhere, ("hidden_hands", "stones")))
    assert found == [
        "table",
        "game: expected a module 'no_such.opening' for the game 'stones', got none in this process (No module named "
        "'no_such'); an installed package with an entry point of the group 'heartrush_env.games' is found by all.",
    ]
