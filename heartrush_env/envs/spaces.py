"""The spaces of actions and observations, made from a game."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.game import Bounds, Game


def action_space(game: Game) -> spaces.Discrete:
    """Return a `Discrete` with one number for each action of the game."""
    return spaces.Discrete(len(game.action_names))


def flattens(flatten: Any, observations: str, game: Game) -> bool:
    """Return `flatten` as a bool; raise HeartRushError if it is set for observations of several arrays."""
    if flatten and list(game.observed(observations)) != ["observation"]:
        allowed = "observations of one array, or flatten=False"
        raise HeartRushError(
            f"flatten: expected {allowed}, got observations={observations!r}, which are several arrays."
        )
    return bool(flatten)


def observation_space(game: Game, observations: str, *fights: int) -> spaces.Dict:
    """Return a `Dict` of the arrays of an observation and the action mask, for one seat or for many fights.

    Args:
        game: The game.
        observations: The kind of observations.
        fights: For many fights, the number of fights and the number of seats; omitted for one seat.
    """
    boxes = {
        name: _box(bounds, fights[: 1 if bounds.of_fight else 2])
        for name, bounds in game.observed(observations).items()
    }
    mask = spaces.Box(0, 1, (*fights, len(game.action_names)), dtype=np.int8)
    return spaces.Dict({**boxes, "action_mask": mask})


def _box(bounds: Bounds, fights: tuple[int, ...]) -> spaces.Box:
    """Return the space of one array of an observation, with the dimensions `fights` in front."""
    low, high = (np.broadcast_to(end, (*fights, *end.shape)) for end in (bounds.low, bounds.high))
    return spaces.Box(low, high, dtype=bounds.low.dtype.type)
