"""Fitted Shapley iteration: the observations of states, the backup of one state, and whole runs."""

from __future__ import annotations

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
from heartrush_env.research.duel import EXCHANGES
from heartrush_env.research.kinds import read_duel
from heartrush_env.research.plain.kernel import solve_states
from heartrush_env.research.query import show, window_of
from heartrush_env.research.solve import solve
from heartrush_env.research.zero_sum import SolverError

PLAIN = {"profile": "plain"}
DUEL = """
name = "boar_and_fox"
victory = "first_down"
[rules]
profile = "plain"
contested = "{contested}"
[[fighter]]
id = "boar"
team = "blue"
might = 8
agility = 4
cunning = 4
presence = 4
heart = 6
hp = 7
weapon = "dagger"
[[fighter]]
id = "fox"
team = "red"
might = 4
agility = 6
cunning = 8
presence = 4
heart = 6
hp = 5
weapon = "dagger"
"""
SMALL = {"n_states": 256, "batch_size": 64, "net_arch": (32, 32), "checkpoint_every": 20}


@pytest.fixture
def scenario(tmp_path: Path) -> str:
    return write(tmp_path, "if_able")


def write(folder: Path, contested: str) -> str:
    path = folder / "duel.toml"
    path.write_text(DUEL.format(contested=contested))
    return str(path)


def small(scenario: str, folder: Path, updates: int = 60, **options: Any) -> ShapleyRun:
    config = ShapleyConfig(scenario, total_samples=256 * updates, **{**SMALL, **options})
    run = prepare(config, folder / "run")
    assert isinstance(run, ShapleyRun)
    return run


def nothing(_: Any) -> None:
    """Report to nobody."""


def weights_of(run: ShapleyRun) -> bytes:
    return b"".join(array.tobytes() for array in run.network().arrays().values())


# -- the observations of states ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("side", [0, 1])
def test_sums_are_the_rows_that_the_kernel_writes(side: int) -> None:
    duel = read_duel(HeartRush("duel", rules=PLAIN))
    duel = duel if side == 0 else duel.turned()
    seat, rng = read_windows(duel), np.random.default_rng(3)
    states = np.column_stack([rng.integers(1 if axis < 2 else 0, size, 200) for axis, size in enumerate(duel.shape)])
    hits = rng.integers(1, len(duel.halves), 200)
    assert len(seat.pairs) == 9
    seen = [(seat.stance, 0, None, states)]
    seen += [(seat.attack, k, pair, states) for k, pair in enumerate(seat.pairs)]
    seen += [
        (seat.shrug, int(window), EXCHANGES[k], np.column_stack([states, hits]))
        for k, window in enumerate(seat.shrug_of)
        if window >= 0
    ]
    assert len(seen) == 1 + 9 + 15
    for windows, which, moment, numbers in seen:
        shown, _ = show(duel, window_of(duel.game, side, moment), states, hits if numbers.shape[1] == 5 else None)
        assert np.abs(windows.rows(np.full(200, which), numbers) - shown).max() < 1e-6, moment


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
        answer = linprog(
            [0, 0, 0, 0, -1],
            A_ub=np.column_stack([-matrix.T, np.ones(4)]),
            b_ub=np.zeros(4),
            A_eq=[[1, 1, 1, 1, 0]],
            b_eq=[1],
            bounds=[(0, None)] * 4 + [(None, None)],
        )
        assert abs(-answer.fun - value) < 1e-9
        assert (row @ matrix).min() > value - 1e-9
        assert (matrix @ column).max() < value + 1e-9


# -- runs --------------------------------------------------------------------------------------------------------------


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
    assert run.nash_conv is not None
    assert run.nash_conv < left
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


@pytest.mark.parametrize("memory", [None, 0, 3])
def test_the_agent_reads_no_memory_and_sits_at_games_with_any(
    scenario: str, tmp_path: Path, memory: int | None
) -> None:
    run = small(scenario, tmp_path, updates=2)
    write_agent(tmp_path / "agent", "pupil", "A pupil.", run.train(nothing), run.game, run.facts())
    player = load(str(tmp_path / "agent")).seat(HeartRush(scenario, memory=memory))
    assert player.memory == 0


def test_a_run_that_was_stopped_ends_with_the_same_weights(scenario: str, tmp_path: Path) -> None:
    whole = small(scenario, tmp_path / "whole", updates=25)
    whole.train(nothing)
    stopped = small(scenario, tmp_path / "stopped", updates=25)

    def stop(progress: Any) -> None:
        if progress.samples > 256 * 22:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stopped.train(stop)
    resumed = small(scenario, tmp_path / "stopped", updates=25)
    assert resumed.update == 20
    assert resumed.nash_conv is not None
    resumed.train(nothing)
    assert weights_of(resumed) == weights_of(whole)


def test_fighters_without_a_choice_of_shrugs_are_learned_too(scenario: str, tmp_path: Path) -> None:
    path = Path(scenario)
    path.write_text(path.read_text().replace("heart = 6", "heart = 4"))
    run = small(scenario, tmp_path, updates=20)
    assert all(isinstance(seat, SeatWindows) and seat.shrug is None for seat in run.seats)
    run.train(nothing)
    assert run.nash_conv is not None


@pytest.mark.parametrize(
    ("scenario", "rules", "said"),
    [
        ("duel", {}, "'duel' cannot be solved: the setting maneuvers is on"),
        ("melee", PLAIN, "'melee' cannot be solved: it has 8 fighters"),
    ],
)
def test_what_it_cannot_learn_is_refused(scenario: str, rules: dict[str, Any], said: str, tmp_path: Path) -> None:
    with pytest.raises(TrainingError) as refused:
        prepare(ShapleyConfig(scenario, rules), tmp_path)
    assert said in str(refused.value)


def test_a_duel_that_goes_on_below_0_is_refused(scenario: str, tmp_path: Path) -> None:
    path = Path(scenario)
    path.write_text(path.read_text().replace('"first_down"', '"last_standing"\nheroes = ["blue"]'))
    with pytest.raises(TrainingError, match="fighters may go on below 0 hit points"):
        small(scenario, tmp_path)
