"""# Heart Rush

Fighters of two or more teams secretly choose a stance, reveal together, and fight the round by the rules of the
tabletop game Heart Rush.

| Import | `from heartrush_env import heart_rush_v0` |
|---|---|
| Actions | discrete, masked |
| Parallel API | yes, the agents that are asked choose at the same time |
| Manual control | no |
| Agents | one per fighter, as in `knight_0`; one per team, as in `blue_0`, under `control="team"` |
| Observation | `{"observation": float32 vector, "action_mask": int8 vector}` |

```python
from heartrush_env import heart_rush_v0

env = heart_rush_v0.parallel_env(scenario="duel")
observations, infos = env.reset(seed=7)
while env.agents:
    actions = {agent: env.action_space(agent).sample(infos[agent]["action_mask"]) for agent in env.agents}
    observations, rewards, terminations, truncations, infos = env.step(actions)
```

## Action Space

One `Discrete` for all agents, the same in all scenarios of a shape. `env.unwrapped.get_action_meanings()` names each
action: `pass`, `stance might`, `attack 1`, `attack 1 dazed+weakened`, `shrug`, `take`, ... where a number is the
enemy's or the ally's place in the agent's own view. The mask marks the legal actions; there is always at least one. A
number outside the space is an error. A masked or missing action of an agent that is asked plays `pass` (`take` in a
shrug window, `stance defensive` in a stance window) and sets `infos[agent]["illegal"]`; with `illegal="raise"` it is an
error that names the legal actions.

## Observation Space

A vector of bounded numbers from the agent's own point of view: the moment, itself, its enemies and its allies, each
in fixed places. `env.unwrapped.get_feature_names()` names each number; on a map `heart_rush_v0.planes(vectors)` returns
the squares around the viewers as planes. Secret choices appear in no observation, info, state, event or picture before
the reveal. The mask comes with the vector and again in `infos[agent]["action_mask"]`. `observations="entities"` shows
fighters and the relations between them instead.

## Rewards

Each member of a team, including the fallen, is paid once, at the end: 1 for a win, -1 for a loss, 0 for a draw. With
n teams, n above 2, the losers get -1/(n-1). `reward=` selects another reward:

| name | reward |
|---|---|
| `win` | at the end, 1 for a win, -1 for a loss, 0 for a draw |
| `hp_margin` | at the end, the share of the team's hit points that is left, minus the mean of the other teams' |
| `hp_change` | each step, the change of that margin; its sum is `hp_margin` minus the margin at the start |

It can also be a function of your own that takes the events of a step and returns the reward of each agent; agents
that it omits get 0:

```python
from heartrush_env import heart_rush_v0

def damage_done(events):
    hits = [event for event in events if event["type"] == "damage" and event["fighter"] == "duelist_0"]
    return {"knight_0": 0.01 * sum(hit["amount"] for hit in hits)}

env = heart_rush_v0.parallel_env("duel", reward=damage_done)
```

## Starting State

The fighters as the scenario describes them, at the first window of round 1. `reset(seed)` starts fight 0 of the seed,
and each further `reset()` the next one; `options={"fight": 12}` selects a fight, and `options={"dice": [5, 3, 8]}`
gives the results of the first rolls. The same seed, fight and actions give the same fight, byte for byte.

## Episode End

A step is one window of a round. `env.asked` lists the agents that decide in it, and `infos[agent]["asked"]` says
whether an agent is one of them. All other agents can only `pass`, and their actions may be left out. In `env` and
`raw_env`, only the agents that are asked have a turn.

All agents stay until the fight ends, and all end together. `infos[agent]["out"]` is the reason why an agent is out. A
fight terminates when the scenario's victory condition is met or its round cap is reached, and is truncated after
`max_cycles` steps.

## Arguments

`help(heart_rush_v0.parallel_env)` describes every argument; `env` and `raw_env` take the same ones. `make_vec`,
`single_env` and `vector_env` share the arguments of the game and have others of their own.

## Version History

- v0: the first version.
"""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import Any, Literal

from heartrush_env.envs.constructors import make_envs
from heartrush_env.envs.rewards import RewardFunction
from heartrush_env.tabletop.game import FloatArray, Game

NAME, OPPONENT = "heart_rush_v0", "uniform"

ScenarioLike = str | PathLike[str] | Mapping[str, Any]
Decisions = Literal["full", "stance"]
Control = Literal["fighter", "team"]
Reward = str | RewardFunction  # a name, or a function from the events of a step to each agent's reward

NO_RULES: Mapping[str, Any] = {}


def new_game(
    scenario: ScenarioLike = "duel",
    *,
    rules: Mapping[str, Any] = NO_RULES,
    decisions: Decisions = "full",
    control: Control = "fighter",
    shape: str | None = None,
    memory: int | None = None,
    reward: Reward = "win",
    max_cycles: int | None = None,
) -> Game:
    """Make the game behind an environment; only this call loads compiled code.

    Args:
        scenario: The name of a shipped scenario, "random:7", the path of a TOML file, or a dict with the keys of such
            a file.
        rules: Settings that override those of the scenario.
        decisions: "full", or "stance" to choose stances only.
        control: "fighter" for one agent per fighter, "team" for one agent per team.
        shape: A larger shape than the scenario needs, so that policies for that shape can play it.
        memory: The number of past reveals in observations; 0 for none, by default all that the shape has room for.
        reward: "win", "hp_margin", "hp_change", or a function from the events of a step to each agent's reward.
        max_cycles: The number of steps after which a fight is truncated; None for never.

    Raises:
        ScenarioError: The scenario is invalid; the message names the place, the expected values and the value found.
        RulesError: A setting is invalid.
    """
    from heartrush_env.games.heart_rush.game import HeartRush

    return HeartRush(scenario, rules, decisions, control, shape, memory, reward, max_cycles)  # type: ignore[arg-type]


parallel_env, raw_env, env, make_vec, single_env, vector_env = make_envs(NAME, new_game, OPPONENT)


def planes(observations: Any) -> FloatArray:
    """Return the squares around each viewer as planes (..., 6, 11, 11): blocked, cost, cover, height, ally, enemy.

    Args:
        observations: Observation vectors on a map, (..., features).

    Raises:
        HeartRushError: The vectors belong to another shape.
    """
    from heartrush_env.games.heart_rush.encoding.planes import planes

    return planes(observations)
