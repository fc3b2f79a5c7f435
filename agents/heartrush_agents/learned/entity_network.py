"""A network that reads entities, as plain arrays: for any number of fighters on any map. Needs no torch.

It sees each fighter through its block, its relation to the viewer and the secrets that the seat shares; it pools them
by attention, and scores each action by its kind, its target and its square. Nothing depends on the order of the
fighters, nor on the room that the shape has for more of them. The same holds for abilities: it sees each through its
facts, adds up those of a loadout, and scores a use by the ability that is used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartrush_env.heart_rush.encoding.ability_facts import OF_FIGHTER, loadout_facts
from heartrush_env.heart_rush.encoding.action_slots import ActionSlots
from heartrush_env.heart_rush.encoding.entities import N_SECRETS, PRESENT_AT, X_AT, Y_AT
from heartrush_env.heart_rush.encoding.place import FURTHEST
from heartrush_env.heart_rush.rules.terms import FASTEST, NOBODY

Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Seen:
    """The inputs of a network for some rows, each a seat of a fight: arrays, or tensors.

    Attributes:
        fights: (rows,): the fight of each row, a place in `fighters`.
        viewer: (rows,): the fighter for which the seat decides.
        moment: (rows, facts).
        fighters: (fights, fighters, facts), once a fight.
        relations: (rows, fighters, facts), to the viewer.
        secrets: (rows, fighters, facts), without loadouts.
        loadouts: (rows, fighters, slots, facts): abilities as the seat sees them; None in fights without any.
        slots: (actions, facts).
        target: (rows, actions): the fighter at whom each action goes; -1 for nobody.
        squares: (rows, actions, facts): the square of each action, 0 for none; None without a map.
        ability: (actions,): the slot of the viewer's loadout that each action uses; -1 for none.
    """

    fights: Any
    viewer: Any
    moment: Any
    fighters: Any
    relations: Any
    secrets: Any
    loadouts: Any
    slots: Any
    target: Any
    squares: Any
    ability: Any


def look(
    entities: Mapping[str, Any],
    fights: Any,
    seats: Any,
    slots: ActionSlots,
    convert: Callable[[Any], Any] = np.asarray,
) -> Seen:
    """The inputs of a network for these seats of these fights.

    Args:
        entities: The arrays of an observation, of many fights.
        fights: (rows,): the fight of each row.
        seats: (rows,): the seat of each row.
        slots: The slots of the game's actions.
        convert: The network's own form of an array, such as `torch.tensor`.
    """
    viewer = np.asarray(entities["viewer"])[fights, seats].astype(np.int64)
    places = np.asarray(entities["places"])[fights, viewer].astype(np.int64)
    secrets = np.asarray(entities["secrets"][fights, seats])
    loadouts = loadout_facts(secrets[..., N_SECRETS:]) if secrets.shape[-1] > N_SECRETS else None
    return Seen(
        fights=convert(np.asarray(fights)),
        viewer=convert(viewer),
        moment=convert(entities["moment"][fights]),
        fighters=convert(entities["fighters"]),
        relations=convert(entities["relations"][fights, viewer]),
        secrets=convert(secrets[..., : N_SECRETS + OF_FIGHTER]),
        loadouts=None if loadouts is None else convert(loadouts),
        slots=convert(slots.features),
        target=convert(np.where(slots.place == NOBODY, NOBODY, places[:, slots.place])),
        squares=convert(_squares(entities, fights, viewer, slots)) if "ground" in entities else None,
        ability=convert(slots.ability),
    )


def _squares(entities: Mapping[str, Any], fights: Any, viewer: Any, slots: ActionSlots) -> Floats:
    """The ground of the squares that actions name, how far they lie from the viewer, and 1; 0 outside the map."""
    ground, own = entities["ground"], entities["fighters"][fights, viewer]
    x, y = (
        np.rint(own[:, at, None] * FURTHEST).astype(np.int64) + slots.square[:, axis]
        for axis, at in enumerate((X_AT, Y_AT))
    )
    inside = slots.has_square & (x >= 0) & (y >= 0) & (x < ground.shape[-1]) & (y < ground.shape[-2])
    there = ground[np.asarray(fights)[:, None], :, np.where(inside, y, 0), np.where(inside, x, 0)]
    beside = np.broadcast_to(slots.square / np.float32(FASTEST), (*x.shape, 2))
    shown = np.concatenate([there, beside, np.ones((*x.shape, 1), np.float32)], axis=-1)
    squares: Floats = (shown * inside[..., None]).astype(np.float32)
    return squares


@dataclass(frozen=True, eq=False)
class EntityNetwork:
    """The weights of a network that reads entities."""

    layers: Mapping[str, tuple[Floats, Floats]]  # weights (inputs, outputs) and biases (outputs,), by name

    def __call__(self, seen: Seen) -> tuple[Floats, Floats]:
        """The logit of each action, legal or not, (rows, actions), and the value of each row, (rows,)."""
        rows, there = np.arange(len(seen.viewer)), seen.fighters[seen.fights][..., PRESENT_AT] > 0
        known = self._layer("fighter", seen.fighters)[seen.fights]
        known = known + self._layer("relation", seen.relations) + self._layer("secret", seen.secrets)
        if seen.loadouts is not None:
            owned = np.tanh(self._layer("ability", seen.loadouts)) * seen.loadouts[..., :1]
            known = known + owned.sum(axis=2)
        known = np.tanh(known)
        own = self._layer("own", known[rows, seen.viewer]) + self._layer("moment", seen.moment)
        heed = np.einsum("rfh,rh->rf", self._layer("key", known), own) / np.sqrt(np.float32(own.shape[-1]))
        heed = np.exp(np.where(there, heed - heed.max(axis=1, keepdims=True), -np.inf))
        pooled = np.einsum("rf,rfh->rh", heed / heed.sum(axis=1, keepdims=True), known)
        state = np.tanh(own + self._layer("pooled", pooled))
        about = state[:, None] + self._layer("slot", seen.slots)
        targets = self._layer("target", known)[rows[:, None], np.maximum(seen.target, 0)]
        about = about + np.where(seen.target[..., None] == NOBODY, 0, targets)
        if seen.loadouts is not None:
            used = self._layer("used", owned[rows, seen.viewer])[:, np.maximum(seen.ability, 0)]
            about = about + np.where(seen.ability[:, None] == NOBODY, 0, used)
        if seen.squares is not None:
            about = about + self._layer("square", seen.squares)
        return self._layer("logit", np.tanh(about))[..., 0], self._layer("value", state)[..., 0]

    def _layer(self, name: str, inputs: Any) -> Any:
        weights, biases = self.layers[name]
        return inputs @ weights + biases
