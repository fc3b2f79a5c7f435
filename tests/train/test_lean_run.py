"""Recipes on the lean learner: which learner trains, resumed runs, seats, and the agents that are written."""

from itertools import count, pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from heartrush_agents import load
from heartrush_train import run as run_module
from heartrush_train.config import ExploiterConfig, SelfPlayConfig, TrainingError
from heartrush_train.export import write_agent
from heartrush_train.recipes import prepare
from heartrush_train.recipes.exploiter import LeanExploiterRun
from heartrush_train.recipes.ppo_self_play import LeanSelfPlayRun, SelfPlayRun

from tests.train.runs import check_that_a_stopped_run_ends_alike, nothing

SMALL: dict[str, Any] = {"n_envs": 20, "n_steps": 8, "batch_size": 64, "checkpoint_every": 3, "net_arch": (8,)}
LEAN: dict[str, Any] = {**SMALL, "learner": "ppo", "total_samples": 2200, "magnet_period": 2}


def test_the_options_choose_the_learner(tmp_path: Path) -> None:
    assert SelfPlayConfig().lean
    assert type(prepare(SelfPlayConfig(**LEAN), tmp_path)) is LeanSelfPlayRun
    assert type(prepare(SelfPlayConfig(**{**LEAN, "learner": "sb3"}), tmp_path)) is SelfPlayRun
    with pytest.raises(TrainingError, match="learner: expected ppo or sb3, got 'a2c'"):
        SelfPlayConfig(learner="a2c")
    with pytest.raises(TrainingError, match="learner: expected ppo on the device 'cuda', got sb3"):
        SelfPlayConfig(learner="sb3", device="cuda")


def test_lambda_is_by_windows_or_by_decisions(tmp_path: Path) -> None:
    assert not prepare(SelfPlayConfig(**LEAN), tmp_path).learner.config.by_decisions
    assert prepare(SelfPlayConfig(**LEAN, lambda_by="decisions"), tmp_path).learner.config.by_decisions
    assert "lambda_by" not in SelfPlayConfig().as_dict(), "earlier checkpoints stay valid"
    with pytest.raises(TrainingError, match="lambda_by: expected windows or decisions, got 'rounds'"):
        SelfPlayConfig(lambda_by="rounds")
    with pytest.raises(TrainingError, match="learner: expected ppo for lambda by decisions, got sb3"):
        SelfPlayConfig(learner="sb3", lambda_by="decisions")


def test_the_options_of_a_run_reach_its_learner(tmp_path: Path) -> None:
    """None of the values is a default."""
    options: dict[str, Any] = {
        "n_steps": 9, "batch_size": 63, "n_epochs": 3, "gamma": 0.93, "gae_lambda": 0.81, "clip_range": 0.13,
        "policy_ema": 0.77, "magnet_coef": 0.031, "pool_size": 7, "past_self_share": 0.4, "net_arch": (9, 5),
    }  # fmt: skip
    found = prepare(SelfPlayConfig(**{**LEAN, **options}), tmp_path).learner.config
    assert {name: getattr(found, name) for name in options} == options


