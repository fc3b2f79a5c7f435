"""A network that reads entities, as plain arrays: for any number of fighters on any map. Needs no torch.

The network sees each fighter through the fighter's block and relation to the viewer. It pools all fighters by
attention, and scores each action by its kind, its target and its square. A square is described by its ground and by
each fighter's distance. The result does not depend on the order of the fighters or on the shape's room for more of
them. The network also sees each ability through its facts, sums the abilities of a loadout, and scores a use by the
ability used.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartrush_agents.heart_rush.learned.entity_view import FACTS, ITSELF, OF_SQUARE, Floats, Seen, slot_table
from heartrush_env.games.heart_rush.encoding.entities import PRESENT_AT
from heartrush_env.games.heart_rush.rules.terms import NOBODY

HEADS = 4  # of the attention; the hidden size is a multiple of it
RINGS = (0, 1, 2, 3, 4, 6, 9)  # in squares; a fighter within a ring's distance counts as near
FAR = 64  # squares; no fighter is further away


def rings() -> Floats:
    """Return, for each distance, whether it is within each ring, and its fraction of FAR, (FAR + 1, rings + 1)."""
    distance = np.arange(FAR + 1)[:, None]
    return np.concatenate([distance <= np.array(RINGS), distance / FAR], axis=1).astype(np.float32)


def layer_sizes(hidden: int, near: int) -> dict[str, tuple[int, int]]:
    """Return the numbers of inputs and outputs of each layer, by name."""
    inputs = {name.removesuffix("s"): len(FACTS[name]) for name in ("fighters", "relations", "moment", "slots")}
    return {
        **{name: (count, hidden) for name, count in inputs.items()},
        "ability": (len(FACTS["loadouts"]), hidden),
        "means": (len(FACTS["own"]), hidden),
        "square": (OF_SQUARE, hidden),
        **dict.fromkeys(("own", "query", "key", "pooled", "state", "choice", "target", "used"), (hidden, hidden)),
        "distance": (len(RINGS) + 1, near),
        "beside": (hidden, near),
        "around": (near, hidden),
        "logit": (hidden, 1),
        "value": (hidden, 1),
    }


@dataclass(frozen=True, eq=False)
class EntityNetwork:
    """The weights of a network that reads entities."""

    layers: Mapping[str, tuple[Floats, Floats]]  # weights (inputs, outputs) and biases (outputs,), by name

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> EntityNetwork:
        """Build a network from its `arrays`; raise ValueError if they do not fit together."""
        hidden, near = (
            arrays[f"{name}.bias"].size if f"{name}.bias" in arrays else 0 for name in ("fighter", "beside")
        )
        if hidden <= 0 or hidden % HEADS:
            raise ValueError(f"the hidden size is {hidden}, and not a multiple of {HEADS}")
        layers = {}
        for name, (inputs, outputs) in layer_sizes(hidden, near).items():
            weight, bias = (arrays.get(f"{name}.{part}", np.zeros(0)) for part in ("weight", "bias"))
            if name == "ability" and weight.ndim == 2 and len(weight) < inputs:  # weights from before later facts
                weight = np.pad(weight, [(0, inputs - len(weight)), (0, 0)])
            if not (weight.dtype == bias.dtype == np.float32) or (weight.shape, bias.shape) != (
                (inputs, outputs), (outputs,)
            ):  # fmt: skip
                raise ValueError(f"{name} is {weight.dtype} {weight.shape} with a bias {bias.dtype} {bias.shape}")
            if not (np.isfinite(weight).all() and np.isfinite(bias).all()):
                raise ValueError(f"{name} is not finite")
            layers[name] = weight, bias
        return cls(layers)

    @property
    def sizes(self) -> dict[str, Any]:
        """The sizes of the network's layers, for a card."""
        hidden, near = (len(self.layers[name][1]) for name in ("fighter", "beside"))
        return {"activation": "tanh", "hidden": hidden, "near": near, "heads": HEADS}

    def arrays(self) -> dict[str, Floats]:
        """Return all weights and biases by name, as in "fighter.weight"."""
        return {
            f"{name}.{part}": array
            for name, layer in self.layers.items()
            for part, array in zip(("weight", "bias"), layer, strict=True)
        }

    @cached_property
    def _slots(self) -> Floats:
        """The output of the layer "slot" for every slot; it does not depend on the fight."""
        made: Floats = self._layer("slot", slot_table())
        return made

    @cached_property
    def _distances(self) -> Floats:
        made: Floats = self._layer("distance", rings())
        return made

    def __call__(self, seen: Seen) -> tuple[Floats, Floats]:
        """Return the logits of choices, (rows, width), and the value of each row, (rows,).

        Logits are -inf where a row has no choice.
        """
        rows, there = np.arange(len(seen.viewer)), seen.fighters[seen.fights][..., PRESENT_AT] > 0
        known = self._layer("fighter", seen.fighters)[seen.fights] + self._layer("relation", seen.relations)
        if seen.loadouts is not None:
            owned = np.tanh(self._layer("ability", seen.loadouts)) * seen.loadouts[..., :1]
            known = known + owned.sum(axis=2)
        known = np.tanh(known)
        itself = known[rows, seen.viewer]
        heads = (*known.shape[:-1], HEADS, -1)
        query = self._layer("query", itself).reshape(len(rows), 1, HEADS, -1)
        heed = (self._layer("key", known).reshape(heads) * query).sum(axis=-1) / np.sqrt(np.float32(query.shape[-1]))
        heed = np.where(there[..., None], heed, -np.inf)
        heed = np.exp(heed - heed.max(axis=1, keepdims=True))
        heed = heed / heed.sum(axis=1, keepdims=True)
        pooled = (heed[..., None] * known.reshape(heads)).sum(axis=1).reshape(len(rows), -1)
        state = self._layer("own", itself) + self._layer("moment", seen.moment) + self._layer("means", seen.own)
        state = np.tanh(state + self._layer("pooled", pooled))
        state = np.tanh(self._layer("state", state)) + state
        about = self._layer("choice", state)[seen.row] + self._slots[seen.slot]
        aimed = np.flatnonzero(seen.target != NOBODY)
        about[aimed] += self._layer("target", known[seen.row[aimed], seen.target[aimed]])
        if seen.loadouts is not None:
            uses = np.flatnonzero(seen.ability != NOBODY)
            of = seen.row[uses]
            about[uses] += self._layer("used", owned[of, seen.viewer[of], seen.ability[uses]])
        if len(seen.at):
            others = there & (seen.relations[..., ITSELF] == 0)
            of, beside = seen.row[seen.at], self._layer("beside", known)
            near = np.tanh(self._distances[np.minimum(seen.apart, FAR)] + beside[of]) * others[of][..., None]
            about[seen.at] += self._layer("square", seen.squares) + self._layer("around", near.sum(axis=1))
        logits = np.full((len(rows), seen.width), -np.inf, np.float32)
        logits[seen.row, seen.column] = self._layer("logit", np.tanh(about))[:, 0]
        return logits, self._layer("value", state)[:, 0]

    def _layer(self, name: str, inputs: Any) -> Any:
        weights, biases = self.layers[name]
        return inputs @ weights + biases
