"""A Stable-Baselines3 VecEnv over vectorised fights of any game, for your own learners."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from heartrush_env.envs.opponents import Opponent
from heartrush_env.envs.seats import ALL, seat_players
from heartrush_env.envs.vector import BatchEnv
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.registry import DEFAULT_GAME, open_game, usual_scenario

if TYPE_CHECKING:
    from heartrush_train.sb3.vec_env import SeatVecEnv

NEEDED = "A Stable-Baselines3 VecEnv needs the extra 'train': pip install 'heartrush-env[train]'."


def make_vec_env(
    num_envs: int,
    scenario: str | PathLike[str] | Mapping[str, Any] | None = None,
    *,
    game: str = DEFAULT_GAME,
    seat: str | None = ALL,
    opponent: Opponent = "uniform",
    allies: Opponent | None = None,
    seed: int | None = None,
    **options: Any,
) -> SeatVecEnv:
    """Create a VecEnv whose rows are seats of many fights, with `action_masks` for MaskablePPO.

    Args:
        num_envs: Number of fights played at once.
        scenario: A shipped name, the path of a TOML file, or a dict; by default the duel, or the game's first scenario.
        game: The name of a registered game.
        seat: The agent that the learner plays, None for the first; there is one row per fight. With "all", the default,
            the learner plays every seat against itself, with one row per seat and fight.
        opponent: The player of the other teams: an agent, its id, a class of players, or a mapping from agents to any
            of these.
        allies: The player of the other seats on the learner's team, in any form of `opponent`; `opponent` by default.
        seed: Seed of all fights and of the agents' choices; random by default.
        options: Other options of the game and of its `make_vec`: rules, reward, num_threads, observations, ...

    Returns:
        A VecEnv whose observations are the feature vectors, float32 (rows, features), without masks; with
        observations="entities" they are a dict of arrays. When a fight ends, the next one starts in the same step, and
        the info holds `terminal_observation`.

    Raises:
        HeartRushError: Stable-Baselines3 is not installed, or an option is invalid.
    """
    try:
        from heartrush_train.sb3.vec_env import SeatVecEnv
    except ImportError:
        raise HeartRushError(NEEDED) from None
    reward = options.pop("reward") if callable(options.get("reward")) else None
    of_env = {key: options.pop(key) for key in inspect.signature(BatchEnv).parameters if key in options}
    opened = open_game({"game": game, "scenario": scenario or usual_scenario(game), **options}, "")
    fights = BatchEnv(opened, num_envs, seed=seed, reward=reward, **of_env)
    players = seat_players(fights, seat, opponent, allies)
    for place, player in enumerate(players):
        player.rng = np.random.default_rng(None if seed is None else [seed, place])
    return SeatVecEnv(fights, players)
