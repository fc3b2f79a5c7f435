"""A Stable-Baselines3 VecEnv for learners of your own, over the vectorised fights."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from heartrush_env import heart_rush_v0
from heartrush_env.core.errors import HeartRushError
from heartrush_env.envs.seats import seat_players
from heartrush_env.envs.single import Opponent

if TYPE_CHECKING:
    from heartrush_train.sb3.vec_env import SeatVecEnv

NEEDED = "A Stable-Baselines3 VecEnv needs the extra train: pip install 'heartrush-env[train]'."


def make_vec_env(
    num_envs: int,
    scenario: heart_rush_v0.ScenarioLike = "duel",
    *,
    seat: str | None = None,
    opponent: Opponent = "uniform",
    allies: Opponent | None = None,
    seed: int | None = None,
    **options: Any,
) -> SeatVecEnv:
    """A VecEnv whose rows are seats of many fights, with `action_masks` for MaskablePPO.

    Args:
        num_envs: How many fights are played at once.
        scenario: As everywhere: a shipped name, "random:7", the path of a TOML file, or a dict.
        seat: The agent that the learner plays, a row for each fight. Without one the learner plays every seat against
            itself, a row for each seat of each fight, and nobody else plays.
        opponent: Who decides for the other teams: an agent, its id, a class of players, or a mapping from agents to
            these.
        allies: Who decides for the others of the seat's team, likewise; the same as `opponent` unless given.
        seed: The seed of all fights and of the agents' choices; random unless given.
        options: What `heart_rush_v0.make_vec` takes besides: rules, decisions, reward, num_threads, ...

    Returns:
        A row's observation is the vector of features, without the mask. A fight that ends begins again in the same
        step, with `terminal_observation` in its info.

    Raises:
        HeartRushError: Stable-Baselines3 is not installed, or what the doors of the environment refuse.
    """
    try:
        from heartrush_train.sb3.vec_env import SeatVecEnv
    except ImportError:
        raise HeartRushError(NEEDED) from None
    fights = heart_rush_v0.make_vec(num_envs, scenario, seed=seed, **options)
    players = [] if seat is None else seat_players(fights, seat, opponent, opponent if allies is None else allies)
    for place, player in enumerate(players):
        player.rng = np.random.default_rng(None if seed is None else [seed, place])
    return SeatVecEnv(fights, players)
