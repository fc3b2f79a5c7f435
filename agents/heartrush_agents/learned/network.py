"""A small neural network as plain arrays, exported by training and played by learned agents. Needs no torch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Layers:
    """Fully connected layers with tanh between them."""

    weights: tuple[Floats, ...]  # (inputs, outputs) each
    biases: tuple[Floats, ...]  # (outputs,) each

    @property
    def sizes(self) -> tuple[int, ...]:
        """The sizes of the input, the hidden layers and the output."""
        return (len(self.weights[0]), *(len(bias) for bias in self.biases))

    def __call__(self, inputs: Floats) -> Floats:
        """Return the output of the last layer for one input (inputs,) or many (n, inputs)."""
        last = len(self.weights) - 1
        for place, (weight, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            inputs = inputs @ weight + bias
            if place < last:
                inputs = np.tanh(inputs)
        return inputs


@dataclass(frozen=True, eq=False)
class Network:
    """A policy network and a value network; the value is the seat's expected result, from -1 to 1."""

    policy: Layers
    value: Layers

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> Network:
        """Build a network from its `arrays`; raise ValueError if they do not fit together."""
        network = cls(_layers("policy", arrays), _layers("value", arrays))
        if network.value.sizes != (*network.value.sizes[:-1], 1) or network.value.sizes[0] != network.policy.sizes[0]:
            raise ValueError(f"policy {network.policy.sizes} and value {network.value.sizes} do not fit each other")
        return network

    @property
    def sizes(self) -> dict[str, Any]:
        """The sizes of the network's layers, for a card."""
        return {"activation": "tanh", "policy": self.policy.sizes, "value": self.value.sizes}

    def arrays(self) -> dict[str, Floats]:
        """Return all weights and biases by name, as in "policy.0.weight"."""
        named = {}
        for part, layers in (("policy", self.policy), ("value", self.value)):
            for place, (weight, bias) in enumerate(zip(layers.weights, layers.biases, strict=True)):
                named[f"{part}.{place}.weight"], named[f"{part}.{place}.bias"] = weight, bias
        return named

    def probabilities(self, features: Floats, masks: NDArray[np.int8]) -> Floats:
        """Return the mixed strategy, 0 where masked.

        Args:
            features: (features,) or (n, features).
            masks: (actions,) or (n, actions), 1 where legal.

        Returns:
            Probabilities in the shape of the masks; each row sums to 1.
        """
        logits = np.where(masks, self.policy(features), -np.inf)
        shares: Floats = np.exp(logits - logits.max(axis=-1, keepdims=True))
        shares /= shares.sum(axis=-1, keepdims=True)
        return shares


def _layers(part: str, arrays: Mapping[str, NDArray[Any]]) -> Layers:
    """Build the layers of one part, checking each against the previous one."""
    weights: list[Floats] = []
    biases: list[Floats] = []
    while f"{part}.{len(weights)}.weight" in arrays:
        name = f"{part}.{len(weights)}"
        weight, bias = arrays[f"{name}.weight"], arrays.get(f"{name}.bias", np.zeros(0))
        if not (weight.dtype == bias.dtype == np.float32 and weight.ndim == 2 and bias.shape == weight.shape[1:]):
            raise ValueError(f"{name} is {weight.dtype} {weight.shape} with a bias {bias.dtype} {bias.shape}")
        if biases and len(biases[-1]) != len(weight):
            raise ValueError(f"{name} takes {len(weight)} numbers, but the layer before it gives {len(biases[-1])}")
        if not (np.isfinite(weight).all() and np.isfinite(bias).all()):
            raise ValueError(f"{name} is not finite")
        weights.append(weight)
        biases.append(bias)
    if not weights:
        raise ValueError(f"there is no {part}")
    return Layers(tuple(weights), tuple(biases))
