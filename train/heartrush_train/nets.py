"""Networks of the lean learner, in torch, and what they read: rows of features. Masks and draws of actions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, cast

import torch
from heartrush_agents.learned.network import Layers, Network
from torch import Tensor, nn

IMPOSSIBLE = 1e4  # how much lower the logits of illegal actions are; exp() of more would be slow


class ActorCriticNet(nn.Module):
    """A policy network and a value network, of tanh layers, that read the same features."""

    def __init__(self, features: int, actions: int, hidden: Sequence[int], generator: torch.Generator) -> None:
        """Draw orthogonal weights, as Stable-Baselines3 does; the new policy is nearly uniform."""
        super().__init__()
        self.policy = TanhLayers((features, *hidden, actions), 0.01, generator)
        self.value = TanhLayers((features, *hidden, 1), 1.0, generator)

    def forward(
        self, seen: Tensor, columns: Tensor | None = None, actions: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """Return the logits (n, actions) and the values (n,) of features (n, features).

        Args:
            seen: The features.
            columns: Which features these are, if all others are 0.
            actions: Which logits are wanted, if not all.
        """
        return self.policy(seen, columns, actions), self.value(seen, columns)[:, 0]

    def network(self) -> Network:
        """Return the weights as plain arrays."""
        return Network(arrays_of(self.policy), arrays_of(self.value))

    def become(self, network: Any) -> bool:
        """Load plain arrays, inverting `network`; return False if the network is of another kind or size."""
        here = self.network()
        if not isinstance(network, Network):
            return False
        if (here.policy.sizes, here.value.sizes) != (network.policy.sizes, network.value.sizes):
            return False
        load_layers(self.policy, network.policy)
        load_layers(self.value, network.value)
        return True


class TanhLayers(nn.ModuleList):
    """Linear layers with tanh between them."""

    def __init__(self, sizes: Sequence[int], last_gain: float, generator: torch.Generator) -> None:
        """Draw orthogonal weights."""
        super().__init__(nn.Linear(inputs, outputs) for inputs, outputs in pairwise(sizes))
        for place, layer in enumerate(self.linears()):
            nn.init.orthogonal_(layer.weight, last_gain if place == len(sizes) - 2 else 2**0.5, generator=generator)
            nn.init.zeros_(layer.bias)

    def linears(self) -> list[nn.Linear]:
        """Return the layers."""
        return cast("list[nn.Linear]", list(self))

    def forward(self, inputs: Tensor, columns: Tensor | None = None, outputs: Tensor | None = None) -> Tensor:
        """Return the outputs (n, outputs) of inputs (n, inputs); `columns` and `outputs` leave some of them out.

        On the CPU, tanh is computed as 2 sigmoid(2 x) - 1, which is three times as fast. The two factors and the
        subtraction are applied to the weights, which are far fewer than the numbers between the layers.
        """
        on_cpu = inputs.device.type == "cpu"
        for place, layer in enumerate(self.linears()):
            weight: Tensor = layer.weight
            bias: Tensor = layer.bias
            is_last = place == len(self) - 1
            if place == 0 and columns is not None:
                weight = weight.index_select(1, columns)
            if is_last and outputs is not None:
                weight, bias = weight.index_select(0, outputs), bias.index_select(0, outputs)
            if on_cpu and place > 0:
                weight, bias = 2 * weight, bias - weight.sum(dim=1)
            if on_cpu and not is_last:
                weight, bias = 2 * weight, 2 * bias
            inputs = nn.functional.linear(inputs, weight, bias)
            if not is_last:
                inputs = inputs.sigmoid() if on_cpu else inputs.tanh()
        return inputs


def load_layers(part: TanhLayers, layers: Layers) -> None:
    """Load plain arrays into layers of these sizes."""
    for linear, weight, bias in zip(part.linears(), layers.weights, layers.biases, strict=True):
        linear.load_state_dict({"weight": torch.from_numpy(weight.T), "bias": torch.from_numpy(bias)})


def arrays_of(part: TanhLayers) -> Layers:
    """Return the weights as plain arrays."""
    return Layers(
        tuple(layer.weight.detach().cpu().numpy().T.copy() for layer in part.linears()),
        tuple(layer.bias.detach().cpu().numpy().copy() for layer in part.linears()),
    )


def masked(logits: Tensor, legal: Tensor) -> Tensor:
    """Return the logits, so low for illegal actions that their probability is 0."""
    return (logits + (legal.float() - 1) * IMPOSSIBLE).clamp(min=-IMPOSSIBLE)


def draw(shares: Tensor, generator: torch.Generator) -> Tensor:
    """Draw an action for each row of probabilities, never one whose probability is 0."""
    steps = shares.cumsum(dim=1)
    last = steps[:, -1:]
    places = torch.rand((len(steps), 1), generator=generator, device=steps.device) * last
    return torch.minimum((steps <= places).sum(dim=1), (steps < last).sum(dim=1))  # rounding may reach the end


# -- observations ------------------------------------------------------------------------------------------------------


class Vectors:
    """Observations as a row of features for each agent: those of now, and those of the decisions of a rollout."""

    def __init__(self, env: Any, steps: int, decisions: int, device: torch.device) -> None:
        """Allocate the memory of a rollout of at most `decisions` decisions."""
        self.kept = torch.zeros((decisions, len(env.game.feature_names)), device=device)
        self.columns: Tensor | None = None
        self.outputs: Tensor | None = None

    def begin(self, seen: Mapping[str, Tensor]) -> None:
        """Take the arrays of the environment, which it rewrites in each step."""
        self.seen = seen["observation"]
        self.now = self.seen.flatten(0, 1)

    def chooses(self, asked: Tensor, legal: Tensor) -> Tensor:
        """Return which agents decide by a network, (fights, agents), of those that are asked: all of them."""
        return asked

    def look(self, where: Tensor, legal: Tensor) -> tuple[Tensor]:
        """Return a network's inputs for these agents, numbered through all fights, and their legal actions."""
        return (self.now.index_select(0, where),)

    def keep(self, step: int, where: Tensor, legal: Tensor, part: slice) -> tuple[Tensor]:
        """Return what `look` returns, and keep it as this part of the rollout's decisions."""
        return (torch.index_select(self.now, 0, where, out=self.kept[part]),)

    def for_players(self, env: Any, first: int) -> Any:
        """Return the features of the agents of fight number `first` and those after it, for players on the host."""
        return self.seen[first:].cpu().numpy()

    def close(self, count: int, legal: Tensor) -> Tensor | None:
        """Prepare to learn from the first `count` decisions, and return the actions that the network scores for them.

        On the CPU, features that are always 0 and actions that are never legal are left out, which changes no result.
        """
        self.rows = self.kept[:count]
        if self.rows.device.type == "cpu":
            self.columns = self.rows.abs().sum(dim=0).nonzero()[:, 0]  # faster than any()
            self.outputs = legal.sum(dim=0).nonzero()[:, 0]
            self.rows = self.rows.index_select(1, self.columns)
        return self.outputs

    def batch(self, part: Tensor, places: Tensor, legal: Tensor) -> tuple[Tensor, Tensor | None, Tensor | None]:
        """Return a network's inputs for these decisions, at these places of the rollout, and their legal actions."""
        return self.rows.index_select(0, part), self.columns, self.outputs

    def last(self, told: Mapping[str, Tensor], where: Tensor, legal: Tensor) -> tuple[Tensor]:
        """Return a network's inputs for the last observations of these agents, in fights that have ended."""
        return (told["final_observation"].flatten(0, 1).index_select(0, where),)
