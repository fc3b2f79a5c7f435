"""The AEC (turn-by-turn) environment, on the toy game."""

import copy
import json
import pickle
from typing import Any

import numpy as np
import pytest
from pettingzoo.utils import aec_to_parallel

from heartrush_env.envs.aec import AECFights, wrapped
from heartrush_env.envs.parallel import ParallelFights
from heartrush_env.tabletop.errors import HeartRushError, IllegalAction, SnapshotError
from tests.envs.checks import choose
from tests.toy_game import PAPER, PASS, RAISE, ROCK, SCISSORS, ToyGame


def table(seats: int = 2, **settings: Any) -> AECFights:
    return AECFights(ParallelFights(ToyGame(seats), **settings))


def wrapped_table(seats: int = 2, **settings: Any) -> Any:
    return wrapped(table(seats, **settings))


def test_it_plays_the_same_fight_as_the_parallel_environment() -> None:
    for game in (*map(ToyGame, (2, 3, 4)), ToyGame(3, in_turn=True)):
        parallel, aec = ParallelFights(game), wrapped(AECFights(ParallelFights(game)))
        observations, _ = parallel.reset(seed=7)
        aec.reset(seed=7)
        step = 0
        while parallel.agents:
            actions = {}
            assert aec.unwrapped.asked == parallel.asked
            for agent in parallel.asked:
                assert aec.agent_selection == agent
                seat = parallel.possible_agents.index(agent)
                seen, _, terminated, truncated, _ = aec.last()
                assert not terminated
                assert not truncated
                assert np.array_equal(seen["observation"], observations[agent]["observation"])
                actions[agent] = choose(seen["action_mask"], 0, step, seat)
                aec.step(actions[agent])
            observations, rewards, terminations, _, _ = parallel.step(actions)
            assert aec.unwrapped.events == parallel.events
            step += 1
        for agent in parallel.possible_agents:
            assert aec.agent_selection == agent
            seen, reward, terminated, _, _ = aec.last()
            assert (reward, terminated) == (rewards[agent], terminations[agent])
            aec.step(None)
        assert aec.agents == []


def test_all_that_the_parallel_door_shows_the_other_one_shows_too() -> None:
    parallel, wrapped = ParallelFights(ToyGame(2), illegal="raise"), wrapped_table(2, illegal="raise")
    own = {"check_action", "refuse_step"}  # what the environments ask each other
    public = {name for name in (*dir(parallel), *vars(parallel)) if not name.startswith("_")} - own
    assert {"game", "key", "illegal", "frames", "events", "asked"} <= public
    assert not {name for name in public if not hasattr(type(wrapped.unwrapped), name)} - set(vars(wrapped.unwrapped))
    assert wrapped.unwrapped.key is None
    wrapped.reset(seed=7)
    parallel.reset(seed=7)
    assert wrapped.game is wrapped.unwrapped.game and wrapped.unwrapped.game.name == parallel.game.name
    assert wrapped.unwrapped.key == parallel.key == (7, 0) and wrapped.unwrapped.illegal == "raise"


def test_only_the_agents_that_are_asked_have_a_turn() -> None:
    """In a table of three, the last seat comes late to the first round; in the next round all raise in turn."""
    env = AECFights(ParallelFights(ToyGame(3, in_turn=True)))
    env.reset(seed=7)
    turns = []
    for action in (ROCK, ROCK, PASS, PASS, PAPER, PAPER, PAPER, PASS, RAISE, PASS):
        turns.append(env.agent_selection)
        env.step(action)
    first, second, third = env.possible_agents
    assert turns == [first, second, first, second, first, second, third, first, second, third]
    assert env.events[0]["raisers"] == [second]


def test_rewards_of_windows_without_a_turn_are_kept() -> None:
    """The reward function pays 1 a window, so the late seat gets the three windows before its first turn."""
    fights = ParallelFights(ToyGame(3, in_turn=True), reward=lambda events: {"hand_2": 1.0})
    env = AECFights(fights)
    env.reset(seed=7)
    for action in (ROCK, ROCK, PASS, PASS, PAPER, PAPER):
        env.step(action)
    assert env.agent_selection == "hand_2" and env.last()[1] == 3.0


