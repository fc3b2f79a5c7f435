"""The TorchRL example runs; `make test-libraries` has an environment for it."""

import math

import pytest

pytest.importorskip("torchrl", reason="run by make test-libraries")

from tests.examples.test_examples import example


def test_it_trains_on_what_is_legal_alone() -> None:
    """Four stances are legal in every window, so the entropy of a barely trained policy is close to ln 4 nats."""
    entropy = example("torchrl_ppo").main(batches=1, rows=200)
    assert math.log(4) - 0.2 < entropy <= math.log(4) + 1e-5


def test_torchrl_checks_the_environment() -> None:
    from torchrl.envs.utils import check_env_specs

    env = example("torchrl_ppo").make_env()
    check_env_specs(env)
    legal = env.reset()["fighters", "action_mask"]
    assert legal.sum(-1).tolist() == [4, 4]
