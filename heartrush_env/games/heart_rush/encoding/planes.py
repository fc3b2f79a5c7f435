"""The squares around a viewer as planes, for learners with image inputs."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from heartrush_env.games.heart_rush.encoding.features import feature_names, row_of
from heartrush_env.games.heart_rush.encoding.ground import AROUND, CHANNELS, N_CHANNELS, VIEW, VIEW_SIDE
from heartrush_env.games.heart_rush.encoding.place import WIDEST
from heartrush_env.games.heart_rush.encoding.shapes import SHAPES
from heartrush_env.games.heart_rush.encoding.view import Columns
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.game import FloatArray

OTHERS = ("ally", "enemy")
PLANES = (*(channel.name for channel in CHANNELS), *OTHERS)


def planes(observations: Any) -> FloatArray:
    """Return the squares around each viewer as planes for blocked, cost, cover, height, ally and enemy.

    Takes vectors of the shape `map`, (..., features). Returns float32 arrays of the shape (..., 6, 11, 11), with rows
    from the north and the viewer's top-left square in the middle. The first four planes are features of the vector. The
    last two are 1 on the squares of standing allies and enemies. Raises HeartRushError for vectors of other shapes.
    """
    seen = np.asarray(observations, np.float32)
    features, with_turns = (len(feature_names(SHAPES["map"], turns)) for turns in (False, True))
    if seen.ndim == 0 or seen.shape[-1] not in (features, with_turns):
        raise HeartRushError(
            f"planes: expected observations of fights on maps, an array of shape (..., {features}), or "
            f"(..., {with_turns}) in an edition with turns, got an array of shape {seen.shape}."
        )
    rows = seen.reshape(-1, seen.shape[-1])[:, :features]
    drawn = np.zeros((len(rows), len(PLANES), VIEW_SIDE, VIEW_SIDE), np.float32)
    first = row_of(SHAPES["map"]).first(AROUND)
    around = rows[:, first : first + len(AROUND)]
    drawn[:, :N_CHANNELS] = around.reshape(-1, N_CHANNELS, VIEW_SIDE, VIEW_SIDE)
    for plane, others in enumerate(_others(), N_CHANNELS):
        standing, east, south, side = np.moveaxis(others.of(rows), 2, 0)  # (rows, places) each
        of_row = np.broadcast_to(np.arange(len(rows))[:, None], side.shape)
        for down, across in np.ndindex(WIDEST, WIDEST):
            x, y = east + VIEW + across, south + VIEW + down
            shown = (max(down, across) < side * standing) & (x >= 0) & (x < VIEW_SIDE) & (y >= 0) & (y < VIEW_SIDE)
            drawn[of_row[shown], plane, y[shown], x[shown]] = 1.0
    return drawn.reshape(*seen.shape[:-1], *drawn.shape[1:])


@cache
def _others() -> tuple[Columns, ...]:
    """Return, for the planes of allies and of enemies, the columns of each fighter's status, offsets and width."""
    shape = SHAPES["map"]
    return tuple(
        Columns(
            feature_names(shape),
            [[f"{kind} {place} {name}" for name in ("standing", "dx", "dy", "side")] for place in range(1, places + 1)],
        )
        for kind, places in zip(OTHERS, (shape.allies, shape.enemies), strict=True)
    )
