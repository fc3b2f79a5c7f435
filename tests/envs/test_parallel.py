"""The parallel environment, on the toy game."""

import copy
import json
import pickle
from typing import Any

import numpy as np
import pytest

from heartrush_env.envs.parallel import ParallelFights
from heartrush_env.tabletop.arguments import Illegal
from heartrush_env.tabletop.errors import DiceError, HeartRushError, IllegalAction, SnapshotError
from tests.toy_game import PAPER, PASS, RAISE, ROCK, SCISSORS, ToyGame

DOORS: tuple[Illegal, ...] = ("fallback", "raise")


def two(**settings: Any) -> ParallelFights:
    """Return a table of two in the hands window of round 1."""
    env = ParallelFights(ToyGame(2), **settings)
    env.reset(seed=7)
    return env


def play(env: ParallelFights, *actions: int | None) -> Any:
    return env.step({agent: action for agent, action in zip(env.possible_agents, actions, strict=True)})


def view(env: ParallelFights) -> str:
    """Return all of a fight that can be compared."""
    return json.dumps(env.snapshot())


# -- reset: the key of a fight ---------------------------------------------------------------------------------------


def test_a_seed_begins_fight_0_and_each_further_reset_the_next() -> None:
    env = ParallelFights(ToyGame(2))
    assert env.key is None
    env.reset(seed=7)
    assert env.key == (7, 0)
    env.reset()
    assert env.key == (7, 1)
    env.reset(options={"fight": 12})
    assert env.key == (7, 12)
    env.reset()
    assert env.key == (7, 13)
    env.reset(seed=7, options={"fight": 3})
    assert env.key == (7, 3)
    whole: Any = np.int64(8)
    env.reset(seed=whole)
    assert env.key == (8, 0)


def test_without_a_seed_one_is_drawn_once() -> None:
    first, second = ParallelFights(ToyGame(2)), ParallelFights(ToyGame(2))
    for env in (first, second):
        env.reset()
    assert first.key is not None and second.key is not None and first.key[0] != second.key[0]
    seed = first.key[0]
    first.reset()
    assert first.key == (seed, 1)


@pytest.mark.parametrize(
    ("error", "words", "call"),
    [
        *((HeartRushError, "seed", lambda seed=seed: two().reset(seed=seed)) for seed in (-1, 2**63, True, 1.5, "7")),
        (HeartRushError, "expected one of", lambda: two(illegal="maybe")),
        (HeartRushError, "expected one of", lambda: two(render_mode="smell")),
        *(
            (SnapshotError, "Expected a snapshot", lambda what=what: two().restore(what))
            for what in (None, [], {}, {"game": "hidden_hands"})
        ),
    ],
)
def test_bad_seeds_settings_and_snapshots_are_refused(error: type[Exception], words: str, call: Any) -> None:
    with pytest.raises(error, match=words):
        call()


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"fight": -1}, HeartRushError, '"fight": expected 0'),
        ({"fight": 1.0}, HeartRushError, '"fight": expected a whole number'),
        ({"fight": True}, HeartRushError, '"fight": expected a whole number'),
        ({"dice": 5}, DiceError, "list of whole numbers"),
        ({"dice": "53"}, DiceError, "list of whole numbers"),
        ({"dice": [5, 0]}, DiceError, "Number 2 of the option"),
        ({"dice": [5, 2.5]}, DiceError, "Number 2 of the option"),
        ({"dice": [True]}, DiceError, "Number 1 of the option"),
        ([5], HeartRushError, "expected a dict"),
    ],
)
def test_a_bad_option_is_refused_in_a_sentence(options: Any, error: type[Exception], words: str) -> None:
    env = two()
    before = view(env)
    with pytest.raises(error, match=words) as caught:
        env.reset(options=options)
    assert str(caught.value).endswith(".")
    assert view(env) == before


