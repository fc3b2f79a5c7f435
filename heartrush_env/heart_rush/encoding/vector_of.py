"""From entities back to the vector: both show the same facts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from heartrush_env.core.game import FloatArray
from heartrush_env.heart_rush.encoding.entities import N_KIND, N_RELATION, SECRETS
from heartrush_env.heart_rush.encoding.fighter import FIGHTER
from heartrush_env.heart_rush.encoding.ground import GROUND, SHOWN, VIEW, VIEW_SIDE
from heartrush_env.heart_rush.encoding.moment import MOMENT
from heartrush_env.heart_rush.encoding.place import BETWEEN, FURTHEST, OTHER, OWN
from heartrush_env.heart_rush.encoding.turns import IN_TURNS
from heartrush_env.heart_rush.rules.space import WALL

N_MOMENT, N_GROUND, N_BLOCK, N_OWN = len(MOMENT), len(GROUND), len(FIGHTER), len(OWN)
OF_OTHER = [OWN.part(line.name)[0] for line in OTHER.lines[len(BETWEEN.lines) :]]  # what is the other's own
X, Y = OWN.part("x")[0], OWN.part("y")[0]


def vector_of(entities: Mapping[str, Any], seat: int) -> FloatArray:
    """The vectors of a seat, (fights, features), from the arrays of entities of many fights."""
    count = len(entities["viewer"])
    fights, viewer = np.arange(count), entities["viewer"][:, seat].astype(np.int64)
    moment, fighters = entities["moment"], entities["fighters"]
    on_map = "ground" in entities
    relations = entities["relations"][fights, viewer]  # (fights, fighters, relation)
    known = fighters[..., :N_BLOCK].copy()
    for line in SECRETS.lines:
        (first, length), (at, _) = FIGHTER.part(line.name), SECRETS.part(line.name)
        known[..., first : first + length] += entities["secrets"][:, seat, :, at : at + length]
    places = np.asarray(entities["places"])[fights, viewer].astype(np.int64)  # (fights, places)

    def itself(numbers: Any) -> Any:
        return numbers[fights, viewer]

    def others(numbers: Any) -> Any:
        found = numbers[fights[:, None], np.maximum(places, 0)]
        return np.where(places[..., None] >= 0, found, 0).reshape(count, -1)

    bonds = relations[..., N_KIND:N_RELATION]
    parts = [moment[:, :N_MOMENT], itself(known), others(np.concatenate([known, bonds], -1))]
    if on_map:
        own = fighters[..., N_BLOCK : N_BLOCK + N_OWN]
        other = np.concatenate([relations[..., N_RELATION:], own[..., OF_OTHER]], -1)
        parts += [moment[:, N_MOMENT : N_MOMENT + N_GROUND], itself(own), others(other)]
        parts.append(squares_around(entities["ground"], itself(own)))
    turns = moment[:, N_MOMENT + (N_GROUND if on_map else 0) :]
    if turns.shape[1]:
        in_turns = fighters[..., -len(IN_TURNS) :]
        parts += [turns, itself(in_turns), others(in_turns)]
    return np.concatenate(parts, 1)


def squares_around(ground: Any, own: Any) -> FloatArray:
    """The squares around viewers, (fights, channels x squares), from the whole ground and the block of their places."""
    channels, side = ground.shape[1], ground.shape[2] + 2 * VIEW
    padded = np.empty((len(ground), channels, side, side), np.float32)
    padded[:] = SHOWN[:, WALL, None, None]
    padded[:, :, VIEW:-VIEW, VIEW:-VIEW] = ground
    x, y = (np.rint(own[:, at] * FURTHEST).astype(np.int64) for at in (X, Y))
    around = np.arange(VIEW_SIDE)
    rows, columns = y[:, None, None] + around[:, None], x[:, None, None] + around
    seen = padded[np.arange(len(ground))[:, None, None], :, rows, columns]  # (fights, rows, columns, channels)
    return seen.transpose(0, 3, 1, 2).reshape(len(ground), -1)
