"""The trainable torch version of the network in heartrush_agents/heart_rush/learned/entity_network.py."""

from __future__ import annotations

from typing import Any

import torch
from heartrush_agents.heart_rush.learned.entity_network import FAR, HEADS, EntityNetwork, layer_sizes, rings
from heartrush_agents.heart_rush.learned.entity_view import ITSELF, Seen, slot_table
from torch import nn

from heartrush_env.games.heart_rush.encoding.entities import PRESENT_AT


class EntityNet(nn.Module):
    """A network that returns a score for each action and a value for each seat, in fights of any size, on any map."""

    slots: torch.Tensor
    rings: torch.Tensor

    def __init__(self, hidden: int = 64, near: int = 16) -> None:
        """Create a network.

        Args:
            hidden: The size of its layers, a multiple of 4.
            near: The size of its embedding of the distance between a square and a fighter.
        """
        super().__init__()
        self.layers = nn.ModuleDict({name: nn.Linear(*sizes) for name, sizes in layer_sizes(hidden, near).items()})
        self.register_buffer("slots", torch.tensor(slot_table()), persistent=False)
        self.register_buffer("rings", torch.tensor(rings()), persistent=False)

    def forward(self, seen: Seen) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the logit of each choice, (rows, width), -inf for padding, and the value of each row, (rows,)."""
        layer, rows = self.layers, torch.arange(len(seen.viewer), device=seen.moment.device)
        there = seen.fighters[seen.fights][..., PRESENT_AT] > 0
        known = layer["fighter"](seen.fighters)[seen.fights] + layer["relation"](seen.relations)
        if seen.loadouts is not None:
            owned = layer["ability"](seen.loadouts).tanh() * seen.loadouts[..., :1]
            known = known + owned.sum(dim=2)
        known = known.tanh()
        itself = known[rows, seen.viewer]
        heads = (*known.shape[:-1], HEADS, -1)
        query = layer["query"](itself).reshape(len(rows), 1, HEADS, -1)
        heed = (layer["key"](known).reshape(heads) * query).sum(dim=-1) / query.shape[-1] ** 0.5
        shares = heed.masked_fill(~there[..., None], -torch.inf).softmax(dim=1)
        pooled = (shares[..., None] * known.reshape(heads)).sum(dim=1).reshape(len(rows), -1)
        state = layer["own"](itself) + layer["moment"](seen.moment) + layer["means"](seen.own)
        state = (state + layer["pooled"](pooled)).tanh()
        state = layer["state"](state).tanh() + state
        about = layer["choice"](state)[seen.row] + layer["slot"](self.slots)[seen.slot]
        aimed = (seen.target >= 0).nonzero()[:, 0]
        about = about.index_add(0, aimed, layer["target"](known)[seen.row[aimed], seen.target[aimed]])
        if seen.loadouts is not None:
            uses = (seen.ability >= 0).nonzero()[:, 0]
            of = seen.row[uses]
            about = about.index_add(0, uses, layer["used"](owned[of, seen.viewer[of], seen.ability[uses]]))
        if len(seen.at):
            others = there & (seen.relations[..., ITSELF] == 0)
            of, distances = seen.row[seen.at], layer["distance"](self.rings)[seen.apart.clamp(max=FAR)]
            near = ((distances + layer["beside"](known)[of]).tanh() * others[of][..., None]).sum(dim=1)
            about = about.index_add(0, seen.at, layer["square"](seen.squares) + layer["around"](near))
        scores = layer["logit"](about.tanh())[:, 0]
        logits = scores.new_full((len(rows), seen.width), -torch.inf).index_put((seen.row, seen.column), scores)
        return logits, layer["value"](state)[:, 0]

    def policy(self, seen: Seen) -> torch.Tensor:
        """Return the logit of each choice, as calling the network does."""
        logits: torch.Tensor = self(seen)[0]
        return logits

    def become(self, network: Any) -> bool:
        """Load the weights of a network that reads entities; return False if it is of another kind or size."""
        if not isinstance(network, EntityNetwork) or network.sizes != self.network().sizes:
            return False
        self.read(network)
        return True

    def network(self) -> EntityNetwork:
        """Return a copy of the weights as plain arrays, which need no torch."""
        weights: Any = self.layers
        return EntityNetwork(
            {
                name: (layer.weight.detach().cpu().numpy().T.copy(), layer.bias.detach().cpu().numpy().copy())
                for name, layer in weights.items()
            }
        )

    def read(self, network: EntityNetwork) -> None:
        """Load the weights of a network that holds plain arrays."""
        with torch.no_grad():
            for name, (weight, bias) in network.layers.items():
                layer: Any = self.layers[name]
                layer.weight.copy_(torch.tensor(weight.T))
                layer.bias.copy_(torch.tensor(bias))
