"""The single-agent environment, on the toy game."""

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from heartrush_agents.heart_rush.bots.scripted import RandomPlayer

from heartrush_env.envs.single import SingleAgentEnv
from heartrush_env.tabletop.errors import HeartRushError, IllegalAction
from heartrush_env.tabletop.game import Player
from tests.toy_game import PAPER, PASS, RAISE, ROCK, SCISSORS, ToyGame


class Recorder(RandomPlayer):
    """Plays rock, or passes, and writes down what it is told."""

    def __init__(self) -> None:
        self.calls: list[Any] = []

    def new_match(self) -> None:
        self.calls.append("match")

    def new_fight(self) -> None:
        self.calls.append("fight")

    def observe(self, events: Any) -> None:
        self.calls.append([event["type"] for event in events])

    def act(self, observation: Any, rng: np.random.Generator) -> int:
        self.calls.append("act")
        return ROCK if observation["action_mask"][ROCK] else PASS


def play_out(env: SingleAgentEnv, actions: Any = None) -> list[Any]:
    """Play a fight to the end with first legal actions or drawn ones; return all that the steps returned."""
    came = []
    while True:
        legal = np.flatnonzero(env.action_masks())
        came.append(env.step(int(legal[0] if actions is None else actions.choice(legal))))
        if came[-1][2] or came[-1][3]:
            return came


def test_the_same_seed_gives_the_same_fights() -> None:
    def fights(env: SingleAgentEnv) -> str:
        env.reset(seed=7)
        first = play_out(env)
        env.reset()
        return repr((first, play_out(env)))

    env = SingleAgentEnv(ToyGame(4), opponent="random")
    told = fights(env)
    assert fights(env) == told
    assert fights(SingleAgentEnv(ToyGame(4), opponent="random")) == told
    env.reset(seed=8)
    assert repr(play_out(env)) not in told


def test_a_fight_is_the_same_whatever_was_played_before_it() -> None:
    env, other = SingleAgentEnv(ToyGame(2), opponent="random"), SingleAgentEnv(ToyGame(2), opponent="random")
    env.reset(seed=7)
    play_out(env)
    env.reset()
    other.reset(seed=7, options={"fight": 1})
    assert repr(play_out(env)) == repr(play_out(other))


def test_what_comes_back() -> None:
    env = SingleAgentEnv(ToyGame(2), seat="hand_1", opponent=Recorder())
    seen, info = env.reset(seed=7)
    assert env.observation_space.contains(seen)
    assert (info["seed"], info["fight"]) == (7, 0)
    assert np.array_equal(info["action_mask"], env.action_masks())
    assert env.action_masks().dtype == np.bool_
    seen, reward, terminated, truncated, info = env.step(PAPER)
    assert env.observation_space.contains(seen)
    assert (type(reward), type(terminated), type(truncated)) == (float, bool, bool)
    rewards = [came[1] for came in [env.step(PASS), *play_paper(env)]]
    assert rewards[-1] == 1.0
    assert not any(rewards[:-1])


def play_paper(env: SingleAgentEnv) -> list[Any]:
    came: list[Any] = []
    while not came or not (came[-1][2] or came[-1][3]):
        came.append(env.step(PAPER if env.action_masks()[PAPER] else PASS))
    return came


def test_windows_without_a_choice_are_played_without_asking() -> None:
    env = SingleAgentEnv(ToyGame(2, coins=1), opponent=Recorder())
    env.reset(seed=7)
    env.step(ROCK)
    assert env.action_masks()[RAISE]
    env.step(RAISE)
    assert [event["type"] for event in env.events] == ["reveal", "round"]
    env.step(SCISSORS)  # the coin is gone: the raise window is played at once
    assert env.action_masks().tolist() == [False, True, True, True, False]
    assert [event["type"] for event in env.events] == ["reveal", "damage", "round"]


def test_a_seat_that_comes_late_is_first_asked_in_round_2() -> None:
    env = SingleAgentEnv(ToyGame(3), opponent="random", seat="hand_2")
    env.reset(seed=7)
    assert [event["type"] for event in env.events][-1] == "round"
    assert env.events[-1]["round"] == 2
    assert env.action_masks()[ROCK]


def test_a_seat_that_falls_gets_its_teams_reward_at_the_end_of_the_fight() -> None:
    env = SingleAgentEnv(ToyGame(4, coins=0, rounds=50), seat="hand_0", opponent=Recorder(), allies=Recorder())
    outs, seed = [], 0
    while "down" not in outs:
        env.reset(seed=seed)
        came = play_out(env, np.random.default_rng(seed))
        outs.append(came[-1][4].get("out"))
        seed += 1
    assert came[-1][2]


def test_a_fight_that_ends_before_the_seat_is_asked_ends_with_the_first_step() -> None:
    env = SingleAgentEnv(ToyGame(3, rounds=1, coins=0), opponent="random", seat="hand_2", illegal="raise")
    seen, _ = env.reset(seed=7)
    assert env.observation_space.contains(seen)
    assert env.action_masks()[PASS]
    *_, terminated, truncated, info = env.step(PASS)
    assert terminated
    assert not truncated
    assert info["out"] == "late"
    with pytest.raises(HeartRushError, match="after the fight had ended"):
        env.step(PASS)


