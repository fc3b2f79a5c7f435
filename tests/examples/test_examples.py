"""The examples run, and learn; those on OpenSpiel are run in tests/research/bridges."""

import importlib.util
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from heartrush_env.games.heart_rush.fights import MANY

EXAMPLES = {path.stem: path for path in sorted((Path(__file__).parents[2] / "examples").glob("*.py"))}


def example(name: str) -> ModuleType:
    """Import an example as a module."""
    spec = importlib.util.spec_from_file_location(f"examples_{name}", EXAMPLES[name])
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_these_are_all() -> None:
    openspiel = {"openspiel_cfr", "openspiel_exploitability", "openspiel_psro"}
    elsewhere = {"rllib_ppo", "rllib_vectorised", "torchrl_ppo"}  # run in tests/libraries by `make test-libraries`
    here = {"gymnasium_ppo", "gymnasium_sb3", "pettingzoo_parallel", "vectorised"}
    assert set(EXAMPLES) == here | openspiel | elsewhere


@pytest.mark.long  # tests/train/sb3 learns with it on many fights, and the next test on Gymnasium's
def test_stable_baselines3_learns_on_the_gymnasium_door(capsys: pytest.CaptureFixture[str]) -> None:
    after = example("gymnasium_sb3").main(steps=8192, fights=40)
    before = float(capsys.readouterr().out.split("uniform: ")[1].split()[0])
    assert after > before + 0.2


def test_ppo_in_one_file_learns_on_the_vector_door() -> None:
    """One seat learns to beat an enemy that always takes might; with all seats, gains and losses sum to zero."""
    few = MANY - 1  # more have a kernel of their own, which takes long to compile
    assert example("gymnasium_ppo").main(updates=10, seat="knight_0", opponent="might", num_envs=few) > 0.5
    assert example("gymnasium_ppo").main(updates=2, seat="all", opponent="might", num_envs=16) == 0.0


def test_stances_are_learned_on_the_parallel_door() -> None:
    """Each fighter learns some preference, but gives up none of its stances."""
    mixes = example("pettingzoo_parallel").main(fights=150)
    assert set(mixes) == {"knight_0", "duelist_0"}
    for mix in mixes.values():
        assert mix.sum() == pytest.approx(1.0) and mix.min() > 0.05
        assert np.abs(mix - 1 / 3).max() > 0.02  # something was learned


def test_stances_are_learned_on_the_vectorised_door() -> None:
    mixes = example("vectorised").main(steps=1200, num_envs=MANY - 1)
    assert mixes.shape == (2, 3)
    np.testing.assert_allclose(mixes.sum(axis=1), 1.0)
    assert mixes.min() > 0.05 and np.abs(mixes - 1 / 3).max() > 0.02
