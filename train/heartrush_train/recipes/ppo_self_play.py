"""Self-play with a magnet: the recipe of the shipped agents.

MaskablePPO plays all seats against itself, in some fights against past selves, in some against sparring partners. Plain
self-play runs in circles in a game of hidden choices: might, then what beats might, then what beats that. Two terms
hold it: the policy's entropy, whose weight falls as training goes on, and the distance (Kullback-Leibler) to a magnet,
a copy of the policy that stands still for some updates and is then moved to where the policy has come. What is kept is
the average of the policies of the last updates. Sources: magnetic mirror descent (Sokota et al., ICLR 2023); R-NaD
(Perolat et al., Science 2022); for entropy weights, Rudolph et al. (ICLR 2026).
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from heartrush_agents import load
from heartrush_agents.base import Agent
from heartrush_agents.learned.agent import LearnedPlayer
from heartrush_agents.learned.network import Layers, Network
from heartrush_agents.vector_player import Crowd
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from heartrush_env.envs.vector import VectorFights
from heartrush_train import checkpoint
from heartrush_train.config import SelfPlay
from heartrush_train.run import Training, fading, make_model, network_of
from heartrush_train.sb3.vec_env import SeatRows, other_sides

PAST_SELVES_AT_ONCE = 4  # so many different ones play in an update
MASKED = -1e8  # the logit of what is not legal
NOT_YET = np.random.default_rng(0)  # crowds are given their own before each update


class SelfPlayTraining(Training):
    """A run of this recipe."""

    knobs: SelfPlay
    policy: MagnetPolicy

    def __init__(self, knobs: SelfPlay, folder: Path) -> None:
        """Seat past selves and sparring partners in the last fights, and the learner everywhere else."""
        fights = VectorFights(knobs.game(), knobs.fights)
        slots = np.arange(knobs.fights)[::-1]
        past = round(knobs.fights * knobs.past)
        sparring = slots[past : past + round(knobs.fights * knobs.sparring_share)]
        self.past_selves = [PastSelf(fights, part) for part in np.array_split(slots[:past], PAST_SELVES_AT_ONCE)]
        partners = [
            Crowd(load(id), fights.game, other_sides(fights.game, sparring[place :: len(knobs.sparring)]), NOT_YET)
            for place, id in enumerate(knobs.sparring)
        ]
        rows = SeatRows(fights, [*self.past_selves, *partners])
        model = make_model(knobs, rows, MagnetPolicy, ent_coef=1.0)
        super().__init__(knobs, folder, model, rows)
        self.policy.record = lambda name, value: self.model.logger.record_mean(name, value)
        self.pool: list[Network] = []

    def before_update(self, chance: np.random.Generator) -> None:
        """Let the weights fall; now and then move the magnet and keep a past self; draw who plays."""
        super().before_update(chance)
        self.policy.entropy_weight = fading(self.knobs.entropy, self.knobs.final_entropy, self.done)
        self.policy.magnet_weight = self.knobs.magnet
        if self.update % self.knobs.magnet_period == 0:
            self.policy.move_magnet()
            self.pool.append(network_of(self.policy))
            if len(self.pool) > self.knobs.pool:
                del self.pool[chance.integers(len(self.pool) - 1)]  # never the one just kept
        for past_self in self.past_selves:
            past_self.become(self.pool[chance.integers(len(self.pool))])

    def kept(self) -> checkpoint.Tensors:
        """The pool; the magnet is part of the policy."""
        return {
            f"{place}.{name}": torch.from_numpy(array)
            for place, network in enumerate(self.pool)
            for name, array in network.arrays().items()
        }

    def take_back(self, kept: checkpoint.Tensors) -> None:
        """The pool again."""
        arrays = {name: tensor.numpy() for name, tensor in kept.items()}
        self.pool = []
        while own := checkpoint.part(arrays, str(len(self.pool))):
            self.pool.append(Network.from_arrays(own))


class MagnetPolicy(MaskableActorCriticPolicy):
    """A policy whose "entropy" is what holds it: its own entropy, less its distance to the magnet, each with a weight.

    MaskablePPO adds what `evaluate_actions` calls entropy to its objective, so that no training loop need be written.
    """

    entropy_weight, magnet_weight = 0.0, 0.0
    record: Callable[[str, float], None] | None = None  # for TensorBoard

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.magnet = copy.deepcopy(self._actor()).requires_grad_(False)

    def _actor(self) -> torch.nn.Module:
        return torch.nn.Sequential(self.mlp_extractor.policy_net, self.action_net)

    def move_magnet(self) -> None:
        """Set the magnet to the present policy."""
        self.magnet.load_state_dict(self._actor().state_dict())

    def forward(
        self, obs: torch.Tensor, deterministic: bool = False, action_masks: Any = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Actions, values and logarithms of the actions' chances, for each row; faster than distributions would be."""
        for_policy, for_value = self.mlp_extractor(self.extract_features(obs))
        legal = torch.as_tensor(action_masks, dtype=torch.bool)
        logs = _logs(self.action_net(for_policy), legal)
        steps = _shares(logs, legal).cumsum(dim=-1)
        drawn = (steps <= torch.rand(len(steps), 1) * steps[:, -1:]).sum(dim=-1)
        actions = logs.argmax(dim=-1) if deterministic else torch.minimum(drawn, (steps < steps[:, -1:]).sum(dim=-1))
        return actions, self.value_net(for_value), logs.gather(1, actions[:, None]).squeeze(1)

    def evaluate_actions(
        self, obs: torch.Tensor, actions: torch.Tensor, action_masks: torch.Tensor | None = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Values, logarithms of the actions' chances, and what holds the policy, for each row."""
        assert action_masks is not None
        legal = action_masks.bool()
        features = self.extract_features(obs)
        for_policy, for_value = self.mlp_extractor(features)
        logs = _logs(self.action_net(for_policy), legal)
        with torch.no_grad():
            magnet_logs = _logs(self.magnet(features), legal)
        shares = _shares(logs, legal)
        entropy = -(shares * logs).sum(dim=-1)
        distance = (shares * (logs - magnet_logs)).sum(dim=-1)
        if self.record:
            self.record("train/entropy", entropy.mean().item())
            self.record("train/distance_to_magnet", distance.mean().item())
        holding = self.entropy_weight * entropy - self.magnet_weight * distance
        return self.value_net(for_value), logs.gather(1, actions[:, None]).squeeze(1), holding


def _logs(logits: torch.Tensor, legal: torch.Tensor) -> torch.Tensor:
    """The logarithm of each action's chance; a large negative number where it is not legal."""
    return torch.log_softmax(logits.masked_fill(~legal, MASKED), dim=-1)


def _shares(logs: torch.Tensor, legal: torch.Tensor) -> torch.Tensor:
    """The chances again, exactly 0 where not legal; exp() of large negative numbers would be slow."""
    return logs.masked_fill(~legal, 0.0).exp() * legal


_NO_NETWORK = Network(Layers((), ()), Layers((), ()))


class PastSelf(Crowd):
    """The sides that a past self takes, another one in each update."""

    def __init__(self, fights: VectorFights, slots: Any) -> None:
        """Take the other sides in these slots; `become` says who it is before anything is asked."""
        self.player = LearnedPlayer(fights.game, _NO_NETWORK, 0)
        agent = Agent("past selves", "A policy of a while ago.", lambda game: self.player)
        super().__init__(agent, fights.game, other_sides(fights.game, slots), NOT_YET)

    def become(self, network: Network) -> None:
        """Play by another network from now on."""
        self.player.network = network
