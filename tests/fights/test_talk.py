"""Talk before the stances: the fighters that hear it, and no trace of it anywhere for others."""

from typing import Any

import numpy as np
import pytest

from heartrush_env import heart_rush_v0


def said(env: Any, observations: dict[str, Any], viewer: str, whose: str) -> float:
    """Return the viewer's feature "said might" of the fighter at the place `whose`."""
    names = env.get_feature_names()
    return float(observations[viewer]["observation"][names.index(f"{whose} said might")])


def at_talk(talk: str) -> Any:
    """Return a brawl at the start of the talk, after all have passed."""
    env = heart_rush_v0.parallel_env(scenario="brawl", rules={"talk": talk})
    env.reset(seed=1)
    env.step(dict.fromkeys(env.agents, 0))
    return env


@pytest.mark.parametrize(("talk", "enemy_hears"), [("team", False), ("open", False), ("overheard", True)])
def test_talk_is_heard_by_those_it_is_meant_for(talk: str, enemy_hears: bool) -> None:
    env = at_talk(talk)
    say = env.get_action_meanings().index("say might")
    knight, rogue, *_ = env.agents  # these are blue; the barbarian and the duelist are red
    observations, *_ = env.step({agent: say if agent == knight else 0 for agent in env.agents})
    assert said(env, observations, rogue, "ally 1") == 1.0
    assert said(env, observations, "barbarian_0", "enemy 1") == float(enemy_hears)
    told = [event for event in env.events if event["type"] == "talk"]
    assert told == [{"type": "talk", "fighter": knight, "stance": "might" if enemy_hears else None}]


@pytest.mark.parametrize("talk", ["team", "open"])
def test_words_that_enemies_have_not_heard_are_nowhere_to_be_read(talk: str) -> None:
    """Red, a critic and spectators see nothing of blue's talk until stances are chosen."""
    envs, seen = [], []
    for words in ("say might", "say cunning"):
        env = at_talk(talk)
        said = env.get_action_meanings().index(words)
        blue = env.agents[:2]
        observations, _, _, _, infos = env.step({agent: said if agent in blue else 0 for agent in env.agents})
        enemies = [agent for agent in env.agents if agent not in blue]
        seen.append(
            {
                "observations": [observations[agent]["observation"].tolist() for agent in enemies],
                "infos": [{key: np.array(value).tolist() for key, value in infos[agent].items()} for agent in enemies],
                "state": env.state().tolist(),
                "events": env.events,
                "public": env.public,
            }
        )
        envs.append(env)
    assert seen[0] == seen[1]
    for env in envs:
        env.step(dict.fromkeys(env.agents, env.get_action_meanings().index("stance might")))
    assert np.array_equal(envs[0].state(), envs[1].state()) == (talk == "team")
    assert (envs[0].events == envs[1].events) == (talk == "team")
