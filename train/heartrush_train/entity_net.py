"""A reference: the network of heartrush_agents/learned/entity_network.py in torch, to be trained."""

from __future__ import annotations

from typing import Any

import torch
from heartrush_agents.learned.entity_network import EntityNetwork, Seen
from torch import nn

from heartrush_env.heart_rush.encoding.ability_facts import OF_FIGHTER, loadout_fact_names
from heartrush_env.heart_rush.encoding.action_slots import slot_feature_names
from heartrush_env.heart_rush.encoding.entities import N_SECRETS, PRESENT_AT, Layout
from heartrush_env.heart_rush.encoding.ground import N_CHANNELS

OF_SQUARE = N_CHANNELS + 3  # its ground, its way from the viewer in two numbers, and 1


class EntityNet(nn.Module):
    """Scores actions and values seats in fights with any number of fighters, on any map.

    The same weights play all fights whose observations name the same facts: all on maps, or all without one; all with
    abilities, or all without any. With abilities they play any loadout, those among them that they have never met.
    """

    def __init__(self, layout: Layout, hidden: int = 64) -> None:
        """Make a network for observations of this layout."""
        super().__init__()
        facts = {name: len(part.features) for name, part in layout.parts.items()}
        abilities = facts["secrets"] > N_SECRETS
        inputs = {
            "fighter": facts["fighters"],
            "relation": facts["relations"],
            "secret": N_SECRETS + (OF_FIGHTER if abilities else 0),
            "moment": facts["moment"],
            "slot": len(slot_feature_names()),
            **({"square": OF_SQUARE} if "ground" in facts else {}),
            **({"ability": len(loadout_fact_names()), "used": hidden} if abilities else {}),
            **dict.fromkeys(("own", "key", "pooled", "target", "logit", "value"), hidden),
        }
        self.layers = nn.ModuleDict(
            {name: nn.Linear(count, 1 if name in ("logit", "value") else hidden) for name, count in inputs.items()}
        )

    def forward(self, seen: Seen) -> tuple[torch.Tensor, torch.Tensor]:
        """The logit of each action, legal or not, (rows, actions), and the value of each row, (rows,)."""
        layer = self.layers
        fighters = layer["fighter"](seen.fighters)[seen.fights]
        known = fighters + layer["relation"](seen.relations) + layer["secret"](seen.secrets)
        if seen.loadouts is not None:
            owned = layer["ability"](seen.loadouts).tanh() * seen.loadouts[..., :1]
            known = known + owned.sum(dim=2)
        known = known.tanh()
        own = layer["own"](_of(known, seen.viewer[:, None])[:, 0]) + layer["moment"](seen.moment)
        heed = (layer["key"](known) * own[:, None]).sum(dim=-1) / own.shape[-1] ** 0.5
        absent = seen.fighters[seen.fights][..., PRESENT_AT] == 0
        shares = heed.masked_fill(absent, -torch.inf).softmax(dim=-1)
        state = (own + layer["pooled"]((shares[..., None] * known).sum(dim=1))).tanh()
        about = state[:, None] + layer["slot"](seen.slots)
        targets = _of(layer["target"](known), seen.target.clamp(min=0))
        about = about + targets * (seen.target >= 0)[..., None]
        if seen.loadouts is not None:
            used = layer["used"](owned[torch.arange(len(owned)), seen.viewer])[:, seen.ability.clamp(min=0)]
            about = about + used * (seen.ability >= 0)[:, None]
        if seen.squares is not None:
            about = about + layer["square"](seen.squares)
        return layer["logit"](about.tanh()).squeeze(-1), layer["value"](state).squeeze(-1)

    def network(self) -> EntityNetwork:
        """The same weights as plain arrays, which need no torch."""
        weights: Any = self.layers
        return EntityNetwork(
            {
                name: (layer.weight.detach().numpy().T.copy(), layer.bias.detach().numpy().copy())
                for name, layer in weights.items()
            }
        )


def _of(known: torch.Tensor, fighters: torch.Tensor) -> torch.Tensor:
    """The entries of these fighters, (rows, n), of an array (rows, fighters, hidden)."""
    return known.gather(1, fighters[..., None].expand(-1, -1, known.shape[-1]))