def test_illegal_actions() -> None:
    env = SingleAgentEnv(ToyGame(2, coins=0), opponent="random")
    env.reset(seed=7)
    *_, info = env.step(RAISE)
    assert info["illegal"] is True
    *_, info = env.step(ROCK)
    assert "illegal" not in info
    for nonsense in (99, -1, "rock", True, 1.5):
        with pytest.raises(IllegalAction):
            env.step(nonsense)  # type: ignore[arg-type]
    env = SingleAgentEnv(ToyGame(2, coins=1), opponent=Recorder())
    env.reset(seed=7)
    env.step(ROCK)
    env.step(RAISE)
    *_, info = env.step(RAISE)  # masked in the hands window; the raise window is played by itself
    assert info["illegal"] is True
    strict = SingleAgentEnv(ToyGame(2), opponent="random", illegal="raise")
    strict.reset(seed=7)
    with pytest.raises(IllegalAction, match="hand_0 may not choose 'raise' now; the legal actions are rock, paper"):
        strict.step(RAISE)
    unbegun = SingleAgentEnv(ToyGame(2), opponent="random")
    for call in (lambda: unbegun.step(ROCK), unbegun.action_masks):
        with pytest.raises(HeartRushError, match=r"before reset\(\)"):
            call()


def test_players_are_told_of_matches_fights_and_events() -> None:
    player = Recorder()
    env = SingleAgentEnv(ToyGame(2, rounds=1, coins=0), opponent=player)
    env.reset(seed=7)
    env.step(ROCK)
    env.reset()
    env.step(ROCK)
    fight = ["fight", ["round"], "act", ["reveal", "end"]]
    assert player.calls == ["match", *fight, *fight]
    env.reset(seed=7)
    assert player.calls[-3:] == ["match", "fight", ["round"]], "a seed begins a new match"
    player = Recorder()  # at two seats: told once and asked twice
    env = SingleAgentEnv(ToyGame(4, rounds=1, coins=0), opponent=player)
    env.reset(seed=7)
    assert player.calls == ["match", "fight", ["round"]]
    env.step(ROCK)
    assert player.calls[3:] == ["act", "act", ["reveal", "end"]], "the late seat has no choice"


def test_players_are_asked_only_in_their_turn() -> None:
    player = Recorder()
    env = SingleAgentEnv(ToyGame(2, rounds=1, in_turn=True), seat="hand_1", opponent=player)
    _, info = env.reset(seed=7)
    assert info["asked"] is True
    env.step(ROCK)  # hand_0 raises alone, before hand_1
    assert player.calls[3:] == ["act", [], "act", []]
    assert env.action_masks()[RAISE]
    *_, info = env.step(PASS)
    assert player.calls[7:] == [["reveal", "end"]] and info["asked"] is False


def test_opponents_and_allies_by_seat() -> None:
    friend, foe, boss = Recorder(), Recorder(), Recorder()
    env = SingleAgentEnv(ToyGame(4, coins=0), seat="hand_2", allies=friend, opponent={"hand_1": foe, "hand_3": boss})
    env.reset(seed=7)
    env.step(ROCK)
    env.step(PAPER)  # hand_3 comes in round 2
    assert all("act" in player.calls for player in (friend, foe, boss))
    same = SingleAgentEnv(ToyGame(3, coins=0), seat="hand_0", opponent={"hand_1": foe, "hand_2": "random"})
    same.reset(seed=7)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"seat": "hand_9"}, "There is no seat 'hand_9': the seats are hand_0, hand_1, hand_2."),
        ({"opponent": {"hand_1": "random"}}, "No player decides for hand_2: `allies` names hand_1."),
        ({"opponent": {}, "allies": "random"}, "No player decides for hand_1: `opponent` names none."),
        (
            {"opponent": {"hand_0": "random"}},
            "No opponent or ally can take the seat 'hand_0': theirs are hand_1, hand_2.",
        ),
        ({"opponent": 5}, "Expected a player, a class of players or an agent's id, got 5."),
    ],
)
def test_bad_seats_and_players_are_refused_in_a_sentence(settings: Any, words: str) -> None:
    with pytest.raises(HeartRushError) as caught:
        SingleAgentEnv(ToyGame(3), **{"opponent": "random", **settings})
    assert str(caught.value) == words


def test_an_id_is_looked_up_among_the_agents_and_each_seat_gets_its_own_player(monkeypatch: pytest.MonkeyPatch) -> None:
    seated: list[Player] = []

    def seat(game: Any) -> Player:
        seated.append(Recorder())
        return seated[-1]

    agents = ModuleType("heartrush_agents")
    agents.load = lambda agent_id: SimpleNamespace(id=agent_id, seat=seat)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "heartrush_agents", agents)
    SingleAgentEnv(ToyGame(4), opponent="tactician")
    assert len(seated) == 3
    SingleAgentEnv(ToyGame(2), opponent=agents.load("tactician"))
    assert len(seated) == 4


def test_flat_observations_and_options() -> None:
    env = SingleAgentEnv(ToyGame(2), opponent="random", flatten=True)
    seen, info = env.reset(seed=7)
    assert isinstance(seen, np.ndarray) and env.observation_space.contains(seen)
    assert np.array_equal(info["action_mask"], env.action_masks())
    assert isinstance(env.step(ROCK)[0], np.ndarray)
    env = SingleAgentEnv(ToyGame(2, coins=0), opponent=Recorder())
    env.reset(seed=7, options={"dice": [6], "fight": 4, "other": 1})
    *_, info = env.step(PAPER)
    assert info["fight"] == 4 and env.events[1]["amount"] == 2
