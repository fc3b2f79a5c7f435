"""Talk before the stances: who hears it, and that nobody else can read it anywhere."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from heartrush_env import heart_rush_v0


def said(env: Any, observations: dict[str, Any], viewer: str, whose: str) -> float:
    """The viewer's feature for "said might" of `whose` place."""
    names = env.get_feature_names()
    return float(observations[viewer]["observation"][names.index(f"{whose} said might")])


@pytest.mark.parametrize(("talk", "enemy_hears"), [("team", False), ("open", True)])
def test_talk_is_heard_by_those_it_is_meant_for(talk: str, enemy_hears: bool) -> None:
    env = heart_rush_v0.parallel_env(scenario="brawl", rules={"talk": talk})
    env.reset(seed=1)
    say = env.get_action_meanings().index("say might")
    knight, rogue, *_ = env.agents  # blue; the barbarian and the duelist are red
    observations, *_ = env.step({agent: say if agent == knight else 0 for agent in env.agents})
    assert said(env, observations, rogue, "ally 1") == 1.0
    assert said(env, observations, "barbarian_0", "enemy 1") == float(enemy_hears)
    told = [event for event in env.events if event["type"] == "talk"]
    assert told == [{"type": "talk", "fighter": knight, "stance": "might" if enemy_hears else None}]


def test_what_a_side_says_among_itself_is_not_in_the_state() -> None:
    env = heart_rush_v0.parallel_env(scenario="brawl", rules={"talk": "team"})
    states = []
    for words in ("say might", "say cunning"):
        env.reset(seed=1)
        env.step(dict.fromkeys(env.agents, env.get_action_meanings().index(words)))
        states.append(env.state())
    assert np.array_equal(*states)