def test_an_earlier_choice_of_a_window_shows_to_nobody() -> None:
    env = table()
    env.reset(seed=7)
    before = repr((env.observe("hand_1"), env.infos, env.state(), env.events))
    env.step(ROCK)
    assert env.agent_selection == "hand_1"
    assert repr((env.observe("hand_1"), env.infos, env.state(), env.events)) == before


def test_a_snapshot_is_refused_while_choices_are_pending() -> None:
    env = wrapped_table(3)
    env.reset(seed=7)
    json.dumps(env.unwrapped.snapshot())
    env.step(ROCK)
    with pytest.raises(SnapshotError, match="hand_0 has already chosen in this one"):
        env.unwrapped.snapshot()
    env.step(PAPER)
    snapshot = env.unwrapped.snapshot()
    other = wrapped_table(3)
    other.reset(seed=1)
    other.step(SCISSORS)
    other.unwrapped.restore(snapshot)
    assert other.agent_selection == "hand_0"
    for action in (PASS, RAISE):
        env.step(action)
        other.step(action)
    assert env.unwrapped.snapshot() == other.unwrapped.snapshot()
    assert repr(env.last()) == repr(other.last())


def test_raise_refuses_at_the_turn_of_the_agent_and_the_window_goes_on() -> None:
    env = table(illegal="raise")
    env.reset(seed=7)
    env.step(ROCK)
    with pytest.raises(IllegalAction, match="hand_1 may not choose 'raise' now; the legal actions are rock, paper"):
        env.step(RAISE)
    with pytest.raises(IllegalAction, match="hand_1 chose nothing"):
        env.step(None)
    assert env.agent_selection == "hand_1"
    env.step(PAPER)
    assert env.agent_selection == "hand_0"


def test_fallback_tells_that_the_action_was_illegal() -> None:
    env = table()
    env.reset(seed=7)
    env.step(RAISE)
    env.step(PAPER)
    assert env.infos["hand_0"]["illegal"] is True
    assert "illegal" not in env.infos["hand_1"]


def test_the_wrappers_check_space_and_order() -> None:
    env = wrapped_table()
    with pytest.raises(AttributeError, match="before reset"):
        _ = env.agent_selection
    env.reset(seed=7)
    with pytest.raises(AssertionError, match="not in action space"):
        env.step(99)
    raw = table()
    with pytest.raises(HeartRushError, match=r"before reset\(\)"):
        raw.step(ROCK)
    raw.reset(seed=7)
    with pytest.raises(IllegalAction, match="hand_0: expected an action from 0 to 4, got 99"):
        raw.step(99)


def test_after_the_end_only_none_is_taken() -> None:
    env = AECFights(ParallelFights(ToyGame(2, rounds=1, coins=0)))
    env.reset(seed=7)
    env.step(ROCK)
    env.step(ROCK)
    assert env.terminations == {"hand_0": True, "hand_1": True}
    other = AECFights(ParallelFights(env.game))
    other.restore(json.loads(json.dumps(env.snapshot())))
    assert other.agents == [] and other.asked == []
    with pytest.raises(IllegalAction, match="can only step with None"):
        env.step(ROCK)
    env.step(None)
    env.step(None)
    with pytest.raises(HeartRushError, match="after the fight had ended"):
        env.step(None)
    env.reset()
    assert env.agent_selection == "hand_0"


def test_pettingzoos_conversion_is_refused_because_it_needs_a_turn_of_every_agent() -> None:
    with pytest.raises(AssertionError, match="not generally safe"):
        aec_to_parallel(wrapped_table())


def test_copies_keep_the_choices_of_a_window_under_way() -> None:
    env = wrapped_table()
    env.reset(seed=7)
    env.step(ROCK)
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        other.step(SCISSORS)
        assert other.agent_selection == "hand_0"
    assert env.agent_selection == "hand_1"


def test_spaces_names_and_closing() -> None:
    env = wrapped_table(render_mode="ansi")
    env.reset(seed=7)
    assert env.action_space("hand_0") is env.action_space("hand_0")
    assert str(env) == str(env.unwrapped) == "hidden_hands_v0"
    assert env.unwrapped.get_action_meanings()[ROCK] == "rock"
    assert len(env.unwrapped.get_feature_names()) == env.observation_space("hand_0")["observation"].shape[0]
    assert env.state_space.contains(env.state())
    assert isinstance(env.render(), str)
    env.close()
    env.close()
