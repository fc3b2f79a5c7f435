"""Policies for Stable-Baselines3: one that a magnet holds, and any of them as plain arrays."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import torch
from heartrush_agents.learned.network import Layers, Network
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

MASKED = -1e8  # the logit of an illegal action


class MagnetPolicy(MaskableActorCriticPolicy):
    """A policy whose "entropy" is what holds it: its own entropy, less its distance to the magnet, each with a weight.

    MaskablePPO adds what `evaluate_actions` calls entropy to its objective, so that no training loop need be written.
    """

    ent_coef, magnet_coef = 0.0, 0.0
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
        holding = self.ent_coef * entropy - self.magnet_coef * distance
        return self.value_net(for_value), logs.gather(1, actions[:, None]).squeeze(1), holding


def _logs(logits: torch.Tensor, legal: torch.Tensor) -> torch.Tensor:
    """The logarithm of each action's chance; a large negative number where it is not legal."""
    return torch.log_softmax(logits.masked_fill(~legal, MASKED), dim=-1)


def _shares(logs: torch.Tensor, legal: torch.Tensor) -> torch.Tensor:
    """The chances again, exactly 0 where not legal; exp() of large negative numbers would be slow."""
    return logs.masked_fill(~legal, 0.0).exp() * legal


def network_of(policy: Any) -> Network:
    """The arrays of a policy that has hidden layers of its own for policy and value."""
    extractor = policy.mlp_extractor
    return Network(_layers(extractor.policy_net, policy.action_net), _layers(extractor.value_net, policy.value_net))


def _layers(hidden: torch.nn.Sequential, last: torch.nn.Linear) -> Layers:
    linear = [*(module for module in hidden if isinstance(module, torch.nn.Linear)), last]
    return Layers(
        tuple(module.weight.detach().numpy().T.copy() for module in linear),
        tuple(module.bias.detach().numpy().copy() for module in linear),
    )
