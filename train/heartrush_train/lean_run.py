"""A training run of the lean learner. Recipes decide the seating, and the changes between updates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from heartrush_agents.heart_rush.learned import entity_agent
from heartrush_agents.heart_rush.learned.entity_network import EntityNetwork
from heartrush_agents.learned.network import Network
from heartrush_agents.vector_player import VectorPlayer
from torch import nn

from heartrush_env.envs.vector import BatchEnv
from heartrush_env.tabletop.device.device import CPU
from heartrush_env.tabletop.game import Game
from heartrush_train import checkpoint
from heartrush_train.config import DECISIONS, ENTITIES, ImproveConfig, LeagueConfig, PPOConfig
from heartrush_train.export import without_memory
from heartrush_train.net_run import NetRun
from heartrush_train.nets import Vectors
from heartrush_train.ppo import PPO, Fights, Hyperparameters
from heartrush_train.schedules import geometric, linear


class LeanRun(NetRun):
    """A run of the lean learner with decaying coefficients; its result is a moving average of policies."""

    config: PPOConfig

    def __init__(self, config: PPOConfig, folder: Path, players: Sequence[VectorPlayer] = (), **more: Any) -> None:
        """Create the fights and the learner, which has all seats that `players` and past selves leave.

        Args:
            config: The configuration.
            folder: The folder of the run.
            players: Players of seats of the last fights, as `Fights` takes them.
            more: Further hyperparameters.
        """
        hyperparameters = Hyperparameters(
            n_steps=config.n_steps,
            batch_size=config.batch_size,
            n_epochs=config.n_epochs,
            learning_rate=config.learning_rate,
            gamma=config.gamma,
            gae_lambda=config.gae_lambda,
            by_decisions=config.lambda_by == DECISIONS,
            clip_range=config.clip_range,
            ent_coef=config.ent_coef,
            policy_ema=config.policy_ema,
            net_arch=config.net_arch,
            **more,
        )
        self.config, self.reads_entities = config, config.observations == ENTITIES
        torch.manual_seed(config.seed)
        self.learner = self.new_learner(hyperparameters, players)
        super().__init__(config, folder, self.learner.rows)

    def new_learner(self, hyperparameters: Hyperparameters, players: Sequence[VectorPlayer]) -> PPO:
        """Return the learner, with its fights."""
        config = self.config
        made: dict[str, Any] = {"net": None, "view": Vectors}
        if self.reads_entities:
            from heartrush_train.heart_rush.entity_look import Entities
            from heartrush_train.heart_rush.entity_net import EntityNet

            made = {"net": EntityNet(*config.net_arch), "view": Entities}
        env = fights_on(config.device, config.game(), config.n_envs, config.observations)
        fights = Fights(env, hyperparameters, players=players, view=made["view"])
        return PPO([fights], hyperparameters, seed=config.seed, net=made["net"])

    @property
    def done(self) -> float:
        """The fraction of the training done, 0 to 1."""
        return min(1.0, self.spent / self.config.seconds) if self.config.seconds else super().done

    @property
    def total_samples(self) -> int:
        """The number of samples of the whole training; for a budget in seconds an estimate, once some are done."""
        return round(self.samples / max(self.done, 1e-9)) if self.config.seconds else super().total_samples

    def next_updates(self) -> int:
        """Return the number of updates up to the next checkpoint, unless the time is over before."""
        return self.config.checkpoint_every if self.config.seconds else super().next_updates()

    def work(self) -> str:
        """Return the amount of training, as a phrase."""
        work = f"{self.config.seconds:g} seconds" if self.config.seconds else super().work()
        return f"{work}, {self.config.n_envs} fights in parallel"

    def learn_with(self, rng: np.random.Generator, updates: int, after_update: Any) -> None:
        """Make this number of updates on new fights, with all randomness from `rng`."""
        self.learner.begin(int(rng.integers(2**31)))
        super().learn_with(rng, updates, after_update)

    def next_update(self, rng: np.random.Generator) -> None:
        """Play new windows, and learn from them."""
        self.before_update(rng)
        self.update += 1
        self.learner.update()

    def before_update(self, rng: np.random.Generator) -> None:
        """Lower the learning rate and the entropy coefficient, and give the players new generators."""
        config, learner = self.config, self.learner
        learner.learning_rate = linear(config.learning_rate, config.final_learning_rate, self.done)
        learner.ent_coef = geometric(config.ent_coef, config.final_ent_coef, self.done)
        for player in learner.players:
            player.rng = rng.spawn(1)[0]

    def take_results(self) -> tuple[dict[str, float], dict[str, float]]:
        """Return the scores by opponent, and the mean losses, since the last call."""
        losses = self.learner.take_losses()
        for name, loss in losses.items():
            self.record(f"train/{name}", loss)
        return self.learner.take_scores(), losses

    def network(self) -> Network | EntityNetwork:
        """Return the moving average of policies, as a network."""
        network = self.learner.network()
        forgets = self.config.memory == 0 and isinstance(network, Network)
        return without_memory(network, self.game) if forgets else network

    def fits(self) -> dict[str, Any]:
        """Return the facts in which a game must match the training for the network to play it, for the agent's card."""
        return entity_agent.claims([self.game]) if self.reads_entities else super().fits()

    def networks(self) -> Mapping[str, nn.Module]:
        """Return the current network; the learner keeps the others."""
        return {"net": self.learner.net}

    def state(self) -> checkpoint.Tensors:
        """Return the learner's tensors."""
        return self.learner.state()

    def restore(self, state: checkpoint.Tensors, samples: int) -> None:
        """Restore the learner from a checkpoint's tensors."""
        self.learner.load(state)


class AnchoredRun(LeanRun):
    """A run in many scenarios that is held near its first policy, less and less, and meets past selves."""

    config: LeagueConfig | ImproveConfig

    def __init__(self, config: LeagueConfig | ImproveConfig, folder: Path) -> None:
        """Seat the opponents in the fights of all scenarios."""
        self.games = config.games()
        super().__init__(
            config, folder, magnet_coef=config.kl_coef, past_selves_at_once=1, pool_size=config.pool_size,
            hardest_first=True,
        )  # fmt: skip

    def before_update(self, rng: np.random.Generator) -> None:
        """Let the policy move further from the first one, and keep it as a past self when that is due."""
        super().before_update(rng)
        config = self.config
        self.learner.magnet_coef = geometric(config.kl_coef, config.final_kl_coef, self.done)
        if self.update % config.past_period == 0:
            self.learner.remember()


def fights_on(device: str, game: Game, number: int, observations: str) -> BatchEnv:
    """Return fights on the processor or on a GPU."""
    if device == CPU:
        return BatchEnv(game, number, observations=observations)
    from heartrush_env.envs.device import DeviceBatchEnv  # loads the driver

    return DeviceBatchEnv(game, number, device=device, observations=observations)
