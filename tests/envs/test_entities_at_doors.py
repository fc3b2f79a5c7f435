"""Every environment shows entities on request: the arrays of the fight, and each seat's own arrays."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from pettingzoo.test import parallel_api_test

from heartrush_env import heart_rush_v0
from heartrush_env.envs.vector import BatchEnv
from heartrush_env.games.heart_rush.encoding.vector_of import vector_of
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.tabletop.errors import HeartRushError, RulesError
from tests.toy_game import ToyGame

OF_SEATS = ("viewer", "asked", "secrets", "way")
pytestmark = pytest.mark.usefixtures("plainly")


def vector_in(seen: Any) -> Any:
    """Return the vector of one agent's observation, read as that of the only seat of a fight."""
    arrays = {name: np.asarray(array)[None] for name, array in seen.items()}
    return vector_of({**arrays, **{name: arrays[name][None] for name in OF_SEATS if name in arrays}}, [0], [0])[0]


@pytest.mark.parametrize("scenario", ["duel", "skirmish"])
def test_an_agent_is_told_what_its_vector_tells(scenario: str) -> None:
    """For several windows, entities and vectors are compared in the parallel and in the AEC environment."""
    options = {"rules": {"talk": "team"}, "control": "team"}
    told = heart_rush_v0.parallel_env(scenario, observations="entities", **options)
    turns = heart_rush_v0.env(scenario, observations="entities", **options)
    shown = heart_rush_v0.parallel_env(scenario, **options)
    turns.reset(seed=3)
    entities, vectors = told.reset(seed=3)[0], shown.reset(seed=3)[0]
    for _ in range(5):
        for agent in told.agents:
            space = told.observation_space(agent)
            assert set(space) == set(entities[agent]) and space.contains(entities[agent])
            assert np.array_equal(vector_in(entities[agent]), vectors[agent]["observation"])
            assert bool(entities[agent]["asked"]) == (agent in told.asked)
        for agent in told.asked:
            assert turns.agent_selection == agent
            in_turn = turns.observe(agent)
            assert all(np.array_equal(array, entities[agent][name]) for name, array in in_turn.items())
            turns.step(int(vectors[agent]["action_mask"].argmax()))
        actions = {agent: int(vectors[agent]["action_mask"].argmax()) for agent in told.agents}
        entities, vectors = told.step(actions)[0], shown.step(actions)[0]


def test_they_are_fresh_copies_and_play_by_pettingzoos_rules() -> None:
    env = heart_rush_v0.parallel_env("duel", observations="entities", max_cycles=6)
    first = env.reset(seed=3)[0]["knight_0"]
    before = {name: np.array(array) for name, array in first.items()}
    env.step(dict.fromkeys(env.agents, 0))
    assert all(np.array_equal(first[name], before[name]) for name in before)
    parallel_api_test(env, num_cycles=15)


def test_rows_of_many_fights_have_the_arrays_of_their_fight() -> None:
    """The opponent reads vectors, and the comparison includes the ends of fights."""
    options = {"scenario": "skirmish", "max_cycles": 4, "opponent": "default"}
    told = heart_rush_v0.vector_env(2, observations="entities", **options)
    shown = heart_rush_v0.vector_env(2, **options)
    entities, vectors = told.reset(seed=3)[0], shown.reset(seed=3)[0]
    ends = 0
    for _ in range(6):
        assert told.observation_space.contains(entities)
        for row in range(2):
            seen = {name: array[row] for name, array in entities.items()}
            assert np.array_equal(vector_in(seen), vectors["observation"][row])
        actions = vectors["action_mask"].argmax(axis=1)
        (entities, _, _, cut, infos), (vectors, _, _, _, others) = told.step(actions), shown.step(actions)
        for row in np.flatnonzero(cut):
            ends += 1
            assert told.single_observation_space.contains(infos["final_obs"][row])
            assert np.array_equal(vector_in(infos["final_obs"][row]), others["final_obs"][row]["observation"])
    assert ends == 2


@pytest.mark.usefixtures("in_threads")
def test_many_fights_in_arrays_are_played_the_same_in_threads() -> None:
    def play(threads: int) -> list[bytes]:
        vec = heart_rush_v0.make_vec(3, "duel", observations="entities", seed=2, num_threads=threads, max_cycles=5)
        seen, infos = vec.reset()
        found = []
        for _ in range(7):
            assert vec.observation_space.contains(seen)
            vec.step(seen["action_mask"].argmax(axis=2))
            found.append(b"".join(np.array(array).tobytes() for array in (*seen.values(), infos["final_fighters"])))
        return found

    assert play(1) == play(3)


def test_one_seat_sees_entities_while_players_read_vectors() -> None:
    told = gymnasium.make("heartrush_env/HeartRush-v0", scenario="duel", opponent="tactician", observations="entities")
    shown = gymnasium.make("heartrush_env/HeartRush-v0", scenario="duel", opponent="tactician")
    entities, vector = told.reset(seed=3)[0], shown.reset(seed=3)[0]
    for _ in range(6):
        assert told.observation_space.contains(entities)
        assert np.array_equal(vector_in(entities), vector["observation"])
        action = int(vector["action_mask"].argmax())
        (entities, *one), (vector, *other) = told.step(action), shown.step(action)
        assert one[:3] == other[:3]


def test_several_arrays_cannot_be_flattened_to_one() -> None:
    for door in (heart_rush_v0.single_env, lambda **options: heart_rush_v0.vector_env(1, **options)):
        said = r"flatten: expected observations of one array.*got observations='entities'"
        with pytest.raises(HeartRushError, match=said):
            door(scenario="duel", observations="entities", flatten=True)


def test_observations_that_a_game_does_not_have_are_refused() -> None:
    with pytest.raises(HeartRushError, match=r"observations: expected one of 'vector', got 'entities'\."):
        BatchEnv(ToyGame(), 2, observations="entities")
    with pytest.raises(RulesError, match=r"observations: expected .*, got 'pixels'"):
        HeartRush("duel").batch(observations="pixels")