def test_given_dice_are_the_first_to_be_rolled() -> None:
    env = two()
    env.reset(seed=7, options={"options": 1, "fight": None, "dice": None})
    assert env.key == (7, 0), "unknown options are ignored"
    env = ParallelFights(ToyGame(2, coins=0))
    for dice, damage in (([5], 2), ((4,), 1), (np.array([6]), 2), (iter([1]), 1)):
        env.reset(seed=7, options={"dice": dice})
        play(env, ROCK, SCISSORS)
        assert env.events[1] == {"type": "damage", "fighter": "hand_1", "amount": damage, "hp": 4 - damage}
    env.reset(seed=7, options={"dice": [7]})
    with pytest.raises(DiceError, match="shows 7"):  # a die too large is an error at its roll
        play(env, ROCK, SCISSORS)


# -- step: what comes back -------------------------------------------------------------------------------------------


def test_what_a_step_returns_has_plain_types() -> None:
    env = two()
    observations, rewards, terminations, truncations, infos = play(env, ROCK, PAPER)
    for agent in env.possible_agents:
        seen = observations[agent]
        assert env.observation_space(agent).contains(seen)
        assert seen["observation"].dtype == np.float32
        assert seen["action_mask"].dtype == np.int8
        assert type(rewards[agent]) is float
        assert type(terminations[agent]) is bool
        assert type(truncations[agent]) is bool
        assert set(infos[agent]) == {"action_mask", "asked"}
        assert type(infos[agent]["asked"]) is bool
        assert np.array_equal(infos[agent]["action_mask"], seen["action_mask"])


def test_nothing_that_was_returned_changes_or_is_shared() -> None:
    env = two()
    returned = [env.reset(seed=7)]
    while env.agents:
        observations, *_, infos = play(env, ROCK if env.possible_agents else PASS, PAPER)
        returned.append((observations, infos))
    arrays = [
        array
        for observations, infos in returned
        for agent in env.possible_agents
        for array in (*observations[agent].values(), infos[agent]["action_mask"])
    ]
    kept = [array.copy() for array in arrays]
    assert not any(np.shares_memory(a, b) for i, a in enumerate(arrays) for b in arrays[:i])
    arrays[0][:] = 9
    env.reset(seed=7)
    play(env, SCISSORS, SCISSORS)
    assert all(np.array_equal(a, b) for a, b in zip(arrays[1:], kept[1:], strict=True))


def test_all_agents_stay_until_the_fight_ends_and_end_together() -> None:
    env = ParallelFights(ToyGame(4, coins=0))
    env.reset(seed=7)
    saw_out_agent, ended = False, False
    while not ended:
        assert env.agents == env.possible_agents
        _, rewards, terminations, truncations, infos = play(env, ROCK, PAPER, ROCK, PAPER)
        saw_out_agent |= any(info.get("out") == "down" for info in infos.values())
        assert len(set(terminations.values())) == 1 and not any(truncations.values())
        ended = terminations["hand_0"]
        assert ended or set(rewards.values()) == {0.0}
    assert env.agents == [] and saw_out_agent
    assert rewards == {"hand_0": -1.0, "hand_1": 1.0, "hand_2": -1.0, "hand_3": 1.0}


def test_max_cycles_truncates_and_a_max_cycles_set_from_outside_does_not_matter() -> None:
    env: Any = ParallelFights(ToyGame(2, rounds=100, coins=0, max_cycles=5))
    env.max_cycles = 2  # as PettingZoo's test does
    env.reset(seed=7)
    for step in range(1, 6):
        _, _, terminations, truncations, _ = play(env, ROCK, ROCK)
        assert set(terminations.values()) == {False}
        assert set(truncations.values()) == {step == 5}
    assert env.agents == []


def test_spaces_are_the_same_object_each_time_and_equal_for_all_agents() -> None:
    env = ParallelFights(ToyGame(4))
    for agent in env.possible_agents:
        assert env.action_space(agent) is env.action_space(agent)
        assert env.observation_space(agent) is env.observation_space(agent)
        assert env.action_space(agent) == env.action_space("hand_0")
        assert env.observation_space(agent) == env.observation_space("hand_0")
    assert env.action_space("hand_1") is not env.action_space("hand_0"), "seeding one must not seed the other"
    assert str(env) == "hidden_hands_v0" and str(ParallelFights(ToyGame(2), name="table_v3")) == "table_v3"
    assert env.metadata["is_parallelizable"] is True and env.unwrapped is env
    for _ in range(2):
        env.close()
    assert len(env.get_action_meanings()) == env.action_space("hand_0").n
    assert (len(env.get_feature_names()),) == env.observation_space("hand_0")["observation"].shape


