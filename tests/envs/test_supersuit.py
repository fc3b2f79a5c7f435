"""SuperSuit's wrappers on environments that show features alone."""

from typing import Any

import numpy as np
import pytest

from heartrush_env import heart_rush_v0
from tests.envs.checks import choose

supersuit = pytest.importorskip("supersuit", reason="needs supersuit, which the extra dev brings")

# Its other wrappers are for images (color_reduction, resize) and for actions that are fractions (clip, scale).
WRAPPERS: dict[str, dict[str, Any]] = {
    "action_lambda_v1": {"change_action_fn": lambda action, space: action, "change_space_fn": lambda space: space},
    "agent_indicator_v0": {},
    "black_death_v3": {},
    "clip_reward_v0": {},
    "delay_observations_v0": {"delay": 2},
    "dtype_v0": {"dtype": np.float16},
    "flatten_v0": {},
    "frame_skip_v0": {"num_frames": 2},
    "frame_stack_v2": {"stack_size": 3},
    "max_observation_v0": {"memory": 2},
    "nan_noop_v0": {"no_op_action": 0},
    "nan_random_v0": {},
    "nan_zeros_v0": {},
    "normalize_obs_v0": {},
    "observation_lambda_v0": {"change_observation_fn": lambda seen, space: seen / 2},
    "pad_action_space_v0": {},
    "pad_observations_v0": {},
    "reshape_v0": {"shape": (11, 23)},
    "reward_lambda_v0": {"change_reward_fn": lambda reward: 2 * reward},
    "sticky_actions_v0": {"repeat_action_probability": 0.2},
}
OUTSIDE = {"agent_indicator_v0"}  # it writes the largest bound of all features where its own space says 1
STEPS = 12


def features_alone() -> Any:
    return heart_rush_v0.parallel_env("duel", flatten=True, max_cycles=STEPS)


@pytest.mark.parametrize("name", WRAPPERS)
@pytest.mark.filterwarnings("ignore")
def test_a_wrapper_plays_a_fight_to_its_end_and_a_step_of_nobody_after_it(name: str) -> None:
    env = getattr(supersuit, name)(features_alone(), **WRAPPERS[name])
    seen, infos = env.reset(seed=7)
    step = 0
    while env.agents:
        for agent in env.agents:
            space = env.observation_space(agent)
            assert seen[agent].shape == space.shape and (name in OUTSIDE or space.contains(seen[agent]))
        actions = {agent: choose(infos[agent]["action_mask"], 0, step, 0) for agent in env.agents}
        seen, rewards, terminated, truncated, infos = env.step(actions)
        step += 1
    assert 0 < step <= STEPS + 1 and set(rewards) == {"knight_0", "duelist_0"}
    assert all(terminated.values()) or all(truncated.values())
    assert [dict(each) for each in env.step({})] == [{}, {}, {}, {}, {}]


@pytest.mark.filterwarnings("ignore")
def test_rows_of_many_environments_are_stepped_side_by_side() -> None:
    rows = supersuit.pettingzoo_env_to_vec_env_v1(supersuit.black_death_v3(features_alone()))
    envs = supersuit.concat_vec_envs_v1(rows, 2, num_cpus=1, base_class="gymnasium")
    seen, _ = envs.reset(seed=7)
    assert seen.shape == (4, 253)
    for _ in range(2 * STEPS):
        seen, rewards, *_ = envs.step(np.zeros(4, np.int64))
        assert seen.shape == (4, 253) and rewards.shape == (4,)
