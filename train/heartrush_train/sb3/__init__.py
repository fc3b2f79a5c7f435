"""A Stable-Baselines3 VecEnv over vectorised fights, for your own learners."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from heartrush_env import heart_rush_v0
from heartrush_env.envs.opponents import Opponent
from heartrush_env.envs.seats import ALL, seat_players
from heartrush_env.tabletop.errors import HeartRushError

if TYPE_CHECKING:
    from heartrush_train.sb3.vec_env import SeatVecEnv

NEEDED = "A Stable-Baselines3 VecEnv needs the extra 'train': pip install 'heartrush-env[train]'."


def make_vec_env(
    num_envs: int,
    scenario: heart_rush_v0.ScenarioLike = "duel",
    *,
    seat: str | None = ALL,
    opponent: Opponent = "uniform",
    allies: Opponent | None = None,
    seed: int | None = None,
    **options: Any,
) -> SeatVecEnv:
    """Create a VecEnv whose rows are seats of many fights, with `action_masks` for MaskablePPO.

    Args:
        num_envs: Number of fights played at once.
        scenario: A shipped name, "random:7", the path of a TOML file, or a dict.
        seat: The agent that the learner plays, None for the first; there is one row per fight. With "all", the default,
            the learner plays every seat against itself, with one row per seat and fight.
        opponent: The player of the other teams: an agent, its id, a class of players, or a mapping from agents to any
            of these.
        allies: The player of the other seats on the learner's team, in any form of `opponent`; `opponent` by default.
        seed: Seed of all fights and of the agents' choices; random by default.
        options: Other options of `heart_rush_v0.make_vec`: rules, decisions, reward, num_threads, ...

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
    fights = heart_rush_v0.make_vec(num_envs, scenario, seed=seed, **options)
    players = seat_players(fights, seat, opponent, allies)
    for place, player in enumerate(players):
        player.rng = np.random.default_rng(None if seed is None else [seed, place])
    return SeatVecEnv(fights, players)
