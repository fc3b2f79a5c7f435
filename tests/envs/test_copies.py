"""Copies of environments continue independently from the moment at which they were made."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest

import heartrush_env  # noqa: F401  # makes the environments known to Gymnasium
from heartrush_env import heart_rush_v0
from heartrush_env.envs.vector import BatchEnv
from heartrush_env.tabletop.errors import HeartRushError
from tests.toy_game import ToyGame

ID = "heartrush_env/HeartRush-v0"
CLONES: dict[str, Callable[[Any], Any]] = {
    "copy.copy": copy.copy,
    "copy.deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
}
every_clone = pytest.mark.parametrize("clone", CLONES.values(), ids=CLONES)


def flat(returned: Any) -> list[bytes]:
    """Return everything that an environment returned, as bytes in a fixed order."""
    if isinstance(returned, dict):
        return [part for name in sorted(returned) for part in flat(returned[name])]
    if isinstance(returned, tuple | list):
        return [part for each in returned for part in flat(each)]
    if isinstance(returned, np.ndarray) and returned.dtype == object:
        return [part for each in returned for part in flat(each)]
    return [np.asarray(returned).tobytes()]


def last_legal(masks: Any) -> Any:
    return masks.shape[-1] - 1 - masks[..., ::-1].argmax(axis=-1)


def begun(env: Any, seed: int | None = 7) -> Any:
    env.reset() if seed is None else env.reset(seed=seed)
    return env


def stable_baselines() -> Any:
    sb3 = pytest.importorskip("heartrush_train.sb3", reason="needs the extra train")
    pytest.importorskip("stable_baselines3", reason="needs the extra train")
    return begun(sb3.make_vec_env(2, "duel", seat="knight_0", opponent="uniform", seed=7, max_cycles=9), None)


def step_rows(env: Any) -> Any:
    return env.step(last_legal(env.action_masks()))


def step_all(env: Any) -> Any:
    return env.step(last_legal(env.observations["action_mask"]))


def step_together(env: Any) -> Any:
    masks = zip(env.agents, env._batch.masks[0], strict=True)
    return env.step({agent: int(last_legal(mask)) for agent, mask in masks})


def step_in_turn(env: Any) -> Any:
    seen, *rest = env.last()
    env.step(int(seen["action_mask"].argmax()))
    return [seen, *rest[:3]]


DRIVEN: dict[str, tuple[Callable[[], Any], Callable[[Any], Any]]] = {
    "make_vec": (lambda: begun(heart_rush_v0.make_vec(3, "duel", max_cycles=9, num_threads=2)), step_all),
    "Gymnasium's rows": (
        lambda: begun(gymnasium.make_vec(ID, 3, "vector_entry_point", opponent="uniform", max_cycles=9).unwrapped),
        step_rows,
    ),
    "Gymnasium's one": (lambda: begun(heart_rush_v0.single_env("duel", opponent="uniform")), step_rows),
    "Stable-Baselines3": (stable_baselines, step_rows),
    "parallel": (lambda: begun(heart_rush_v0.parallel_env("melee")), step_together),
    "parallel on a map": (lambda: begun(heart_rush_v0.parallel_env("skirmish")), step_together),
    "turn by turn": (lambda: begun(heart_rush_v0.env("duel")), step_in_turn),
}


@every_clone
@pytest.mark.parametrize("driven", DRIVEN)
def test_a_copy_plays_on_as_its_original_does_and_neither_moves_the_other(clone: Any, driven: str) -> None:
    """The copies play past the end of fights, and show what the original showed at the moment of copying."""
    make, step = DRIVEN[driven]
    env = make()
    for _ in range(4):
        step(env)
    other, third = clone(env), clone(env)
    expected = [flat(step(env)) for _ in range(6)]
    assert [flat(step(other)) for _ in range(6)] == expected
    assert [flat(step(third)) for _ in range(6)] == expected
    assert len({part for each in expected for part in each}) > 8


@every_clone
def test_an_agent_that_has_thought_is_copied_with_its_environment(clone: Any) -> None:
    env = heart_rush_v0.single_env("duel", opponent="thinker@rollouts=1", decisions="stance", seat="duelist_0")
    env.reset(seed=7)
    env.step(0)  # the thinker reserves room here for the fights that it imagines
    other = clone(env)
    assert flat(other.step(0)) == flat(env.step(0))


@every_clone
def test_a_copy_shows_the_results_of_the_last_step(clone: Any) -> None:
    env = heart_rush_v0.make_vec(3, "duel", seed=7, max_cycles=2)
    env.reset()
    for _ in range(2):
        step_all(env)
    other = clone(env)
    assert env.infos["ended"].all() and flat(other.infos) == flat(env.infos)
    assert flat(other.observations) == flat(env.observations)
    shown = ("rewards", "terminations", "truncations")
    assert flat([getattr(other, name) for name in shown]) == flat([getattr(env, name) for name in shown])


@pytest.mark.usefixtures("plainly")
def test_fights_observed_as_entities_are_copied() -> None:
    env = heart_rush_v0.make_vec(2, "duel", seed=7, max_cycles=3, observations="entities")
    env.reset()
    for _ in range(4):
        step_all(env)
    other = copy.copy(env)
    assert flat(other.observations) == flat(env.observations) and flat(other.infos) == flat(env.infos)
    for _ in range(3):
        assert flat(step_all(other)) == flat(step_all(env))


@every_clone
def test_a_batch_that_has_not_begun_is_copied_too(clone: Any) -> None:
    env = BatchEnv(ToyGame(2), 2, seed=7)
    other = clone(env)
    assert flat(other.reset()) == flat(env.reset())


@every_clone
def test_the_batch_behind_environments_refuses_to_be_copied(clone: Any) -> None:
    """Its prepared calls hold the addresses of its own arrays, so a copy would write into them."""
    batch = heart_rush_v0.new_game("duel").batch(2)
    with pytest.raises(HeartRushError, match="cannot be copied or pickled: copy its snapshots"):
        clone(batch)
