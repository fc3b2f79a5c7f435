"""Conversion of entities back to vectors; both contain the same facts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from heartrush_env.games.heart_rush.encoding.entities import (
    N_KIND,
    N_RELATION,
    N_SECRETS,
    N_TURNS,
    STAND_AT,
    X_AT,
    Y_AT,
    tell_secrets,
)
from heartrush_env.games.heart_rush.encoding.fighter import FIGHTER
from heartrush_env.games.heart_rush.encoding.ground import GROUND, N_CHANNELS, SHOWN, VIEW, VIEW_SIDE, VIEW_SQUARES
from heartrush_env.games.heart_rush.encoding.moment import MOMENT
from heartrush_env.games.heart_rush.encoding.place import FURTHEST, OWN
from heartrush_env.games.heart_rush.encoding.things import DOES, KIND, N_OBJECT
from heartrush_env.games.heart_rush.rules.space import WALL
from heartrush_env.games.heart_rush.rules.terms import MOST_OBJECTS, NOBODY
from heartrush_env.tabletop.game import FloatArray

N_MOMENT, N_GROUND, N_BLOCK, N_OWN = len(MOMENT), len(GROUND), len(FIGHTER), len(OWN)


def vector_of(entities: Mapping[str, Any], fights: Any, seats: Any) -> FloatArray:
    """Return the vectors of these fights' seats, (rows, features), from the entity arrays of many fights."""
    rows = np.arange(len(fights))
    viewer = np.asarray(entities["viewer"])[fights, seats].astype(np.int64)
    places = np.asarray(entities["places"])[fights, viewer].astype(np.int64)  # (rows, places)
    moment, fighters = entities["moment"][fights], entities["fighters"][fights]
    relations = entities["relations"][fights, viewer]  # (rows, fighters, facts)
    on_map = "ground" in entities
    known = fighters[..., :N_BLOCK].copy()
    secrets = entities["secrets"][fights, seats]
    tell_secrets(known, secrets)

    def itself(numbers: Any) -> Any:
        return numbers[rows, viewer]

    def others(*numbers: Any) -> Any:
        found = np.concatenate(numbers, axis=-1)[rows[:, None], np.maximum(places, 0)]
        found[places == NOBODY] = 0
        return found.reshape(len(rows), places.shape[1] * found.shape[2])

    parts = [moment[:, :N_MOMENT], itself(known), others(known, relations[..., N_KIND:N_RELATION])]
    if on_map:
        parts += [moment[:, N_MOMENT : N_MOMENT + N_GROUND], entities["way"][fights, seats]]
        parts += [itself(fighters[..., N_BLOCK : N_BLOCK + N_OWN])]
        parts += [others(relations[..., N_RELATION:], fighters[..., STAND_AT])]
        parts += [_squares_around(entities["ground"], fights, itself(fighters))]
        parts += [_objects(entities["objects"][fights], itself(fighters))]
    last = moment[:, N_MOMENT + (N_GROUND if on_map else 0) :]
    loadouts = secrets[..., N_SECRETS:]
    in_turns = fighters[..., N_BLOCK + (N_OWN if on_map else 0) :]
    if in_turns.shape[-1]:
        parts += [last[:, :N_TURNS], itself(in_turns), others(in_turns)]
        last = last[:, N_TURNS:]
    if loadouts.shape[-1]:
        parts += [last, itself(loadouts), others(loadouts), entities["picking"][fights, seats]]
    vectors: FloatArray = np.concatenate(parts, axis=1).astype(np.float32)
    return vectors


def _objects(objects: Any, viewers: Any) -> Any:
    """Return the objects as viewers see them, (rows, objects * features), from public objects and viewers' blocks."""
    there = objects[..., : len(DOES)].any(axis=-1)
    ways = (objects[..., len(KIND) :] - viewers[:, None, [X_AT, Y_AT]]) * there[..., None]
    return np.concatenate([objects[..., : len(KIND)], ways], axis=-1).reshape(len(objects), MOST_OBJECTS * N_OBJECT)


def _squares_around(ground: Any, fights: Any, viewers: Any) -> Any:
    """Return the squares around viewers, (rows, channels * squares), from the whole ground and viewers' blocks."""
    side = ground.shape[-1] + 2 * VIEW
    padded = np.empty((len(ground), N_CHANNELS, side, side), np.float32)
    padded[:] = SHOWN[:, WALL, None, None]
    padded[..., VIEW:-VIEW, VIEW:-VIEW] = ground
    x, y = (np.rint(viewers[:, at, None, None] * FURTHEST).astype(np.int64) for at in (X_AT, Y_AT))
    around = np.arange(VIEW_SIDE)
    seen = padded[np.asarray(fights)[:, None, None], :, y + around[:, None], x + around]
    return seen.transpose(0, 3, 1, 2).reshape(
        len(viewers), N_CHANNELS * VIEW_SQUARES
    )  # from (rows, squares north to south, ..., channels)
