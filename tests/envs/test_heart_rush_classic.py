"""The environments of heart_rush_classic_v0, which are those of heart_rush_v0 with the edition set."""

import inspect
import pickle
import re
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest

import heartrush_env  # registers the environments
from heartrush_env import heart_rush_classic_v0, heart_rush_v0
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.scenario.load import shipped_scenarios
from heartrush_env.tabletop.errors import RulesError
from tests.envs.checks import choose

DOORS = ("parallel_env", "raw_env", "env", "make_vec", "single_env", "vector_env")
IDS = heartrush_env.DOORS["heart_rush_classic_v0"]


def test_the_example_of_the_page_runs() -> None:
    (example,) = re.findall(r"```python\n(.*?)```", heart_rush_classic_v0.__doc__ or "", flags=re.DOTALL)
    exec(example, {})


@pytest.mark.parametrize("door", DOORS)
def test_a_door_takes_what_junes_takes(door: str) -> None:
    classic, june = getattr(heart_rush_classic_v0, door), getattr(heart_rush_v0, door)
    assert inspect.signature(classic) == inspect.signature(june)
    assert pickle.loads(pickle.dumps(classic)) is classic


def test_names_of_the_environments() -> None:
    assert str(heart_rush_classic_v0.parallel_env()) == str(heart_rush_classic_v0.env()) == "heart_rush_classic_v0"
    assert heart_rush_classic_v0.make_vec(2).metadata["name"] == "heart_rush_classic_v0"


@pytest.mark.parametrize("scenario", shipped_scenarios())
def test_every_shipped_scenario_has_its_classic_form(scenario: str) -> None:
    game = heart_rush_classic_v0.parallel_env(scenario).game
    assert isinstance(game, HeartRush) and game.edition.page == "classic"
    june = heart_rush_v0.parallel_env(scenario).game.rules
    assert game.rules == {**june, "edition": "classic", "contested": "mutual"}
    assert {"engage 1", "enter"} <= set(game.action_names)


def test_a_scenario_may_say_it_too() -> None:
    scenario = {"fighter": [{"from": "knight", "team": "blue"}, {"from": "rogue", "team": "red"}]}
    said = heart_rush_v0.parallel_env({**scenario, "rules": {"edition": "classic"}}).game
    assert said.digest == heart_rush_classic_v0.parallel_env(scenario).game.digest


def test_single_settings_may_be_changed_and_another_edition_is_refused() -> None:
    env = heart_rush_classic_v0.parallel_env(rules={"profile": "plain", "contested": "if_able"})
    assert [env.game.rules[key] for key in ("edition", "levels", "contested")] == ["classic", False, "if_able"]
    with pytest.raises(RulesError, match="edition: expected classic in heart_rush_classic_v0, got 'june2025'"):
        heart_rush_classic_v0.parallel_env(rules={"edition": "june2025"})
    with pytest.raises(RulesError, match="a table"):
        heart_rush_classic_v0.parallel_env(rules="plain")


def test_gymnasium_and_pettingzoo_make_it() -> None:
    env = gymnasium.make(IDS[0], scenario="duel", flatten=True)
    assert env.observation_space.contains(env.reset(seed=7)[0])
    if hasattr(pettingzoo, "register"):  # since PettingZoo 1.27
        made: Any = pettingzoo.make("parallel", IDS[1], scenario="duel")
        assert str(made) == "heart_rush_classic_v0"
        assert str(pettingzoo.make("aec", IDS[1], scenario="duel")) == "heart_rush_classic_v0"


def test_who_has_no_say_can_only_pass() -> None:
    """In an action window, all agents that may do more than pass are of one side."""
    game = heart_rush_classic_v0.parallel_env("melee").game
    fights, windows = game.batch(1), 0
    fights.start([0], 7, [0])
    for step in range(80):
        asked = {seat for seat, mask in enumerate(fights.masks[0]) if mask.sum() > 1}
        if fights.describe(0)["window"] == "action":
            windows += 1
            assert len({game.teams[seat] for seat in asked}) == 1
        for seat in set(range(len(game.agents))) - asked:
            assert len(fights.legal(0, seat)) == 1
        if fights.terminated[0]:
            break
        fights.step(np.array([[choose(mask, 0, step, seat) for seat, mask in enumerate(fights.masks[0])]]))
    assert windows > 5
