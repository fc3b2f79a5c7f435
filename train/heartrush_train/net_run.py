"""Runs of recipes that train networks of their own with an optimizer: the loop, the losses and the checkpoints."""

from __future__ import annotations

import copy
from abc import abstractmethod
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from heartrush_agents.heart_rush.learned import entity_agent
from heartrush_agents.heart_rush.learned.entity_agent import EVERYTHING, ONLY_STANCES
from heartrush_agents.heart_rush.learned.entity_network import EntityNetwork
from threadpoolctl import threadpool_limits
from torch import Tensor, nn
from torch.utils.tensorboard import SummaryWriter

from heartrush_train import checkpoint
from heartrush_train.actor_critic import ActorCritic, Floats
from heartrush_train.config import Config, EntityConfig, ShapleyConfig
from heartrush_train.heart_rush.entity_net import EntityNet
from heartrush_train.heart_rush.entity_seats import EntitySeats, mean_scores
from heartrush_train.run import Run


class NetRun(Run):
    """A run that trains networks with one optimizer, on one thread, which is the fastest for small networks."""

    optimizer: torch.optim.Optimizer

    def __init__(self, config: Config, folder: Path, samples_per_update: int) -> None:
        """Give torch its seed; the recipe then creates its networks and `optimizer`."""
        super().__init__(config, folder, samples_per_update)
        torch.set_num_threads(1)
        torch.manual_seed(config.seed)
        self.losses: dict[str, list[float]] = {}  # since the last report

    @abstractmethod
    def next_update(self, rng: np.random.Generator) -> None:
        """Make the next update, with all randomness from `rng`, and count it in `update`."""

    @abstractmethod
    def networks(self) -> Mapping[str, nn.Module]:
        """Return the networks that a checkpoint holds, by name."""

    def set_rate(self, rate: float) -> None:
        """Set the learning rate."""
        for group in self.optimizer.param_groups:
            group["lr"] = rate

    def descend(self, loss: Tensor, most_gradient: float | None = None) -> None:
        """Make one optimizer step, with the gradient's norm clipped at `most_gradient`."""
        self.optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        if most_gradient is not None:
            weights = [each for group in self.optimizer.param_groups for each in group["params"]]
            nn.utils.clip_grad_norm_(weights, most_gradient)
        self.optimizer.step()

    def note(self, name: str, value: float) -> None:
        """Record a loss for the next report."""
        self.losses.setdefault(name, []).append(value)

    @property
    def samples(self) -> int:
        """The approximate number of samples learned from so far."""
        return self.update * self.samples_per_update

    def begin(self, logs: Path) -> None:
        """Open the TensorBoard log."""
        self.writer = SummaryWriter(str(logs))

    def learn_with(self, rng: np.random.Generator, updates: int, after_update: Callable[[], None]) -> None:
        """Make this number of updates, with all randomness from `rng`."""
        with threadpool_limits(1):
            for number in range(updates):
                if number:
                    if self.done >= 1:  # the time is over
                        break
                    after_update()
                self.next_update(rng)

    def take_losses(self) -> dict[str, float]:
        """Log and return the mean losses since the last call."""
        losses = {name: float(np.mean(values)) for name, values in self.losses.items()}
        self.losses = {}
        for name, loss in losses.items():
            self.writer.add_scalar(f"train/{name}", loss, self.samples)
        return losses

    def record(self, name: str, value: float) -> None:
        """Write a value to TensorBoard."""
        self.writer.add_scalar(name, value, self.samples)

    def log(self, scores: Mapping[str, float]) -> None:
        """Write the scores to TensorBoard."""
        for id, score in scores.items():
            self.writer.add_scalar(f"score/{id}", score, self.samples)
        self.writer.flush()

    def state(self) -> checkpoint.Tensors:
        """Return the tensors of the networks and the optimizer."""
        tensors = checkpoint.prefixed("optimizer", checkpoint.optimizer_tensors(self.optimizer))
        for name, net in self.networks().items():
            tensors |= checkpoint.prefixed(name, net.state_dict())
        return tensors

    def restore(self, state: checkpoint.Tensors, samples: int) -> None:
        """Restore the networks and the optimizer from a checkpoint's tensors."""
        for name, net in self.networks().items():
            net.load_state_dict(checkpoint.part(state, name))
        checkpoint.restore_optimizer(self.optimizer, checkpoint.part(state, "optimizer"))