# -- agents that are out ---------------------------------------------------------------------------------------------


def test_an_agent_that_is_out_has_its_cause_told_and_its_action_ignored() -> None:
    for nonsense in (PASS, RAISE, 99, -5, "rock", 1.5, None):
        for illegal in DOORS:
            env = ParallelFights(ToyGame(3), illegal=illegal)
            _, infos = env.reset(seed=7)
            assert [infos[agent].get("out") for agent in env.agents] == [None, None, "late"]
            *_, infos = env.step({"hand_0": ROCK, "hand_1": PAPER, "hand_2": nonsense})
            assert "illegal" not in infos["hand_2"]
            env.reset(seed=7)
            *_, infos = env.step({"hand_0": ROCK, "hand_1": PAPER})
            assert "illegal" not in infos["hand_2"]
    env = ParallelFights(ToyGame(3, coins=0))
    env.reset(seed=7)
    *_, infos = env.step({"hand_0": ROCK, "hand_1": ROCK})  # round 2: the late one has come
    assert not any("out" in info for info in infos.values())


# -- agents that are asked -------------------------------------------------------------------------------------------


def in_turn(seats: int = 3, **settings: Any) -> ParallelFights:
    """Return a table whose seats raise in turn, at the first window of round 2, when all seats have come."""
    env = ParallelFights(ToyGame(seats, coins=1, in_turn=True), **settings)
    env.reset(seed=7)
    env.step({"hand_0": ROCK, "hand_1": ROCK})
    env.step({"hand_0": PASS})
    env.step({"hand_1": PASS})
    return env


def test_only_the_asked_need_an_action_and_those_of_others_are_ignored() -> None:
    for illegal in DOORS:
        bare, chatty = in_turn(illegal=illegal), in_turn(illegal=illegal)
        bare.step({"hand_0": ROCK, "hand_1": ROCK, "hand_2": ROCK})
        chatty.step({"hand_0": ROCK, "hand_1": ROCK, "hand_2": ROCK})
        for turn in range(3):
            asked = f"hand_{turn}"
            assert bare.asked == [asked]
            nonsense = dict(zip((agent for agent in bare.agents if agent != asked), (99, "rock"), strict=True))
            chatty.step({asked: RAISE, **nonsense})
            *_, infos = bare.step({asked: RAISE})
            assert not any("illegal" in info for info in infos.values())
            assert view(bare) == view(chatty)
        assert bare.events[0]["raisers"] == ["hand_0", "hand_1", "hand_2"]


def test_infos_and_masks_say_who_is_asked() -> None:
    env = in_turn()
    windows = []
    for actions in ({agent: PAPER for agent in env.agents}, {"hand_0": PASS}, {"hand_1": PASS}):
        seen, *_, infos = env.step(actions)
        windows.append([agent for agent in env.agents if infos[agent]["asked"]])
        assert windows[-1] == env.asked
        for agent in env.agents:
            assert seen[agent]["action_mask"].tolist() == ([1, 0, 0, 0, 1] if agent in env.asked else [1, 0, 0, 0, 0])
    assert windows == [["hand_0"], ["hand_1"], ["hand_2"]]


def test_the_asked_may_not_be_silent() -> None:
    env = in_turn(illegal="raise")
    env.step({agent: ROCK for agent in env.agents})
    with pytest.raises(IllegalAction, match="hand_0 chose nothing; the legal actions are pass, raise"):
        env.step({"hand_1": PASS, "hand_2": PASS})
    with pytest.raises(IllegalAction, match="hand_0 may not choose 'rock' now; the legal actions are pass, raise"):
        env.step({"hand_0": ROCK})
    env = in_turn()
    env.step({agent: ROCK for agent in env.agents})
    *_, infos = env.step({})
    assert [agent for agent, info in infos.items() if "illegal" in info] == ["hand_0"]


