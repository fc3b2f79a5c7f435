"""A training run of MaskablePPO from sb3-contrib. Recipes decide the seating, and the changes between updates."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from heartrush_agents.learned.network import Network
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import configure
from threadpoolctl import threadpool_limits
from torch.optim.swa_utils import AveragedModel

from heartrush_train import checkpoint
from heartrush_train.config import PPOConfig
from heartrush_train.export import without_memory
from heartrush_train.run import Run
from heartrush_train.sb3.buffer import ChoiceBuffer
from heartrush_train.sb3.policy import network_of
from heartrush_train.sb3.vec_env import SeatVecEnv
from heartrush_train.schedules import linear


class PPORun(Run):
    """A run of MaskablePPO with a decaying learning rate; its result is a moving average of policies."""

    config: PPOConfig

    def __init__(
        self, config: PPOConfig, folder: Path, env: SeatVecEnv, policy: Any = "MlpPolicy", **more: Any
    ) -> None:
        """Create the model and its policy average for the seats that `env` leaves to the learner."""
        super().__init__(config, folder, env.num_envs * config.n_steps)
        self.env, self.model = env, make_model(config, env, policy, **more)
        self.policy: Any = self.model.policy
        self.average = AveragedModel(self.policy, avg_fn=_Average(config.policy_ema))

    def work(self) -> str:
        """Return the amount of training, as a phrase."""
        return f"{super().work()}, {self.config.n_envs} fights in parallel"

    @property
    def samples(self) -> int:
        """The number of samples learned from so far."""
        return self.model.num_timesteps

    def before_update(self, rng: np.random.Generator) -> None:
        """Set the learning rate, update the average with the policy, and give the other players new generators."""
        rate = linear(self.config.learning_rate, self.config.final_learning_rate, self.done)
        self.model.lr_schedule = lambda _: rate
        self.average.update_parameters(self.policy)
        for players in self.env.players:
            players.rng = rng.spawn(1)[0]

    def begin(self, logs: Path) -> None:
        """Open the TensorBoard log."""
        self.model.set_logger(configure(str(logs), ["tensorboard"]))

    def learn_with(self, rng: np.random.Generator, updates: int, after_update: Callable[[], None]) -> None:
        """Make this number of updates on new fights, with all randomness from `rng`."""
        self.model.set_random_seed(int(rng.integers(2**31)))  # seeds the environment, too
        self.model.set_env(self.env)
        with threadpool_limits(1):  # past selves use NumPy
            each = _EachUpdate(self, rng, after_update)
            self.model.learn(updates * self.samples_per_update, callback=each, reset_num_timesteps=False)

    def take_results(self) -> tuple[dict[str, float], dict[str, float]]:
        """Return the scores by opponent, and the losses, of the updates since the last call."""
        losses = {
            name.removeprefix("train/"): float(value)
            for name, value in self.model.logger.name_to_value.items()
            if name.startswith("train/")
        }
        return self.env.take_scores(), losses

    def record(self, name: str, value: float) -> None:
        """Record a value for TensorBoard."""
        self.model.logger.record(name, value)

    def log(self, scores: Mapping[str, float]) -> None:
        """Write the last interval's scores and losses to TensorBoard."""
        for id, score in scores.items():
            self.model.logger.record(f"score/{id}", score)
        self.model.logger.dump(self.samples)

    def network(self) -> Network:
        """Return the moving average of policies, as a network."""
        network = network_of(self.average.module)
        return without_memory(network, self.game) if self.config.memory == 0 else network

    def recipe_state(self) -> checkpoint.Tensors:
        """Return the recipe's own part of a checkpoint."""
        return {}

    def restore_recipe(self, state: checkpoint.Tensors) -> None:
        """Restore the recipe's own part of a checkpoint."""

    def state(self) -> checkpoint.Tensors:
        """Return the tensors of the policy, the average, the optimizer, and the recipe."""
        return {
            **checkpoint.prefixed("policy", self.policy.state_dict()),
            **checkpoint.prefixed("average", self.average.state_dict()),
            **checkpoint.prefixed("recipe", self.recipe_state()),
            **checkpoint.prefixed("optimizer", checkpoint.optimizer_tensors(self.policy.optimizer)),
        }

    def restore(self, state: checkpoint.Tensors, samples: int) -> None:
        """Restore the run from a checkpoint's tensors, written after this number of samples."""
        self.policy.load_state_dict(checkpoint.part(state, "policy"))
        self.average.load_state_dict(checkpoint.part(state, "average"))
        self.restore_recipe(checkpoint.part(state, "recipe"))
        checkpoint.restore_optimizer(self.policy.optimizer, checkpoint.part(state, "optimizer"))
        self.model.num_timesteps = samples
        self.model._n_updates = self.update * self.config.n_epochs  # noqa: SLF001  # appears in the logs


class _EachUpdate(BaseCallback):
    """A callback that notifies a run when Stable-Baselines3 begins an update."""

    def __init__(self, run: PPORun, rng: np.random.Generator, after_update: Callable[[], None]) -> None:
        super().__init__()
        self.run, self.rng, self.after_update = run, rng, after_update
        self.first = run.update

    def _on_rollout_start(self) -> None:
        if self.run.update > self.first:
            self.after_update()
        self.run.before_update(self.rng)
        self.run.update += 1

    def _on_step(self) -> bool:
        return True


def make_model(config: PPOConfig, env: SeatVecEnv, policy: Any = "MlpPolicy", **more: Any) -> MaskablePPO:
    """Create MaskablePPO with these options, on the CPU in one thread, which is fastest for small networks."""
    torch.set_num_threads(1)
    return MaskablePPO(
        policy,
        env,
        n_steps=config.n_steps,
        batch_size=config.batch_size,
        n_epochs=config.n_epochs,
        gamma=config.gamma,
        gae_lambda=config.gae_lambda,
        clip_range=config.clip_range,
        rollout_buffer_class=ChoiceBuffer,
        policy_kwargs={"net_arch": list(config.net_arch)},
        seed=config.seed,
        device="cpu",
        **more,
    )


class _Average:
    """The update rule of the average of policies; early policies get more weight than the decay alone would give."""

    def __init__(self, decay: float) -> None:
        self.least = 1.0 - decay

    def __call__(self, average: torch.Tensor, new: torch.Tensor, number: torch.Tensor | int) -> torch.Tensor:
        return torch.lerp(average, new, max(self.least, 2.0 / (float(number) + 2.0)))
