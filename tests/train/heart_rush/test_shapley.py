"""Fitted Shapley iteration: the observations of states, the backup of one state, and whole runs."""

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from heartrush_agents import load
from heartrush_agents.heart_rush.learned import duel_rows
from heartrush_agents.heart_rush.learned.duel_rows import SeatWindows, read_windows
from heartrush_train.config import ShapleyConfig, TrainingError
from heartrush_train.export import write_agent
from heartrush_train.heart_rush.shapley import ShapleyRun
from heartrush_train.recipes import prepare
from scipy.optimize import linprog

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.research.best_response import exploitability, read_policies
from heartrush_env.research.plain.kernel import solve_states
from heartrush_env.research.query import show
from heartrush_env.research.solve import read_duel, solve
from heartrush_env.research.zero_sum import SolverError
from tests.train.runs import boar_and_fox, check_rows, check_that_a_stopped_run_ends_alike, nothing

PLAIN = {"profile": "plain"}
SMALL = {"n_states": 256, "batch_size": 64, "net_arch": (32, 32), "checkpoint_every": 20}


@pytest.fixture
def scenario(tmp_path: Path) -> str:
    return write(tmp_path, "if_able")


def write(folder: Path, contested: str) -> str:
    return boar_and_fox(folder, profile="plain", contested=contested)


def small(scenario: str, folder: Path, updates: int = 60, **options: Any) -> ShapleyRun:
    config = ShapleyConfig(scenario, total_samples=256 * updates, **{**SMALL, **options})
    run = prepare(config, folder / "run")
    assert isinstance(run, ShapleyRun)
    return run


# -- the observations of states ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("side", [0, 1])
def test_sums_are_the_rows_that_the_kernel_writes(side: int) -> None:
    check_rows(read_duel(HeartRush("duel", rules=PLAIN)), side)


def test_a_feature_of_two_numbers_is_refused_by_name(monkeypatch: pytest.MonkeyPatch, scenario: str) -> None:
    def entangled(duel: Any, window: Any, states: Any, hits: Any) -> Any:
        features, masks = show(duel, window, states, hits)
        features[:, duel.game.feature_names.index("self hp")] *= states[:, 1]
        return features, masks

    monkeypatch.setattr(duel_rows, "show", entangled)
    with pytest.raises(SolverError, match="'self hp' depends on two numbers of a state"):
        read_windows(read_duel(HeartRush(scenario)))


# -- the backup of a state ---------------------------------------------------------------------------------------------


def backup(game: HeartRush, values: Any, states: Any) -> tuple[Any, Any, Any, Any]:
    duel, n = read_duel(game), len(states)
    found, games, mixes, attacks = np.zeros(n), np.zeros((n, 4, 4)), np.zeros((n, 2, 4)), np.ones((n, 2, 3))
    solve_states(states, values, duel.arrays, found, games, mixes, attacks)
    return found, games, mixes, attacks


@pytest.mark.parametrize("contested", ["if_able", "mutual"])
def test_the_solution_is_a_fixed_point(tmp_path: Path, contested: str) -> None:
    game = HeartRush(write(tmp_path, contested))
    table = solve(game)
    states = np.argwhere(np.ones(table.duel.shape, np.bool_))
    states = states[(states[:, :2] > 0).all(axis=1)]
    found, _, _, _ = backup(game, table.values[0], states)
    assert np.abs(found - table.values[0][tuple(states.T)]).max() < 1e-12


def test_mixes_and_values_of_any_critic_solve_the_game_by_linear_programming(scenario: str) -> None:
    game = HeartRush(scenario)
    duel, rng = read_duel(game), np.random.default_rng(5)
    values = duel.new_values()
    values[1:, 1:] = rng.uniform(-1, 1, values[1:, 1:].shape)
    states = np.array([(7, 5, 1, 1), (1, 5, 0, 1), (3, 2, 1, 0), (1, 1, 0, 0)])
    found, games, mixes, _ = backup(game, values, states)
    for value, matrix, (row, column) in zip(found, games, mixes, strict=True):
        # The row's mix x and its value v: maximise v where x' G >= v in every column.
        least, bounds = np.column_stack([-matrix.T, np.ones(4)]), [(0, None)] * 4 + [(None, None)]
        answer = linprog([0, 0, 0, 0, -1], least, np.zeros(4), [[1, 1, 1, 1, 0]], [1], bounds)
        assert abs(-answer.fun - value) < 1e-9
        assert (row @ matrix).min() > value - 1e-9
        assert (matrix @ column).max() < value + 1e-9