def test_a_batch_that_does_not_say_asks_each_seat_with_a_choice() -> None:
    env = two()
    assert env.asked == ["hand_0", "hand_1"]
    play(env, ROCK, ROCK)
    play(env, RAISE, PASS)
    play(env, ROCK, ROCK)
    assert env.asked == ["hand_1"], "the coin of hand_0 is gone"
    *_, infos = env.step({"hand_1": PASS})
    assert not any("illegal" in info for info in infos.values())


def test_a_restored_or_copied_fight_asks_the_same_agents() -> None:
    env = in_turn()
    env.step({agent: ROCK for agent in env.agents})
    env.step({"hand_0": PASS})
    other = ParallelFights(env.game)
    assert other.asked == []
    other.restore(env.snapshot())
    assert copy.deepcopy(env).asked == other.asked == env.asked == ["hand_1"]


# -- illegal actions -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("given", [{"hand_0": RAISE}, {}, {"hand_0": None}])
def test_a_masked_or_missing_action_plays_the_fallback_and_is_told(given: dict[str, Any]) -> None:
    env, other = two(), two()
    *_, infos = env.step({"hand_1": PAPER, **given})
    assert infos["hand_0"]["illegal"] is True
    assert "illegal" not in infos["hand_1"]
    play(other, ROCK, PAPER)  # rock is the toy game's fallback
    assert view(env) == view(other)
    *_, infos = play(env, PASS, PASS)
    assert not any("illegal" in info for info in infos.values())


def test_raise_names_the_agent_what_it_did_and_what_was_legal() -> None:
    env = two(illegal="raise")
    before = view(env)
    with pytest.raises(IllegalAction) as caught:
        play(env, ROCK, RAISE)
    assert str(caught.value) == "hand_1 may not choose 'raise' now; the legal actions are rock, paper, scissors."
    for nothing in ({"hand_1": ROCK}, {"hand_0": None, "hand_1": ROCK}):
        with pytest.raises(IllegalAction) as caught:
            env.step(nothing)
        assert str(caught.value) == "hand_0 chose nothing; the legal actions are rock, paper, scissors."
    assert view(env) == before
    play(env, ROCK, ROCK)


@pytest.mark.parametrize("illegal", ["fallback", "raise"])
@pytest.mark.parametrize(
    ("action", "words"),
    [
        (5, "hand_1: expected an action from 0 to 4, got 5."),
        (-1, "hand_1: expected an action from 0 to 4, got -1."),
        (np.int64(99), "hand_1: expected an action from 0 to 4, got 99."),
        (True, "The action of hand_1: expected a whole number, got True (bool)."),
        (np.True_, f"The action of hand_1: expected a whole number, got True ({np.bool_.__name__})."),
        (1.0, "The action of hand_1: expected a whole number, got 1.0 (float)."),
        (np.float32(1), "The action of hand_1: expected a whole number, got 1.0 (float32)."),
        ("rock", "The action of hand_1: expected a whole number, got 'rock' (str)."),
        (np.array([1]), "The action of hand_1: expected a whole number, got array([1]) (ndarray)."),
    ],
)
def test_what_is_no_action_is_always_an_error(action: Any, words: str, illegal: Any) -> None:
    env = two(illegal=illegal)
    before = view(env)
    with pytest.raises(IllegalAction) as caught:
        play(env, ROCK, action)
    assert str(caught.value) == words
    assert view(env) == before


@pytest.mark.parametrize("whole", [int, np.int8, np.int32, np.int64, np.uint16, np.array])
def test_whole_numbers_of_any_kind_are_taken(whole: Any) -> None:
    env, other = two(illegal="raise"), two()
    play(env, whole(PAPER), whole(SCISSORS))
    play(other, PAPER, SCISSORS)
    assert view(env) == view(other)


