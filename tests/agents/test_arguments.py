"""Named levels and arguments of agents, in Python calls and in ids."""

import pickle
from typing import Any

import pytest
from heartrush_agents import Agent, AgentError, Player, load, register
from heartrush_agents.base import Argument, Difficulty, Level
from heartrush_agents.difficulty import TEN_LEVELS

from heartrush_env.app.cli.arguments import agent_ids
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.tabletop.game import Game, Observation

GAME = HeartRush("duel")


class Moody(Player):
    """A player that mixes evenly and keeps the numbers that it was made with."""

    def __init__(self, game: Game, temper: float = 0.5, patience: float = 3.0) -> None:
        super().__init__(game)
        self.numbers = temper, patience

    def policy(self, observation: Observation) -> Any:
        return observation["action_mask"] / observation["action_mask"].sum()


ARGUMENTS = {"temper": Argument(0, 1, 0.5, "How hot."), "patience": Argument(1, 9, 3, "How long.")}
LEVELS = {name: Level(Difficulty(1 - int(name) / 10), {"temper": int(name) / 10}) for name in TEN_LEVELS}


@pytest.fixture
def moody() -> Agent:
    return register(Agent("moody", "Changes.", Moody, arguments=ARGUMENTS, levels=LEVELS))


def numbers(agent: Agent) -> tuple[tuple[float, float], float]:
    """Return the numbers that an agent's player was made with, and its rate of mistakes."""
    player: Any = agent.seat(GAME)
    inner = getattr(player, "player", player)
    return inner.numbers, player.difficulty.mistakes if inner is not player else 0.0


@pytest.mark.parametrize(
    ("id", "options", "temper", "patience", "mistakes", "named"),
    [
        ("moody", {}, 0.5, 3, 0, "moody"),
        ("moody@temper=0.9", {}, 0.9, 3, 0, "moody@temper=0.9"),
        ("moody", {"temper": 0.9}, 0.9, 3, 0, "moody@temper=0.9"),
        ("moody@7", {}, 0.7, 3, 0.3, "moody@7"),
        ("moody", {"level": 7}, 0.7, 3, 0.3, "moody@7"),
        ("moody", {"level": "7"}, 0.7, 3, 0.3, "moody@7"),
        ("moody@7,patience=9", {}, 0.7, 9, 0.3, "moody@7,patience=9"),
        ("moody@7,temper=0", {"mistakes": 0.1}, 0, 3, 0.1, "moody@7,temper=0,mistakes=0.1"),
        ("moody@10", {}, 1, 3, 0, "moody@10"),
        ("moody@easy", {}, 0.3, 3, 0.7, "moody@easy"),  # the words name three of the ten levels
        ("moody@normal", {}, 0.6, 3, 0.4, "moody@normal"),
        ("moody@hard", {}, 1, 3, 0, "moody@hard"),
    ],
)
def test_a_level_sets_numbers_and_names_replace_them(
    moody: Agent, id: str, options: dict[str, Any], temper: float, patience: float, mistakes: float, named: str
) -> None:
    found = load(id, **options)
    assert numbers(found) == ((temper, patience), pytest.approx(mistakes))
    assert found.id == named and numbers(load(found.id)) == numbers(found)
    assert pickle.loads(pickle.dumps(found)).id == named


@pytest.mark.parametrize(
    ("given", "options", "said"),
    [
        ("moody@11", {}, f"expected one of the levels {', '.join(TEN_LEVELS)}, got '11'."),
        ("moody", {"level": True}, ", got true."),
        ("moody", {"level": 7.0}, ", got 7.0."),
        ("moody@temper=2", {}, "temper: expected a number from 0 to 1, got 2.0."),
        ("moody", {"temper": "hot"}, "temper: expected a number from 0 to 1, got 'hot'."),
        ("moody@temper=hot", {}, "temper: expected a number, got 'hot'."),
        ("moody@temper=nan", {}, "temper: expected a number from 0 to 1, got nan."),
        (
            "moody@7,8",
            {},
            "expected mistakes, temperature, temper or patience, each at most once, as name=value, got '8'.",
        ),
        (
            "moody",
            {"humour": 1},
            "expected one of the arguments mistakes, temperature, temper or patience, got 'humour'.",
        ),
        ("uniform", {"temper": 1}, "uniform: expected one of the arguments mistakes or temperature, got 'temper'."),
    ],
)
def test_what_does_not_fit_is_refused(moody: Agent, given: str, options: dict[str, Any], said: str) -> None:
    with pytest.raises(AgentError) as refused:
        load(given, **options)
    assert said in str(refused.value) and str(refused.value).endswith(".")


def test_a_list_of_agents_keeps_their_numbers_together() -> None:
    assert agent_ids("moody@7,temper=0.2,patience=2, uniform,duelist@easy") == [
        "moody@7,temper=0.2,patience=2", "uniform", "duelist@easy"
    ]  # fmt: skip
    assert agent_ids("uniform,moody@temper=1,moody@temper=0") == ["uniform", "moody@temper=1", "moody@temper=0"]
