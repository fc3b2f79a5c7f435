"""Programs, environments and commands reach the game as they reach any other game."""

import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest
from heartrush_agents import load
from heartrush_agents.base import Player, Probabilities
from heartrush_agents.external import ProgramPlayer, close, program

from heartrush_env import heretics_v0, open_game
from heartrush_env.app.cli.main import main
from heartrush_env.games.heretics.game import Heretics
from heartrush_env.records import check, read_record
from heartrush_env.tabletop.game import Observation, asked_of

ACTIONS = len(Heretics("gate").action_names)
COMMAND = (sys.executable, "-m", "heartrush_env.app.cli.main", "engine", "random", "--game", "heretics")


def test_a_program_is_told_which_seat_decides() -> None:
    """The hedge mage of the gate was once taken for the halberdier, because their hit points are equal."""
    game = open_game({"game": "heretics", "scenario": "gate"})
    agent, rng, met = program(COMMAND), np.random.default_rng(5), set()
    player = agent.seat(game)
    assert isinstance(player, ProgramPlayer)
    batch = game.batch()
    batch.start([0], 5, [0])
    alike = {name: name.partition("_")[0] for name in game.agents}  # brigands start alike
    for _ in range(40):
        actions = np.zeros((1, len(game.agents)), np.int64)
        for seat in np.flatnonzero(asked_of(batch)[0]):
            observation = {"observation": batch.observations[0, seat], "action_mask": batch.masks[0, seat]}
            told = player.request(observation, 0)["seat"]
            assert alike[told] == alike[game.agents[seat]]
            met.add(told)
            actions[0, seat] = player.act(observation, rng)
            assert batch.masks[0, seat, actions[0, seat]]
        batch.step(actions)
    close(agent)
    assert {"halberdier_0", "hedgemage_0"} <= met


def played(env: Any) -> float:
    """Play a fight of a single seat with the first legal action each time, and return the sum of its rewards."""
    observation, _ = env.reset(seed=4)
    total, over = 0.0, False
    while not over:
        action = int(observation["action_mask"].argmax())
        observation, reward, terminated, truncated, _ = env.step(action)
        total, over = total + float(reward), terminated or truncated
    return total


SINGLE: list[Callable[..., Any]] = [
    heretics_v0.single_env,
    lambda scenario, **options: gymnasium.make("heartrush_env/Heretics-v0", scenario=scenario, **options),
]


@pytest.mark.parametrize("make", SINGLE)
def test_the_captain_is_the_enemy_of_a_single_seat(make: Callable[..., Any]) -> None:
    """Someone who only waits loses to it, and never to an enemy that waits as well."""
    assert played(make("gate", control="team", seat="blue_0")) == -1
    assert played(make("gate", control="team", seat="blue_0", max_cycles=40, opponent=Waiting)) == 0


class Waiting(Player):
    """Takes the first legal action, which is to wait."""

    def policy(self, observation: Observation) -> Probabilities:
        """Return 1 for the first legal action."""
        return np.eye(len(self.game.action_names))[observation["action_mask"].argmax()]


def test_many_fights_at_once() -> None:
    makers: list[Callable[..., Any]] = [
        heretics_v0.vector_env,
        lambda **how: gymnasium.make_vec("heartrush_env/Heretics-v0", vectorization_mode="vector_entry_point", **how),
    ]
    for make in makers:
        envs = make(num_envs=2, scenario="gate", seat="all")
        observations, _ = envs.reset(seed=1)
        assert observations["action_mask"].shape == (14, ACTIONS)
    assert heretics_v0.make_vec(num_envs=2, scenario="gate").reset(seed=1)
    if hasattr(pettingzoo, "register"):
        assert "heartrush_env/heretics-v0" in pettingzoo.parallel_registry


def test_learners_of_stable_baselines() -> None:
    pytest.importorskip("stable_baselines3")
    from heartrush_train.sb3.vec_env import SeatVecEnv

    from heartrush_env.envs.vector import BatchEnv

    envs = SeatVecEnv(BatchEnv(Heretics("gate"), 2), [])
    envs.reset()
    masks = np.array(envs.env_method("action_masks"))
    assert masks.shape == (14, ACTIONS) and masks.any(axis=1).all()
    assert envs.step(masks.argmax(axis=1))[1].shape == (14,)


def test_a_fight_without_named_agents_is_one_of_captains(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = tmp_path / "fight.hrr"
    assert main(["fight", "gate", "--game", "heretics", "--seed", "2", "--record", str(place)]) == 0
    told = capsys.readouterr().out
    assert told.count("played by heretics_captain") == 7 and "The fight is over" in told
    check(read_record(place))


def test_ten_levels_rise() -> None:
    levels = load("heretics_captain").levels
    won = [level.against["heretics_charger"] for level in levels.values()]
    assert list(levels) == [str(number) for number in range(1, 11)] and won[0][2] < won[4][1] and won[4][2] < won[9][1]
    assert all(share < high for (share, _, _), (_, _, high) in pairwise(won))
    easy, full = (load("heretics_captain", level=level) for level in ("easy", 10))
    assert easy.id == "heretics_captain@easy" and levels["3"].difficulty.mistakes == 0.7
    assert "70 % of its decisions" in easy.description and "mistakes" not in full.description


def test_levels_are_measured_against_the_games_own_yardstick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    from heartrush_train import calibration

    found = calibration.ten_levels("heretics_captain", Heretics("skirmish"), fights=2, processes=1)
    assert [level["mistakes"] for level in found["levels"].values()] == [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0]
    assert {id for level in found["levels"].values() for id in level["against"]} == {"heretics_charger"}
    monkeypatch.setattr(calibration, "measured_file", lambda room="": tmp_path / f"{room}.json")
    assert calibration.write_levels("heretics_captain", found) == tmp_path / "heretics.json"
