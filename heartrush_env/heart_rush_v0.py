"""# Heart Rush

Fighters of two or more teams choose a stance in secret, reveal together, and fight the round out by the rules of the
tabletop game Heart Rush.

| Import | `from heartrush_env import heart_rush_v0` |
|---|---|
| Actions | discrete, masked |
| Parallel API | yes, everybody chooses at the same time |
| Manual control | no |
| Agents | one a fighter, as in `knight_0`; one a team, as in `blue_0`, under `control="team"` |
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
enemy's or the ally's place in the agent's own view. The mask says which are legal; at least one always is. A number
outside the space is an error. A masked or missing action plays `pass` (`take` in a shrug window, `stance defensive`
in a stance window) and sets `infos[agent]["illegal"]`; with `illegal="raise"` it is an error that says what was
legal.

## Observation Space

A vector of bounded numbers from the agent's own point of view: itself, then its enemies, then its allies, in places
that stay the same. `env.unwrapped.get_feature_names()` names each number; on a map `heart_rush_v0.planes(vectors)`
shows the squares around the viewers as planes. A choice that is still secret is in no
observation, info, state, event or picture. The mask stands beside the vector and again in
`infos[agent]["action_mask"]`.

## Rewards

Paid once, at the end, to each member of a team, the fallen included: 1 for a win, -1 for a loss, 0 for a draw; with n
teams, n above 2, the losers get -1/(n-1). `reward=` names another:

| name | pays |
|---|---|
| `win` | at the end, 1 for a win, -1 for a loss, 0 for a draw |
| `hp_margin` | at the end, the team's share of its hit points that is left, less the mean of the other teams' |
| `hp_change` | each step, by how much that margin has changed; its sum is `hp_margin` less the margin at the start |

or is a function of your own, from the list of events of a step to what each agent is paid; agents it leaves out get 0:

```python
from heartrush_env import heart_rush_v0

def first_blood(events):
    hits = [event for event in events if event["type"] == "damage" and event["fighter"] == "duelist_0"]
    return {"knight_0": 0.01 * sum(hit["amount"] for hit in hits)}

env = heart_rush_v0.parallel_env("duel", reward=first_blood)
```

## Starting State

The fighters as the scenario describes them, at the first window of round 1. `reset(seed)` begins fight 0 of the seed,
each further `reset()` the next one; `options={"fight": 12}` names one, `options={"dice": [5, 3, 8]}` says what the
first rolls shall show. The same seed, fight and actions give the same fight, byte for byte.

## Episode End

A step is one window of a round. All agents stay until the fight ends, and all end together. One that is out or has
nothing to decide can only `pass`; `infos[agent]["out"]` says why it is out. A fight terminates by the scenario's
victory condition or its round cap, and truncates after `max_cycles` steps.

## Arguments

The same for `parallel_env`, `env`, `raw_env`, and, with some more of their own, for `make_vec`, `single_env` and
`vector_env`:

- `scenario`: a shipped name, `"random:7"`, the path of a TOML file, or a dict of the same shape.
- `rules`: settings that replace those of the scenario.
- `decisions`: "full", or "stance" to be asked for stances alone.
- `control`: "fighter" for an agent a fighter, "team" for an agent a team.
- `shape`: a larger shape than the scenario needs, so that policies for that shape can play it.
- `memory`: how many reveals of the past the observations show; the usual number unless given, 0 for none.
- `reward`: "win", another name of the table above, or a function of events.
- `max_cycles`: the number of steps after which a fight is cut off; None for never.
- `illegal`: "fallback" or "raise".
- `render_mode`: "ansi" for a picture as text, "rgb_array" for one in dots, "human" for a window, or None.

## Version History

- v0: the first.
"""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import Any, Literal

from heartrush_env.core.game import FloatArray, Game
from heartrush_env.envs.doors import make_doors
from heartrush_env.envs.rewards import RewardFunction

NAME = "heart_rush_v0"

ScenarioLike = str | PathLike[str] | Mapping[str, Any]
Decisions = Literal["full", "stance"]
Control = Literal["fighter", "team"]
Reward = str | RewardFunction  # by name, or a function from the events of a step to what each agent is paid

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
    """The game behind every environment; compiled code is loaded here and not before.

    Raises ScenarioError or RulesError, one sentence that names the place, what was found and what is allowed.
    """
    from heartrush_env.heart_rush.game import HeartRush

    return HeartRush(scenario, rules, decisions, control, shape, memory, reward, max_cycles)  # type: ignore[arg-type]


parallel_env, raw_env, env, make_vec, single_env, vector_env = make_doors(NAME, new_game)


def planes(observations: Any) -> FloatArray:
    """The squares around each viewer as planes (..., 6, 11, 11): blocked, cost, cover, height, ally, enemy.

    Takes the vectors of observations on a map, one or many; HeartRushError for those of another shape.
    """
    from heartrush_env.heart_rush.encoding.planes import planes

    return planes(observations)
