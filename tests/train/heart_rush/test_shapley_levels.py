"""The recipe `shapley` in duels with levels: its observations, its drawn states, and the NashConv of whole runs."""

from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from heartrush_agents import load
from heartrush_agents.heart_rush.learned.levels_policy import NetworkPolicy
from heartrush_agents.learned.agent import LearnedPlayer
from heartrush_agents.learned.network import Layers, Network
from heartrush_train.config import ShapleyConfig, TrainingError
from heartrush_train.export import write_agent
from heartrush_train.heart_rush.shapley_levels import ShapleyLevelsRun, SolvedLevels
from heartrush_train.recipes import prepare

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.research.best_response import exploitability
from heartrush_env.research.levels.evaluate import ReadPolicy
from tests.app.cli.running import Out, as_json
from tests.research.duels import levels_duel_of
from tests.train.runs import boar_and_fox, check_rows, check_that_a_stopped_run_ends_alike, nothing

RULES = {"profile": "levels", "cunning_split": False}
SMALL = {"n_states": 256, "batch_size": 64, "net_arch": (32, 32), "checkpoint_every": 20}


@pytest.fixture
def scenario(tmp_path: Path) -> str:
    return boar_and_fox(tmp_path, hp=(2, 2), contested="if_able", **RULES)


def small(scenario: str, folder: Path, updates: int, **options: Any) -> ShapleyLevelsRun:
    run = prepare(ShapleyConfig(scenario, total_samples=256 * updates, **{**SMALL, **options}), folder / "run")
    assert isinstance(run, ShapleyLevelsRun)
    return run


# -- what is read ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("side", [0, 1])
def test_sums_are_the_rows_that_the_kernel_writes(scenario: str, side: int) -> None:
    check_rows(levels_duel_of(HeartRush(scenario)), side)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_network_is_read_as_a_player_is_asked(scenario: str, seat: int) -> None:
    """A random network's policy, computed from sums, equals the policy of its player in all windows of some blocks."""
    duel, rng = levels_duel_of(HeartRush(scenario)), np.random.default_rng(seat)
    sizes = len(duel.game.feature_names), 8, len(duel.game.action_names)
    weights = tuple(rng.normal(size=pair).astype(np.float32) for pair in pairwise(sizes))
    layers = Layers(weights, tuple(rng.normal(size=size).astype(np.float32) for size in sizes[1:]))
    player = LearnedPlayer(duel.game, Network(layers, layers), 0)
    read, known = NetworkPolicy(layers, duel, seat), ReadPolicy(player, duel, seat)
    happens = (duel.chances > 0).any(axis=(0, 1, 2, 3))[:, seat]  # (exchange, damage)
    for block in ((2, 2, 1, 1), (2, 1, 1, 0), (1, 2, 0, 1)):
        found, asked = read.block(block), known.block(block)
        for part in ("stances", "attacks", "names"):
            assert np.abs(getattr(found, part) - getattr(asked, part)).max() < 1e-4, (block, part)
        assert found.shrugs is not None and asked.shrugs is not None
        apart = np.abs(found.shrugs - asked.shrugs).max(axis=(1, 2))
        assert apart[happens].max() < 1e-4, block
    assert read.block((2, 2, 1, 1)).shrugs.std() > 0.01  # type: ignore[union-attr]


# -- what is drawn -----------------------------------------------------------------------------------------------------


def test_drawn_states_are_those_of_the_solution(scenario: str, tmp_path: Path) -> None:
    """The mixes attain the values of their games, and the best named levels attain the values of their stance pairs."""
    run = small(scenario, tmp_path, updates=1)
    run.folder.mkdir()
    run.begin(run.folder)
    (first, second), _ = run.draw(np.random.default_rng(1))
    assert isinstance(first, SolvedLevels) and isinstance(second, SolvedLevels)
    value = np.einsum("ni,nij,nj->n", first.mixes, first.games, second.mixes)
    assert np.abs(value - first.values).max() < 1e-9
    assert np.abs(first.values - run.table.values[0][tuple(first.numbers.T)]).max() == 0.0
    assert (first.values == -second.values).all()
    for side in (first, second):
        assert np.abs(side.names.max(axis=2)[:, 0] - side.games[:, 2, 1]).max() < 1e-9
    best = np.take_along_axis(second.names, first.threats[..., None], axis=2)[:, 0, 0]
    assert np.abs(best - second.games[:, 2, 1]).max() < 1e-9


# -- runs --------------------------------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize(
    ("updates", "larger", "left"),
    [
        (40, {}, 0.6),
        pytest.param(400, {"n_states": 2048, "batch_size": 256, "net_arch": (64, 64)}, 0.15, marks=pytest.mark.long),
    ],
)
def test_exploitability_falls_and_is_that_of_the_agent_written(
    scenario: str, tmp_path: Path, capsys: Out, updates: int, larger: dict[str, Any], left: float
) -> None:
    """Training and the command report equal NashConv; the long test also asks the agent's player in every window."""
    run = small(scenario, tmp_path, updates=updates, **larger)
    run.folder.mkdir()
    run.begin(run.folder)
    at_first = run.measure()
    network = run.train(nothing)
    assert run.nash_conv is not None
    assert run.nash_conv < left < at_first
    folder = tmp_path / "agent"
    write_agent(folder, "pupil", "A pupil.", network, run.game, run.facts())
    if larger:
        player = load(str(folder)).seat(run.duel.game)
        asked = exploitability(run.table, (ReadPolicy(player, run.duel, 0), ReadPolicy(player, run.duel, 1)))
        assert run.nash_conv == pytest.approx(asked.nash_conv, abs=1e-5)
    said = as_json(capsys, "duel exploit", folder, scenario)
    assert said["label"] == "exact"
    assert said["nash_conv"] == pytest.approx(run.nash_conv, abs=1e-5)


@pytest.mark.long
def test_a_run_that_was_stopped_ends_with_the_same_weights(scenario: str, tmp_path: Path) -> None:
    make = partial(small, scenario, updates=12, checkpoint_every=5)
    check_that_a_stopped_run_ends_alike(make, tmp_path, lambda run, progress: progress.samples > 256 * 8, 5)


def test_attacks_that_are_held_back_are_refused(tmp_path: Path) -> None:
    scenario = boar_and_fox(tmp_path, hp=(2, 2), contested="mutual", **RULES)
    with pytest.raises(TrainingError, match="contested is 'mutual', but with levels only 'if_able' can be learned"):
        small(scenario, tmp_path, updates=1)
