"""The squares around a viewer as planes, for learners that look at them as at a picture."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from heartrush_env.core.errors import HeartRushError
from heartrush_env.core.game import FloatArray
from heartrush_env.heart_rush.encoding.features import feature_names
from heartrush_env.heart_rush.encoding.features_on_map import (
    CHANNELS,
    FURTHEST,
    N_CHANNELS,
    SIDE_SCALE,
    VIEW,
    VIEW_SIDE,
    VIEW_SQUARES,
)
from heartrush_env.heart_rush.encoding.shapes import SHAPES

OTHERS = ("ally", "enemy")
PLANES = (*CHANNELS, *OTHERS)


def planes(observations: Any) -> FloatArray:
    """The squares around each viewer, one plane for each of blocked, cost, cover, height, ally and enemy.

    Takes vectors of the shape `map`, (..., features), and returns float32 of (..., 6, 11, 11), rows from the north, the
    viewer's top-left square in the middle. The first four planes are the vector's own last features; the last two are 1
    on the squares of those who stand there. HeartRushError for vectors of another shape.
    """
    seen = np.asarray(observations, np.float32)
    features = len(feature_names(SHAPES["map"]))
    if seen.ndim == 0 or seen.shape[-1] != features:
        raise HeartRushError(
            f"planes: found an array of shape {seen.shape}, allowed: (..., {features}), observations of the shape map."
        )
    rows = seen.reshape(-1, features)
    drawn = np.zeros((len(rows), len(PLANES), VIEW_SIDE, VIEW_SIDE), np.float32)
    drawn[:, :N_CHANNELS] = rows[:, -N_CHANNELS * VIEW_SQUARES :].reshape(-1, N_CHANNELS, VIEW_SIDE, VIEW_SIDE)
    for plane, standing, dx, dy, side in _others():
        east, south = (np.rint(rows[:, column] * FURTHEST).astype(np.intp) + VIEW for column in (dx, dy))
        wide = np.rint(rows[:, side] * SIDE_SCALE) * (rows[:, standing] > 0)
        for down, across in np.ndindex(SIDE_SCALE, SIDE_SCALE):
            x, y = east + across, south + down
            shown = (max(down, across) < wide) & (x >= 0) & (x < VIEW_SIDE) & (y >= 0) & (y < VIEW_SIDE)
            drawn[shown, plane, y[shown], x[shown]] = 1.0
    return drawn.reshape(*seen.shape[:-1], *drawn.shape[1:])


@cache
def _others() -> tuple[tuple[int, int, int, int, int], ...]:
    """The plane of each other fighter and the columns of whether it stands, its square and its side."""
    column = {name: number for number, name in enumerate(feature_names(SHAPES["map"]))}

    def found() -> Iterator[tuple[int, int, int, int, int]]:
        for kind, places in (("ally", SHAPES["map"].allies), ("enemy", SHAPES["map"].enemies)):
            for place in range(1, places + 1):
                standing, dx, dy, side = (column[f"{kind} {place} {name}"] for name in ("standing", "dx", "dy", "side"))
                yield PLANES.index(kind), standing, dx, dy, side

    return tuple(found())
