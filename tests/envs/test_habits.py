"""Habits of users of PettingZoo and Gymnasium: steps after the end, altered observations, features alone."""

import copy
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import parallel_api_test
from pettingzoo.utils import BaseParallelWrapper

from heartrush_env import heart_rush_classic_v0, heart_rush_v0
from heartrush_env.tabletop.errors import HeartRushError

pytestmark = pytest.mark.usefixtures("plainly")  # no other test compiles fights that are observed as entities
NOTHING: tuple[dict[str, Any], ...] = ({}, {}, {}, {}, {})
PARALLEL = {
    "june2025": lambda **options: heart_rush_v0.parallel_env("duel", **options),
    "classic": lambda **options: heart_rush_classic_v0.parallel_env("duel", **options),
    "teams": lambda **options: heart_rush_v0.parallel_env("duel", control="team", **options),
    "entities": lambda **options: heart_rush_v0.parallel_env("duel", observations="entities", **options),
    "a wrapper": lambda **options: BaseParallelWrapper(heart_rush_v0.parallel_env("duel", **options)),
}


def first_legal(infos: Any) -> dict[str, int]:
    return {agent: int(info["action_mask"].argmax()) for agent, info in infos.items()}


@pytest.mark.parametrize("make", PARALLEL.values(), ids=PARALLEL)
def test_a_step_of_nobody_after_the_end_returns_five_empty_dicts(make: Any) -> None:
    env = make(max_cycles=2)
    _, infos = env.reset(seed=7)
    while env.agents:
        *_, infos = env.step(first_legal(infos))
    for _ in range(2):
        assert tuple(dict(each) for each in env.step({})) == NOTHING
    assert env.reset(seed=7)[0]


def spoil(seen: Any) -> None:
    """Overwrite every array of an observation."""
    for array in seen.values() if isinstance(seen, dict) else [seen]:
        array[...] = 0


@pytest.mark.parametrize("observations", ["vector", "entities"])
def test_an_observation_that_its_reader_alters_changes_nothing_of_the_turn_by_turn_door(
    observations: Any,
) -> None:
    env = heart_rush_v0.env("duel", observations=observations)
    env.reset(seed=7)
    before = copy.deepcopy(env.observe("knight_0"))
    spoil(env.last()[0])
    spoil(env.observe("knight_0"))
    for name, array in env.observe("knight_0").items():
        assert np.array_equal(array, before[name]), name


@pytest.mark.parametrize("flatten", [False, True])
def test_an_observation_that_its_reader_alters_changes_nothing_of_the_single_environment(flatten: bool) -> None:
    env = heart_rush_v0.single_env("duel", flatten=flatten, opponent="random")
    seen, info = env.reset(seed=7)
    masks = env.action_masks().copy()
    spoil(seen)
    spoil({"action_mask": info["action_mask"]})
    assert np.array_equal(env.action_masks(), masks) and masks.any()


def test_features_alone_are_those_of_the_whole_observation() -> None:
    whole = heart_rush_v0.parallel_env("duel")
    alone = heart_rush_v0.parallel_env("duel", flatten=True)
    aec = heart_rush_v0.env("duel", flatten=True)
    seen, infos = whole.reset(seed=7)
    features, told = alone.reset(seed=7)
    aec.reset(seed=7)
    for _ in range(6):
        for agent in whole.agents:
            assert alone.observation_space(agent).contains(features[agent])
            assert np.array_equal(features[agent], seen[agent]["observation"])
            assert np.array_equal(told[agent]["action_mask"], seen[agent]["action_mask"])
            assert np.array_equal(alone.vector(agent)["observation"], whole.vector(agent)["observation"])
        for agent in whole.asked:
            shown, *_, info = aec.last()
            assert np.array_equal(shown, features[agent])
            assert np.array_equal(info["action_mask"], seen[agent]["action_mask"])
            aec.step(first_legal(infos)[agent])
        seen, _, _, _, infos = whole.step(first_legal(infos))
        features, _, _, _, told = alone.step(first_legal(told))


def test_features_alone_pass_pettingzoos_test_and_entities_cannot_be_flattened() -> None:
    parallel_api_test(heart_rush_v0.parallel_env("duel", flatten=True, max_cycles=40), num_cycles=60)
    with pytest.raises(HeartRushError, match=r"flatten: expected .*observations='entities'"):
        heart_rush_v0.parallel_env("duel", observations="entities", flatten=True)