def test_coefficients_fall_and_the_magnet_moves_when_it_is_due(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The magnet moves before every second update, and the entropy coefficient falls by one factor each time."""
    run = prepare(SelfPlayConfig(**LEAN, sparring=(), ent_coef=0.08, final_ent_coef=0.01), tmp_path)
    moved, used, move, update = [], [], run.learner.move_magnet, run.learner.update
    monkeypatch.setattr(run.learner, "move_magnet", lambda: (moved.append(run.update), move()))
    monkeypatch.setattr(run.learner, "update", lambda: (used.append(run.learner.ent_coef), update()))
    run.train(nothing)
    assert len(used) == run.updates >= 6 and moved == [*range(0, run.updates, 2)]
    assert used[0] == 0.08 and used == sorted(used, reverse=True) and 0.01 < used[-1] < 0.02
    ratios = [later / earlier for earlier, later in pairwise(used)]
    assert ratios == pytest.approx([ratios[0]] * len(ratios), rel=1e-6)


def test_the_opponent_of_an_exploiter_makes_no_more_mistakes_after_half_of_the_training(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = prepare(ExploiterConfig(**{**SMALL, "total_samples": 1600}, opponent="defensive"), tmp_path)
    rates, weaken = [], run.opponent.weaken
    monkeypatch.setattr(run.opponent, "weaken", lambda most: (rates.append((run.done, most)), weaken(most)))
    run.train(nothing)
    assert len(rates) >= 8 and rates[0] == (0.0, 1.0)
    assert rates == [(done, pytest.approx(max(0.0, 1 - 2 * done))) for done, _ in rates]


def test_a_budget_in_seconds_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock is a test's own: it moves by 10 ms whenever it is read."""
    ticks = count()
    monkeypatch.setattr(run_module, "time", SimpleNamespace(perf_counter=lambda: 0.01 * next(ticks)))
    with pytest.raises(TrainingError, match="learner: expected ppo for a budget in seconds, got sb3"):
        ExploiterConfig(learner="sb3", seconds=1)
    options = {**SMALL, "total_samples": 1, "seconds": 1.0, "checkpoint_every": 4}
    run = prepare(ExploiterConfig(**options, opponent="defensive"), tmp_path)
    shares, rates = [], []

    def report(progress: Any) -> None:
        shares.append(run.done)
        rates.append(run.learner.learning_rate)
        assert progress.total_samples >= progress.samples

    run.train(report)
    assert run.done == 1 <= run.seconds < 1.2
    assert run.update > 4, "several checkpoints"
    assert shares == sorted(shares) and rates == sorted(rates, reverse=True)
    assert rates[-1] == pytest.approx(1e-4, rel=0.5)
    assert run.work() == "1 seconds, 20 fights in parallel"
    resumed = prepare(ExploiterConfig(**options, opponent="defensive"), tmp_path)
    assert resumed.done == 1 and resumed.saved_share == 1
    arrays = run.network().arrays()
    assert all(np.array_equal(array, arrays[name]) for name, array in resumed.train(nothing).arrays().items())


def test_earlier_checkpoints_and_cards_stay_valid() -> None:
    assert not {"learner", "device"} & SelfPlayConfig(learner="sb3").as_dict().keys()
    assert SelfPlayConfig().as_dict()["learner"] == "ppo"


def test_past_selves_and_partners_have_one_side_each(tmp_path: Path) -> None:
    run = prepare(SelfPlayConfig(**LEAN, sparring=("frequency", "uniform")), tmp_path)
    assert isinstance(run, LeanSelfPlayRun)
    whose = run.learner.fights[0].whose.numpy()
    fights = len(whose)
    past, partners = 5, 4  # a quarter and a fifth of twenty fights
    assert (whose[: fights - past - partners] == 0).all()
    others = whose[fights - past - partners :]
    assert ((others > 0).sum(axis=1) == 1).all(), "the learner has the other side"
    assert set(others[:past].max(axis=1)) == {1, 2, 3}
    assert set(others[past:].max(axis=1)) == {5, 6}
    assert {0, 1} == set(others.argmax(axis=1)), "each side in turn"


def test_a_stopped_self_play_ends_with_equal_weights(tmp_path: Path) -> None:
    config = SelfPlayConfig(**LEAN, sparring=("frequency", "uniform"))
    resumed, whole = check_that_a_stopped_run_ends_alike(
        lambda folder: prepare(config, folder), tmp_path, lambda run, progress: run.update == 5, 3
    )
    assert resumed.update == resumed.updates == 9
    assert len(resumed.learner.pool) == 5  # after updates 0, 2, 4, 6, 8
    assert np.isfinite(whole["policy.0.weight"]).all()
    write_agent(tmp_path / "agent", "pupil", "A pupil.", resumed.network(), resumed.game, resumed.facts())
    assert load(str(tmp_path / "agent")).plays(resumed.game) is None


def test_an_exploiter_begins_as_a_copy_of_a_network(tmp_path: Path) -> None:
    teacher = prepare(SelfPlayConfig(**LEAN, sparring=(), seed=5), tmp_path / "teacher")  # 5: other first weights
    write_agent(tmp_path / "agent", "teacher", "A teacher.", teacher.network(), teacher.game, {})
    options = {**SMALL, "learner": "ppo", "n_steps": 64, "total_samples": 3000}
    run = prepare(ExploiterConfig(**options, opponent=str(tmp_path / "agent")), tmp_path / "run")
    assert isinstance(run, LeanExploiterRun)
    assert run.copied
    expected = teacher.network().arrays()
    assert all(np.array_equal(array, expected[name]) for name, array in run.network().arrays().items())
    run.train(nothing)
    assert "teacher" in run.journal.path.read_text()
    assert not np.array_equal(run.network().arrays()["policy.0.weight"], expected["policy.0.weight"])
