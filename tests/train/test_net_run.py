"""Training runs that own their networks: optimizer steps, averages, losses and checkpoints, by hand."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from heartrush_agents.learned.network import Network
from heartrush_train.config import ShapleyConfig
from heartrush_train.net_run import AveragedRun
from torch import Tensor, nn


class Weighing(AveragedRun):
    """A run whose updates add 1 to `update` and learn nothing."""

    def next_update(self, rng: np.random.Generator) -> None:
        self.update += 1

    def take_results(self) -> tuple[dict[str, float], dict[str, float]]:
        return {}, self.take_losses()

    def network(self) -> Network:
        return self.average.network(np.arange(1), 1)


def new_run(folder: Path) -> Weighing:
    run = Weighing(ShapleyConfig("duel", {"profile": "plain"}, policy_ema=0.75, net_arch=(1,)), folder, 10)
    run.create_networks(np.zeros((2, 1), np.float32), 1)
    return run


def set_all(net: nn.Module, value: float) -> None:
    with torch.no_grad():
        for weights in net.parameters():
            weights.fill_(value)


def values_of(net: nn.Module) -> set[float]:
    return {round(value, 5) for weights in net.parameters() for value in weights.flatten().tolist()}


@pytest.mark.parametrize(("most", "moved"), [(None, 5.0), (0.5, 0.5), (9.0, 5.0)])
def test_a_step_follows_the_gradient_up_to_its_largest_norm(tmp_path: Path, most: float | None, moved: float) -> None:
    """The gradient of 3a + 4b is (3, 4), with norm 5."""
    run = new_run(tmp_path)
    weights = torch.zeros(2, requires_grad=True)
    run.optimizer = torch.optim.SGD([weights], lr=0.1)
    run.set_rate(1.0)
    run.descend(weights @ torch.tensor([3.0, 4.0]), most)
    assert weights.tolist() == pytest.approx([-moved * 0.6, -moved * 0.8], abs=1e-5)


def test_the_first_updates_weigh_more_in_the_average(tmp_path: Path) -> None:
    """With decay 0.75, new values have the weights 1, 1/2, 1/3, 1/4, 1/4, ...: the averages are 8, 4, 5, 4, 3."""
    run, seen = new_run(tmp_path), []
    set_all(run.average, 100.0)
    for value in (8.0, 0.0, 7.0, 1.0, 0.0):
        run.update += 1
        set_all(run.nets, value)
        run.move_average()
        (found,) = values_of(run.average)
        seen.append(found)
    assert seen == [8.0, 4.0, 5.0, 4.0, 3.0]


def test_losses_are_means_since_the_last_report(tmp_path: Path) -> None:
    run = new_run(tmp_path)
    run.begin(tmp_path / "logs")
    for value in (1.0, 2.0, 6.0):
        run.note("regret", value)
    assert run.take_results() == ({}, {"regret": 3.0})
    assert run.take_results() == ({}, {})


def test_one_is_told_after_each_update_but_the_last(tmp_path: Path) -> None:
    run, seen = new_run(tmp_path), list[int]()
    run.learn_with(np.random.default_rng(1), 3, lambda: seen.append(run.update))
    assert (run.update, run.samples, seen) == (3, 30, [1, 2])


def test_a_checkpoint_holds_both_networks_and_the_optimizer(tmp_path: Path) -> None:
    run = new_run(tmp_path)
    set_all(run.nets, 1.0)
    terms: Mapping[str, Tensor] = {"value": sum((weights.sum() for weights in run.nets.parameters()), torch.zeros(()))}
    run.descend_all(terms)
    set_all(run.average, 2.0)
    other: Any = new_run(tmp_path)
    other.restore(run.state(), 0)
    assert values_of(other.nets) == values_of(run.nets) and values_of(other.average) == {2.0}
    moments = [state["exp_avg"].tolist() for state in other.optimizer.state_dict()["state"].values()]
    assert moments == [state["exp_avg"].tolist() for state in run.optimizer.state_dict()["state"].values()] != []
