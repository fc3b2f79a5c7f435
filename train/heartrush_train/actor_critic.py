"""A policy network and a value network in torch, over selected columns of an observation, and their export."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from heartrush_agents.learned.network import Layers, Network
from numpy.typing import NDArray
from torch import Tensor, nn

Floats = NDArray[np.float32]
LEAST_SCALE = 1e-3  # lower bound, for columns that hardly vary


class ActorCritic(nn.Module):
    """Two tanh networks that read the same columns, each column scaled to mean 0 and standard deviation 1."""

    mean: Tensor
    scale: Tensor

    def __init__(self, sample: Floats, hidden: Sequence[int], actions: int) -> None:
        """Create new networks; `sample` (n, columns) determines each column's mean and scale."""
        super().__init__()
        self.register_buffer("mean", torch.from_numpy(sample.mean(axis=0)))
        self.register_buffer("scale", torch.from_numpy(sample.std(axis=0).clip(LEAST_SCALE)))
        self.policy, self.value = (_layers((sample.shape[1], *hidden, outputs)) for outputs in (actions, 1))

    def forward(self, rows: Floats) -> tuple[Tensor, Tensor]:
        """Return the logits (n, actions) and the values (n,) of observations (n, columns)."""
        scaled = self.scaled(rows)
        return self.policy(scaled), self.value(scaled)[:, 0]

    def scaled(self, rows: Floats) -> Tensor:
        """Return the rows with each column scaled, as the networks read them."""
        return (torch.from_numpy(rows) - self.mean) / self.scale

    def network(self, columns: NDArray[np.int64], features: int) -> Network:
        """Return the networks over whole observations of `features` features; only `columns` are read."""
        return Network(*(self._whole(part, columns, features) for part in (self.policy, self.value)))

    def _whole(self, part: nn.Sequential, columns: NDArray[np.int64], features: int) -> Layers:
        """Return one network with the scaling folded into its first layer."""
        linear = [layer for layer in part if isinstance(layer, nn.Linear)]
        weights = [layer.weight.detach().numpy().T.astype(np.float64) for layer in linear]
        biases = [layer.bias.detach().numpy().astype(np.float64) for layer in linear]
        first = weights[0] / self.scale.numpy()[:, None].astype(np.float64)
        biases[0] = biases[0] - self.mean.numpy().astype(np.float64) @ first
        weights[0] = np.zeros((features, first.shape[1]))
        weights[0][columns] = first
        return Layers(*(tuple(array.astype(np.float32) for array in arrays) for arrays in (weights, biases)))


def _layers(sizes: Sequence[int]) -> nn.Sequential:
    made: list[Any] = []
    for inputs, outputs in pairwise(sizes):
        made += [nn.Linear(inputs, outputs), nn.Tanh()]
    return nn.Sequential(*made[:-1])
