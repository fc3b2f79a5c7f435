"""Policies for Stable-Baselines3: one regularised towards a magnet, and the conversion of any policy to arrays."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import torch
from heartrush_agents.learned.network import Layers, Network
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

MASKED = -1e8  # the logit of an illegal action


class MagnetPolicy(MaskableActorCriticPolicy):
    """A policy whose "entropy" term is its regulariser: entropy minus divergence from the magnet, each with a weight.

    MaskablePPO adds the entropy that `evaluate_actions` returns to its objective, so no training loop of our own is
    needed.
    """

    ent_coef, magnet_coef = 0.0, 0.0
    record: Callable[[str, float], None] | None = None  # for TensorBoard

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.magnet = copy.deepcopy(self._actor()).requires_grad_(False)

    def _actor(self) -> torch.nn.Module:
        return torch.nn.Sequential(self.mlp_extractor.policy_net, self.action_net)

    def move_magnet(self) -> None:
        """Move the magnet to the current policy."""
        self.magnet.load_state_dict(self._actor().state_dict())

    def forward(
        self, obs: torch.Tensor, deterministic: bool = False, action_masks: Any = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return each row's action, value and log-probability; this is faster than distribution objects."""
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
        """Return the values, log-probabilities and regulariser of each row."""
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
        regulariser = self.ent_coef * entropy - self.magnet_coef * distance
        return self.value_net(for_value), logs.gather(1, actions[:, None]).squeeze(1), regulariser


def _logs(logits: torch.Tensor, legal: torch.Tensor) -> torch.Tensor:
    """Return the log-probability of each action; a large negative number for an illegal one."""
    return torch.log_softmax(logits.masked_fill(~legal, MASKED), dim=-1)


def _shares(logs: torch.Tensor, legal: torch.Tensor) -> torch.Tensor:
    """Return the probabilities, exactly 0 for illegal actions; exp() of their log-probabilities would be slow."""
    return logs.masked_fill(~legal, 0.0).exp() * legal


def network_of(policy: Any) -> Network:
    """Return the weights of a policy as plain arrays; policy and value must not share hidden layers."""
    extractor = policy.mlp_extractor
    return Network(_layers(extractor.policy_net, policy.action_net), _layers(extractor.value_net, policy.value_net))


def become(policy: Any, network: Network) -> bool:
    """Load a network's weights into a policy, inverting `network_of`; return False if the layer sizes differ."""
    here = network_of(policy)
    if (here.policy.sizes, here.value.sizes) != (network.policy.sizes, network.value.sizes):
        return False
    extractor = policy.mlp_extractor
    for layers, hidden, last in (
        (network.policy, extractor.policy_net, policy.action_net),
        (network.value, extractor.value_net, policy.value_net),
    ):
        for module, weight, bias in zip(_linear(hidden, last), layers.weights, layers.biases, strict=True):
            module.load_state_dict({"weight": torch.from_numpy(weight.T), "bias": torch.from_numpy(bias)})
    return True


def _layers(hidden: torch.nn.Sequential, last: torch.nn.Linear) -> Layers:
    linear = _linear(hidden, last)
    return Layers(
        tuple(module.weight.detach().numpy().T.copy() for module in linear),
        tuple(module.bias.detach().numpy().copy() for module in linear),
    )


def _linear(hidden: torch.nn.Sequential, last: torch.nn.Linear) -> list[torch.nn.Linear]:
    return [*(module for module in hidden if isinstance(module, torch.nn.Linear)), last]
