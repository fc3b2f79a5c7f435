"""The loop that plays fights between seated players: who is called when, and what the loop passes on."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from heartrush_env.envs.match_runner import Players, play_fight
from heartrush_env.envs.parallel import ParallelFights
from heartrush_env.tabletop.errors import IllegalAction
from heartrush_env.tabletop.game import MISSING, Event, Observation
from tests.toy_game import ACTIONS, ToyGame

SEED = 7
ROCK, SCISSORS, PASS = ACTIONS.index("rock"), ACTIONS.index("scissors"), ACTIONS.index("pass")


class Diarist:
    """A player that records each call, always shows the same hand, and never raises."""

    def __init__(self, hand: int, diary: list[Any]) -> None:
        self.hand, self.diary = hand, diary
        self.draws: list[float] = []

    def new_match(self) -> None:
        self.diary.append("match")

    def new_fight(self) -> None:
        self.diary.append("fight")

    def observe(self, events: Sequence[Event]) -> None:
        self.diary.append(("observe", [event["type"] for event in events]))

    def act(self, observation: Observation, rng: np.random.Generator) -> int:
        mask = observation["action_mask"]
        assert mask.sum() > 1, "a player with one legal action is not asked"
        self.draws.append(rng.random())
        self.diary.append("act")
        return self.hand if self.hand == MISSING or mask[self.hand] else PASS


def played(hands: tuple[int, int], **options: Any) -> tuple[list[Any], list[Any], list[Diarist]]:
    """Play a fight of one round; return its windows, the calls of both players in one diary, and the players."""
    game, diary = ToyGame(rounds=1), []
    seated = [Diarist(hand, diary) for hand in hands]
    players = Players(game, dict(zip(game.agents, seated, strict=True)))
    players.new_match()
    return list(play_fight(ParallelFights(game, **options), players, SEED, 3)), diary, seated


def test_players_hear_of_the_start_before_they_are_asked_and_of_each_window_after_it() -> None:
    windows, diary, _ = played((ROCK, SCISSORS))
    seen = [event["type"] for event in windows[-1].events]
    assert seen[0] == "reveal" and seen[-1] == "end"
    assert diary == [
        *["match"] * 2,
        *["fight"] * 2,
        *[("observe", ["round"])] * 2,
        *["act"] * 2,
        *[("observe", [])] * 2,  # both hands are hidden until it is clear who raises
        *["act"] * 2,
        *[("observe", seen)] * 2,
    ]


def test_a_window_is_yielded_only_once_the_players_have_seen_it() -> None:
    game, diary = ToyGame(rounds=1), []
    players = Players(game, {agent: Diarist(ROCK, diary) for agent in game.agents})
    for window in play_fight(ParallelFights(game), players, SEED, 0):
        assert diary[-2:] == [("observe", [event["type"] for event in window.events])] * 2


def test_a_player_at_several_seats_is_called_once() -> None:
    diary: list[Any] = []
    one, game = Diarist(ROCK, diary), ToyGame(rounds=1)
    players = Players(game, dict.fromkeys(game.agents, one))
    players.new_match()
    list(play_fight(ParallelFights(game), players, SEED, 0))
    assert diary[:5] == ["match", "fight", ("observe", ["round"]), "act", "act"]


def test_choices_are_drawn_from_the_key_of_the_fight_and_the_seat() -> None:
    for place, player in enumerate(played((ROCK, ROCK))[2]):
        chance = np.random.default_rng([SEED, 3, place])
        assert player.draws == [chance.random(), chance.random()]


def test_a_window_holds_the_choices_of_those_who_had_one() -> None:
    windows, _, _ = played((ROCK, SCISSORS))
    chosen = [dict(window.chosen) for window in windows]
    assert chosen == [{}, {"hand_0": ROCK, "hand_1": SCISSORS}, {"hand_0": PASS, "hand_1": PASS}]
    assert [dict(window.rewards) for window in windows[:2]] == [{"hand_0": 0.0, "hand_1": 0.0}] * 2


def test_a_seat_with_one_legal_action_is_not_asked() -> None:
    """The third hand comes a round late."""
    diary: list[Any] = []
    game = ToyGame(num_seats=3, team_names=("blue", "red", "green"), rounds=1)
    players = Players(game, {agent: Diarist(ROCK, diary) for agent in game.agents})
    windows = list(play_fight(ParallelFights(game), players, SEED, 0))
    assert [set(window.chosen) for window in windows[1:]] == [{"hand_0", "hand_1"}] * 2 and diary.count("act") == 4


def test_a_player_without_a_choice_gets_the_fallback() -> None:
    windows, _, _ = played((MISSING, MISSING))
    assert windows[1].chosen == {"hand_0": MISSING, "hand_1": MISSING}
    assert windows[2].events[0]["hands"] == {"hand_0": "rock", "hand_1": "rock"}  # the first legal one
    with pytest.raises(IllegalAction, match="hand_0 chose nothing"):
        played((MISSING, ROCK), illegal="raise")