class EntityRun(NetRun):
    """A run whose network reads entities, and learns in fights of one or many scenarios."""

    config: EntityConfig
    net: EntityNet

    def __init__(self, config: EntityConfig, folder: Path, samples_per_update: int) -> None:
        """Load the games; the recipe then seats the opponents."""
        super().__init__(config, folder, samples_per_update)
        self.games = config.games()
        self.seats: list[EntitySeats] = []  # one for each scenario

    def learn_with(self, rng: np.random.Generator, updates: int, after_update: Callable[[], None]) -> None:
        """Make this number of updates on new fights, with all randomness from `rng`."""
        for seats in self.seats:
            seats.start(rng)
        super().learn_with(rng, updates, after_update)

    def take_results(self) -> tuple[dict[str, float], dict[str, float]]:
        """Return the learner's scores by opponent, and the mean losses, since the last call."""
        return mean_scores(self.seats), self.take_losses()

    def network(self) -> EntityNetwork:
        """Return the current network."""
        return self.net.network()

    def fits(self) -> dict[str, Any]:
        """Return the facts in which a game must match the training games for the network to play it."""
        return entity_agent.claims(self.games, ONLY_STANCES if self.config.only_stances else EVERYTHING)


class AveragedRun(NetRun):
    """A run of an actor and a critic; its result is the moving average of their parameters."""

    config: ShapleyConfig

    def create_networks(self, sample: Floats, actions: int) -> None:
        """Create the networks, their average and the optimizer, with inputs scaled by a sample of observations."""
        self.nets = ActorCritic(sample, self.config.net_arch, actions)
        self.average = copy.deepcopy(self.nets)
        self.optimizer = torch.optim.Adam(self.nets.parameters(), lr=self.config.learning_rate)

    def losses_of_mixes(
        self, logits: Tensor, values: Tensor, games: Tensor, solved: Tensor, mixes: Tensor
    ) -> dict[str, Tensor]:
        """Return the losses of the networks in stance games, by name: regret and divergence, and the critic's error.

        Args:
            logits: The policy's logits of the stances, (n, own stances).
            values: The critic's values of the states, (n,).
            games: The stance games, (n, own stances, other's stances).
            solved: The values of the games, (n,).
            mixes: The solutions of the games, (n, own stances).
        """
        chosen = torch.log_softmax(logits, dim=1)
        worst = torch.einsum("ni,nij->nj", chosen.exp(), games).min(dim=1).values
        divergence = (torch.special.xlogy(mixes, mixes) - mixes * chosen).sum(dim=1).mean()
        return {
            "regret": (solved - worst).mean(),
            "divergence": self.config.kl_coef * divergence,
            "value": (values - solved).square().mean(),
        }

    def descend_all(self, terms: Mapping[str, Tensor]) -> None:
        """Make one optimizer step on the sum of the losses, and record each of them."""
        self.descend(torch.stack(list(terms.values())).sum())
        for name, loss in terms.items():
            self.note(name, loss.item())

    def move_average(self) -> None:
        """Move the average towards the networks; early updates get more weight than the decay alone would give."""
        weight = max(1.0 - self.config.policy_ema, 1.0 / self.update)
        with torch.no_grad():
            for old, new in zip(self.average.parameters(), self.nets.parameters(), strict=True):
                old.lerp_(new, weight)

    def networks(self) -> Mapping[str, nn.Module]:
        """Return the networks that a checkpoint holds, by name."""
        return {"nets": self.nets, "average": self.average}
