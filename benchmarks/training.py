"""Timing of training: updates of the self-play recipe on duels, and of MaskablePPO on an environment that does nothing.

All have rows of the same size and the same configuration. The environment of the peer shows the same random numbers in
every step, with every action legal, so its speed is the highest that Stable-Baselines3 allows. A row is a window of an
agent. The peer learns from every row; on duels, a learner skips the rows whose agents are not asked, about a fifth.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from heartrush_train.config import LEAN, SB3, SelfPlayConfig

from heartrush_env.app.heart_rush.commands.bench import SEED, Counts, Step

UNIT = "rows"


def self_play(learner: str = SB3) -> Step:
    """Return a step that times an update of the recipe that trains the duelist, with its pool, magnet and fights."""
    from heartrush_train.recipes import prepare

    folder = tempfile.TemporaryDirectory()
    training = prepare(SelfPlayConfig(seed=SEED, learner=learner), Path(folder.name))

    def step() -> tuple[float, Counts]:
        assert folder  # keeps the temporary folder while the step is in use
        begun = perf_counter()
        training.learn(1)
        return perf_counter() - begun, {UNIT: training.samples_per_update}

    return step


def lean() -> Step:
    """Return a step that times an update of the recipe on the lean learner."""
    return self_play(LEAN)


def lean_alone() -> Step:
    """Return a step that times an update of the lean learner against itself, without players, past selves or magnet."""
    import torch
    from heartrush_train.ppo import PPO, Fights, Hyperparameters

    from heartrush_env.envs.vector import BatchEnv

    config = SelfPlayConfig(seed=SEED)
    torch.set_num_threads(1)
    sizes = Hyperparameters(net_arch=config.net_arch)
    learner = PPO([Fights(BatchEnv(config.game(), config.n_envs), sizes)], sizes)
    learner.begin(SEED)

    def step() -> tuple[float, Counts]:
        begun = perf_counter()
        learner.update()
        return perf_counter() - begun, {UNIT: learner.rows}

    return step


def no_op() -> Step:
    """Return a step that times an update of MaskablePPO on an environment that does nothing."""
    import torch
    from sb3_contrib import MaskablePPO

    config = SelfPlayConfig(seed=SEED)
    torch.set_num_threads(1)
    others = round(config.past_self_share * config.n_envs) + round(config.sparring_share * config.n_envs)
    rows = nothing_to_do(2 * config.n_envs - others, config)
    model = MaskablePPO(
        "MlpPolicy",
        rows,
        n_steps=config.n_steps,
        batch_size=config.batch_size,
        n_epochs=config.n_epochs,
        policy_kwargs={"net_arch": list(config.net_arch)},
        seed=SEED,
        device="cpu",
    )
    number = rows.num_envs * config.n_steps

    def step() -> tuple[float, Counts]:
        begun = perf_counter()
        model.learn(number, reset_num_timesteps=False)
        return perf_counter() - begun, {UNIT: number}

    return step


def nothing_to_do(number: int, config: SelfPlayConfig) -> Any:
    """Return a VecEnv that does nothing, with this many rows and the spaces of a duel."""
    from stable_baselines3.common.vec_env import VecEnv

    from heartrush_env.envs.spaces import action_space, observation_space

    game = config.game()
    seen = np.random.default_rng(SEED).random((number, len(game.feature_names)), dtype=np.float32)
    masks = np.ones((number, len(game.action_names)), np.int8)

    class Nothing(VecEnv):
        def reset(self) -> Any:
            return seen

        def step_async(self, actions: Any) -> None:
            pass

        def step_wait(self) -> Any:
            return seen, np.zeros(number, np.float32), np.zeros(number, np.bool_), [{} for _ in range(number)]

        def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> Any:
            return masks

        def has_attr(self, attr_name: str) -> bool:
            return attr_name == "action_masks"

        def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
            return [None] * number

        def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
            pass

        def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
            return [False] * number

        def close(self) -> None:
            pass

    return Nothing(number, observation_space(game, "vector")["observation"], action_space(game))
