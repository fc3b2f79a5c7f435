"""The Stable-Baselines3 VecEnv for users."""

from __future__ import annotations

import numpy as np
import pytest
from heartrush_train.sb3 import make_vec_env
from sb3_contrib import MaskablePPO

from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.kernels import noting
from heartrush_env.tabletop.registry import VARIABLE, register_game
from tests.envs.test_entities_at_doors import vector_in


def test_a_seat_is_a_row_of_each_fight() -> None:
    env = make_vec_env(6, "duel", seat="duelist_0", opponent="might", seed=1, decisions="stance")
    assert env.num_envs == 6 and set(env.seats) == {1}
    assert env.reset().shape == (6, *env.observation_space.shape)
    total = 0.0
    for _ in range(200):
        _, rewards, dones, infos = env.step(env.action_masks().argmax(axis=1))
        total += rewards.sum()
        assert all(("terminal_observation" in info) == done for info, done in zip(infos, dones, strict=True))
    assert total != 0


def test_without_a_seat_every_seat_is_a_row() -> None:
    assert make_vec_env(3, "brawl", seed=1).num_envs == 12


def test_the_same_seed_is_the_same_run() -> None:
    def run() -> list[bytes]:
        env = make_vec_env(2, seat="knight_0", opponent="uniform", seed=5, decisions="stance")
        frames = [env.reset().tobytes()]
        return [*frames, *(env.step(env.action_masks().argmax(axis=1))[0].tobytes() for _ in range(40))]

    assert run() == run()


def test_maskable_ppo_learns_on_it() -> None:
    """PPO learns to win against `might`, which beats cunning and is beaten by agility."""
    env = make_vec_env(16, seat="knight_0", opponent="might", seed=1, decisions="stance")
    model = MaskablePPO("MlpPolicy", env, n_steps=32, batch_size=256, gamma=1.0, seed=1)
    model.learn(16 * 32 * 12)
    assert model.ep_info_buffer is not None
    seen, scores = env.reset(), []
    while len(scores) < 40:
        actions, _ = model.predict(seen, action_masks=np.stack(env.env_method("action_masks")))
        seen, rewards, dones, _ = env.step(actions)
        scores += rewards[dones].tolist()
    assert np.mean(scores) > 0.5


def test_entities_are_a_dict_of_rows() -> None:
    """The entities contain the numbers of the vectors, also in the last observations of fights."""
    with noting(), np.errstate(over="ignore"):
        options = {"seat": "duelist_0", "opponent": "default", "seed": 1, "max_cycles": 3}
        told, shown = make_vec_env(2, observations="entities", **options), make_vec_env(2, **options)
        entities, vectors, ends = told.reset(), shown.reset(), 0
        for _ in range(4):
            assert told.observation_space.contains({name: array[0, ...] for name, array in entities.items()})
            for row in range(2):
                assert np.array_equal(vector_in({name: array[row] for name, array in entities.items()}), vectors[row])
            actions = shown.action_masks().argmax(axis=1)
            (entities, _, dones, infos), (vectors, _, _, others) = told.step(actions), shown.step(actions)
            for row in np.flatnonzero(dones):
                ends += 1
                assert np.array_equal(
                    vector_in(infos[row]["terminal_observation"]), others[row]["terminal_observation"]
                )
        assert ends == 2


@pytest.fixture
def hidden_hands(monkeypatch: pytest.MonkeyPatch) -> str:
    """Register a game made for tests, and return its name."""
    monkeypatch.setenv(VARIABLE, "")
    register_game("hidden_hands", "tests.toy_game")
    return "hidden_hands"


def test_any_registered_game_can_be_learned(hidden_hands: str) -> None:
    env = make_vec_env(4, game=hidden_hands, seat="hand_1", seed=3, max_cycles=6)
    assert env.players[0].agent.id == "uniform"
    seen, ends = env.reset(), 0
    assert seen.shape == (4, *env.observation_space.shape) and set(env.seats) == {1}
    for _ in range(40):
        seen, _, dones, infos = env.step(env.action_masks().argmax(axis=1))
        ends += dones.sum()
        assert env.observation_space.contains(seen[0])
        assert all(("terminal_observation" in info) == done for info, done in zip(infos, dones, strict=True))
    assert ends >= 4


def test_a_function_rewards_the_events_of_a_step(hidden_hands: str) -> None:
    env = make_vec_env(2, game=hidden_hands, reward=lambda events: {"hand_0": len(events)}, seed=1)
    env.reset()
    assert sum(env.step(env.action_masks().argmax(axis=1))[1].max() for _ in range(3)) > 0


def test_what_the_doors_refuse_is_refused() -> None:
    with pytest.raises(HeartRushError, match="There is no seat 'nobody'"):
        make_vec_env(2, seat="nobody")