def test_calls_out_of_order_are_errors() -> None:
    env = ParallelFights(ToyGame(2, rounds=1, coins=0), render_mode="ansi")
    for call in (lambda: env.step({}), env.state, env.snapshot, env.render):
        with pytest.raises(HeartRushError, match=r"before reset\(\)"):
            call()
    assert env.events == []
    env.reset(seed=7)
    with pytest.raises(IllegalAction, match="There is no agent 'hand_7': the agents are hand_0, hand_1"):
        env.step({"hand_0": ROCK, "hand_1": ROCK, "hand_7": ROCK})
    with pytest.raises(IllegalAction, match="There is no agent 'hand_7'"):
        env.step({"hand_0": ROCK, "hand_7": ROCK})
    *_, infos = play(env, ROCK, ROCK)
    assert env.asked == [] and not any(info["asked"] for info in infos.values())
    with pytest.raises(HeartRushError, match="after the fight had ended"):
        play(env, ROCK, ROCK)
    env.reset()
    play(env, ROCK, ROCK)


# -- looking ---------------------------------------------------------------------------------------------------------


def test_events_tell_the_last_step_and_are_json() -> None:
    env = two()
    assert [event["type"] for event in env.events] == ["round"]
    play(env, ROCK, SCISSORS)
    assert env.events == []
    play(env, RAISE, PASS)
    assert [event["type"] for event in env.events] == ["reveal", "damage", "round"]
    assert json.loads(json.dumps(env.events)) == env.events


def test_pictures(capsys: pytest.CaptureFixture[str]) -> None:
    env = two(render_mode="ansi")
    picture = env.render()
    assert picture is not None
    assert picture.startswith("round 1\nhand_0 ****")
    assert capsys.readouterr().out == ""
    assert two(render_mode="human").render() is None
    assert capsys.readouterr().out == picture + "\n"
    with pytest.warns(UserWarning, match="render_mode"):
        assert two().render() is None


def test_the_state_is_fresh_and_inside_its_space() -> None:
    env = two()
    state = env.state()
    assert env.state_space.contains(state)
    kept = state.copy()
    play(env, ROCK, SCISSORS)
    play(env, PASS, PASS)
    assert np.array_equal(state, kept)
    assert not np.array_equal(env.state(), kept)


# -- out and in ------------------------------------------------------------------------------------------------------


def test_a_snapshot_is_json_and_restores_everything() -> None:
    env = two()
    play(env, ROCK, SCISSORS)
    snapshot = json.loads(json.dumps(env.snapshot()))
    seen = play(env, RAISE, PASS)
    other = ParallelFights(ToyGame(2))
    observations, infos = other.restore(snapshot)
    assert list(observations) == list(infos) == other.agents
    assert other.key == (7, 0)
    again = play(other, RAISE, PASS)
    assert repr(seen) == repr(again)
    assert view(env) == view(other)


def test_a_snapshot_of_the_end_restores_the_end_and_one_of_another_scenario_is_refused() -> None:
    env, other = (ParallelFights(ToyGame(2, rounds=1, coins=0)) for _ in range(2))
    env.reset(seed=7)
    play(env, ROCK, ROCK)
    other.restore(env.snapshot())
    assert other.agents == []
    other.reset()
    assert other.key == (7, 1)
    env = ParallelFights(ToyGame(2, scenario_name="other table"))
    with pytest.raises(SnapshotError, match=r"the scenario 'other table', got .* and 'table'"):
        env.restore(two().snapshot())


@pytest.mark.parametrize("clone", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_goes_on_by_itself(clone: Any) -> None:
    env = two(illegal="raise", render_mode="ansi")
    play(env, ROCK, SCISSORS)
    other = clone(env)
    assert view(other) == view(env)
    assert (other.illegal, other.render_mode, other.agents) == ("raise", "ansi", env.agents)
    before = view(env)
    play(other, RAISE, PASS)
    assert view(env) == before
    play(env, RAISE, PASS)
    assert view(other) == view(env)
    untouched = clone(ParallelFights(ToyGame(2)))
    assert untouched.key is None
    untouched.reset(seed=7)
