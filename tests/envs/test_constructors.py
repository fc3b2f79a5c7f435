"""The six constructors of a game: their arguments, their docstrings, and the environments that they make."""

import inspect
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from heartrush_env import heart_rush_classic_v0, heart_rush_v0
from heartrush_env.envs.constructors import make_envs
from tests.toy_game import PAPER, ToyGame


def new_table(seats: int = 2, *, coins: int = 1, reward: Any = "win", max_cycles: int | None = None) -> ToyGame:
    """Make a table.

    Args:
        seats: How many sit down.
        coins: What each may raise with,
            all in all.
        reward: Not described by the environments.
        max_cycles: The cap.

    Returns:
        max_cycles: Not an argument.
    """
    assert reward == "win"
    return ToyGame(seats, coins=coins, max_cycles=max_cycles)


TABLES = make_envs("table_v0", new_table)


def test_every_constructor_passes_its_arguments_on() -> None:
    parallel = TABLES.parallel_env(3, coins=0, illegal="raise", render_mode="ansi", flatten=True)
    assert (parallel.game.num_seats, parallel.game.coins, parallel.game.max_cycles) == (3, 0, None)
    assert (parallel.illegal, parallel.render_mode, parallel.flatten) == ("raise", "ansi", True)
    assert str(TABLES.env(seats=4)) == str(TABLES.raw_env()) == "table_v0"
    batch = TABLES.make_vec(5, 3, seed=1, num_threads=2, max_cycles=9)
    assert (batch.num_envs, batch.num_agents, batch.num_threads, batch.game.max_cycles) == (5, 3, 2, 9)
    single = TABLES.single_env(4, seat="hand_2", render_mode="ansi")
    assert (single.seat, single.render_mode, single.game.num_seats) == ("hand_2", "ansi", 4)
    assert single.reset(seed=1)[1]["action_mask"].any()
    rows = TABLES.vector_env(num_envs=2, seats=3, seat="all", illegal="raise")
    assert (rows.num_envs, rows.fights.illegal, rows.game.num_seats) == (6, "raise", 3)


def test_a_reward_function_stays_with_the_environment() -> None:
    env = TABLES.parallel_env(reward=lambda events: {"hand_1": 0.5})
    env.reset(seed=1)
    assert env.step({})[1] == {"hand_0": 0.0, "hand_1": 0.5}
    vec = TABLES.make_vec(2, reward=lambda events: {"hand_1": 0.5})
    vec.reset(seed=1)
    assert vec.step(np.full((2, 2), PAPER))[1].tolist() == [[0.0, 0.5]] * 2


def test_an_unknown_or_missing_argument_is_an_error_of_the_constructor() -> None:
    with pytest.raises(TypeError, match=r"^parallel_env\(\) got an unexpected keyword argument 'seed'"):
        TABLES.parallel_env(seed=1)
    with pytest.raises(TypeError, match=r"^vector_env\(\) got an unexpected keyword argument 'seed'"):
        TABLES.vector_env(2, seed=1)
    with pytest.raises(TypeError, match=r"^make_vec\(\) missing a required argument: 'num_envs'"):
        TABLES.make_vec()


def test_the_docstring_joins_what_the_game_and_the_environment_say() -> None:
    said = TABLES.make_vec.__doc__ or ""
    assert "    seats: How many sit down.\n" in said
    assert "    coins: What each may raise with,\n        all in all.\n" in said
    assert said.endswith("    max_cycles: The cap.")
    assert "    num_threads: The number of threads" in said


def test_each_game_has_its_own_opponent_by_default() -> None:
    expected = {heart_rush_v0: "uniform", heart_rush_classic_v0: "uniform", TABLES: "random"}
    for constructors, opponent in expected.items():
        for name in ("single_env", "vector_env"):
            assert inspect.signature(getattr(constructors, name)).parameters["opponent"].default == opponent


def test_all_constructors_take_the_same_arguments() -> None:
    """All constructors take the arguments that they share under one name and with one default."""
    constructors = {
        name: dict(inspect.signature(getattr(heart_rush_v0, name)).parameters)
        for name in ("parallel_env", "env", "raw_env", "make_vec", "single_env")
    }
    shared = constructors["parallel_env"]
    more = {
        "make_vec": {"num_envs", "seed", "num_threads", "device", "opponents"},
        "single_env": {"seat", "opponent", "allies"},
    }
    less = {"make_vec": {"render_mode", "flatten"}}
    for name, parameters in constructors.items():
        assert set(parameters) == (set(shared) | more.get(name, set())) - less.get(name, set())
        for parameter in set(shared) & set(parameters):
            assert parameters[parameter].default == shared[parameter].default


@pytest.mark.parametrize("module", [heart_rush_v0, heart_rush_classic_v0])
def test_each_constructor_describes_each_of_its_arguments(module: ModuleType) -> None:
    for name in ("parallel_env", "env", "raw_env", "make_vec", "single_env", "vector_env"):
        constructor = getattr(module, name)
        assert (constructor.__name__, constructor.__module__) == (name, module.__name__)
        for parameter in inspect.signature(constructor).parameters:
            assert f"\n    {parameter}: " in constructor.__doc__