# -- runs --------------------------------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize(
    ("updates", "larger", "left"),
    [
        (80, {}, 1.0),
        pytest.param(320, {"n_states": 1024, "batch_size": 128, "net_arch": (64, 64)}, 0.2, marks=pytest.mark.long),
    ],
)
def test_exploitability_falls_and_stands_in_journal_and_facts(
    scenario: str, tmp_path: Path, updates: int, larger: dict[str, Any], left: float
) -> None:
    run = small(scenario, tmp_path, updates=updates, **larger)  # 80 updates
    run.table = solve(run.game)
    at_first = run.measure()
    seen: list[Any] = []
    run.train(seen.append)
    assert at_first > 1.0
    assert run.nash_conv is not None and run.nash_conv < left
    assert run.facts()["nash_conv"] == run.nash_conv == seen[-1].nash_conv
    lines = (tmp_path / "run" / "progress.jsonl").read_text().splitlines()
    assert len(lines) == 4
    assert f'"nash_conv": {run.nash_conv}' in lines[-1]


@pytest.mark.parametrize("contested", ["if_able", "mutual"])
def test_the_figure_is_that_of_the_agent_written(tmp_path: Path, contested: str) -> None:
    run = small(write(tmp_path, contested), tmp_path, updates=20)
    network = run.train(nothing)
    write_agent(tmp_path / "agent", "pupil", "A pupil.", network, run.game, run.facts())
    player = load(str(tmp_path / "agent")).seat(run.duel.game)
    read = exploitability(run.table, read_policies(player, run.table)).nash_conv
    assert run.nash_conv == pytest.approx(read, abs=1e-5)
    assert read > 0.001


def test_the_agent_reads_no_memory_and_sits_at_games_with_any(scenario: str, tmp_path: Path) -> None:
    run = small(scenario, tmp_path, updates=2)
    write_agent(tmp_path / "agent", "pupil", "A pupil.", run.train(nothing), run.game, run.facts())
    for memory in (None, 0, 3):
        assert load(str(tmp_path / "agent")).seat(HeartRush(scenario, memory=memory)).memory == 0


@pytest.mark.long
def test_a_run_that_was_stopped_ends_with_the_same_weights(scenario: str, tmp_path: Path) -> None:
    make = partial(small, scenario, updates=25)
    run, _ = check_that_a_stopped_run_ends_alike(make, tmp_path, lambda _, told: told.samples > 256 * 22, 20)
    assert run.nash_conv is not None


def test_fighters_without_a_choice_of_shrugs_are_learned_too(scenario: str, tmp_path: Path) -> None:
    path = Path(scenario)
    path.write_text(path.read_text().replace("heart = 6", "heart = 4"))
    run = small(scenario, tmp_path, updates=20)
    assert all(isinstance(seat, SeatWindows) and seat.shrug is None for seat in run.seats)
    run.train(nothing)
    assert run.nash_conv is not None


@pytest.mark.parametrize(
    ("given", "rules", "said"),
    [
        ("duel", {}, "'duel' cannot be solved: the setting maneuvers is on"),
        ("melee", PLAIN, "'melee' cannot be solved: it has 8 fighters"),
        ("below 0", {}, "fighters may go on below 0 hit points"),
    ],
)
def test_the_unlearnable_is_refused(
    scenario: str, given: str, rules: dict[str, Any], said: str, tmp_path: Path
) -> None:
    path = Path(scenario)
    path.write_text('heroes = ["blue"]\n' + path.read_text().replace("first_down", "last_standing"))
    with pytest.raises(TrainingError, match=said):
        prepare(ShapleyConfig(scenario if given == "below 0" else given, rules), tmp_path / "run")
