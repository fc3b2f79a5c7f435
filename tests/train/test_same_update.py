"""The lean learner's advantages and updates, which must be those of Stable-Baselines3 on the same decisions."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from heartrush_agents.learned.network import Network
from heartrush_train.config import SelfPlayConfig
from heartrush_train.ppo import advantages
from heartrush_train.recipes import prepare
from heartrush_train.sb3.policy import become, network_of

SHAPE = {"n_envs": 8, "n_steps": 40, "batch_size": 50, "net_arch": (8,), "past_self_share": 0.0, "sparring": ()}
ALONE: dict[str, Any] = {**SHAPE, "total_samples": 6400, "gamma": 0.98, "gae_lambda": 0.8}
COEFFICIENTS = 0.03, 0.3  # of entropy and of the magnet


def by_row(array: Any) -> torch.Tensor:
    """Return an array (steps, rows, ...) of a rollout buffer, row by row."""
    return torch.from_numpy(array.swapaxes(0, 1).reshape(-1, *array.shape[2:]).copy())


def rollout_of(run: Any, folder: Path) -> Any:
    """Return the buffer of a rollout of the fourth update."""
    run.begin(folder)
    run.learn_with(np.random.default_rng(1), 3, lambda: None)
    _, callback = run.model._setup_learn(1, None, False)
    assert run.model.collect_rollouts(run.env, callback, run.model.rollout_buffer, 40)
    return run.model.rollout_buffer


def test_an_update_is_that_of_maskable_ppo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reference: Any = prepare(SelfPlayConfig(**ALONE, learner="sb3"), tmp_path / "sb3")
    lean: Any = prepare(SelfPlayConfig(**ALONE), tmp_path / "lean")
    model, learner, fights = reference.model, lean.learner, lean.learner.fights[0]
    buffer = rollout_of(reference, tmp_path)
    with torch.no_grad():
        last = reference.policy.predict_values(torch.from_numpy(model._last_obs))[:, 0]
    values = torch.cat([torch.from_numpy(buffer.values), last[None]]).view(41, 8, 2)
    ended = torch.from_numpy(np.concatenate([buffer.episode_starts[1:], [model._last_episode_starts]]) > 0)
    assert ended.any()
    found = advantages(values, torch.from_numpy(buffer.rewards).view(40, 8, 2), ended[:, ::2], 0.98, 0.8)
    torch.testing.assert_close(found.view(40, 16), torch.from_numpy(buffer.advantages), atol=1e-5, rtol=0)

    masks = by_row(buffer.action_masks)
    rows = (masks.sum(dim=1) > 1).nonzero()[:, 0]
    count = fights.count = len(rows)
    fights.view.kept[:count], fights.legal[:count] = by_row(buffer.observations)[rows], masks[rows] > 0
    fights.chosen[:count] = by_row(buffer.actions)[rows, 0].long()
    fights.old_logs[:count] = by_row(buffer.log_probs)[rows]
    fights.close()
    fights.advantages, fights.returns = by_row(buffer.advantages)[rows], by_row(buffer.returns)[rows]

    before = network_of(reference.policy)
    assert learner.net.become(before)
    assert learner.magnet.become(earlier := Network.from_arrays({k: v / 2 for k, v in before.arrays().items()}))
    assert become(reference.policy, earlier)
    reference.policy.move_magnet()
    assert become(reference.policy, before)
    fights.hold(learner.magnet)
    learner.ent_coef, learner.magnet_coef = COEFFICIENTS
    reference.policy.ent_coef, reference.policy.magnet_coef = COEFFICIENTS
    for group in learner.optimizer.param_groups:
        group["lr"] = 2e-3
    model.lr_schedule = lambda _: 2e-3
    fresh = torch.optim.Adam(reference.policy.parameters(), eps=1e-5)
    reference.policy.optimizer = fresh

    orders: list[Any] = []
    draw = np.random.permutation
    monkeypatch.setattr(np.random, "permutation", lambda given: orders.append(draw(given)) or orders[-1])
    model.train()
    place_of = {int(row): place for place, row in enumerate(rows)}
    assert len(orders) == 2
    for order in orders:
        for part in np.array_split([place_of[row] for row in order.tolist()], max(1, round(count / 50))):
            learner._descend(torch.from_numpy(part))
    right, other = network_of(reference.policy).arrays(), before.arrays()
    for name, array in learner.net.network().arrays().items():
        np.testing.assert_allclose(array, right[name], atol=2e-6)
        assert np.abs(array - other[name]).max() > 1e-3, "the update moves every layer"
