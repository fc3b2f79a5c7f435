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

from pettingzoo import AECEnv

from heartrush_env.core.game import FloatArray, Game
from heartrush_env.envs.aec import TurnByTurnFights, wrapped
from heartrush_env.envs.parallel import Illegal, ParallelFights
from heartrush_env.envs.rewards import RewardFunction
from heartrush_env.envs.seats import VectorSeat
from heartrush_env.envs.single import OneSeat, Opponent
from heartrush_env.envs.vector import VectorFights

NAME = "heart_rush_v0"

ScenarioLike = str | PathLike[str] | Mapping[str, Any]
Decisions = Literal["full", "stance"]
Control = Literal["fighter", "team"]
Reward = str | RewardFunction  # by name, or a function from the events of a step to what each agent is paid

NO_RULES: Mapping[str, Any] = {}


def parallel_env(
    scenario: ScenarioLike = "duel",
    *,
    render_mode: str | None = None,
    max_cycles: int | None = None,
    rules: Mapping[str, Any] = NO_RULES,
    decisions: Decisions = "full",
    control: Control = "fighter",
    shape: str | None = None,
    memory: int | None = None,
    reward: Reward = "win",
    illegal: Illegal = "fallback",
) -> ParallelFights:
    """A PettingZoo ParallelEnv: all agents choose at the same time."""
    game = _game(scenario, rules, decisions, control, shape, memory, reward, max_cycles)
    return ParallelFights(game, render_mode=render_mode, illegal=illegal, name=NAME, reward=_own(reward))


def raw_env(
    scenario: ScenarioLike = "duel",
    *,
    render_mode: str | None = None,
    max_cycles: int | None = None,
    rules: Mapping[str, Any] = NO_RULES,
    decisions: Decisions = "full",
    control: Control = "fighter",
    shape: str | None = None,
    memory: int | None = None,
    reward: Reward = "win",
    illegal: Illegal = "fallback",
) -> TurnByTurnFights:
    """A PettingZoo AECEnv without wrappers: the agents are asked in turn, and nothing shows before all are in."""
    game = _game(scenario, rules, decisions, control, shape, memory, reward, max_cycles)
    return TurnByTurnFights(
        ParallelFights(game, render_mode=render_mode, illegal=illegal, name=NAME, reward=_own(reward))
    )


def env(
    scenario: ScenarioLike = "duel",
    *,
    render_mode: str | None = None,
    max_cycles: int | None = None,
    rules: Mapping[str, Any] = NO_RULES,
    decisions: Decisions = "full",
    control: Control = "fighter",
    shape: str | None = None,
    memory: int | None = None,
    reward: Reward = "win",
    illegal: Illegal = "fallback",
) -> AECEnv[str, Any, Any]:
    """A PettingZoo AECEnv in PettingZoo's usual wrappers, which check actions and the order of calls."""
    game = _game(scenario, rules, decisions, control, shape, memory, reward, max_cycles)
    return wrapped(
        TurnByTurnFights(ParallelFights(game, render_mode=render_mode, illegal=illegal, name=NAME, reward=_own(reward)))
    )


def make_vec(
    num_envs: int,
    scenario: ScenarioLike = "duel",
    *,
    seed: int | None = None,
    num_threads: int = 1,
    max_cycles: int | None = None,
    rules: Mapping[str, Any] = NO_RULES,
    decisions: Decisions = "full",
    control: Control = "fighter",
    shape: str | None = None,
    memory: int | None = None,
    reward: Reward = "win",
    illegal: Illegal = "fallback",
) -> VectorFights:
    """Many fights at once over arrays (num_envs, num_agents, ...), beginning again in the same step.

    Slot s plays the fights number s, s + num_envs, s + 2 num_envs, ... of the seed.
    """
    game = _game(scenario, rules, decisions, control, shape, memory, reward, max_cycles)
    return VectorFights(
        game, num_envs, seed=seed, num_threads=num_threads, illegal=illegal, name=NAME, reward=_own(reward)
    )


def single_env(
    scenario: ScenarioLike = "duel",
    *,
    seat: str | None = None,
    opponent: Opponent = "uniform",
    allies: Opponent | None = None,
    flatten: bool = False,
    render_mode: str | None = None,
    max_cycles: int | None = None,
    rules: Mapping[str, Any] = NO_RULES,
    decisions: Decisions = "full",
    control: Control = "fighter",
    shape: str | None = None,
    memory: int | None = None,
    reward: Reward = "win",
    illegal: Illegal = "fallback",
) -> OneSeat:
    """A Gymnasium Env: you decide for one seat, `opponent` and `allies` for the others.

    `gymnasium.make("heartrush_env/HeartRush-v0", ...)` makes this. A step is a window in which the seat has a choice;
    `max_cycles` counts all windows. `flatten=True` observes the vector alone, and `action_masks()` gives the mask.
    """
    game = _game(scenario, rules, decisions, control, shape, memory, reward, max_cycles)
    return OneSeat(
        game,
        seat=seat,
        opponent=opponent,
        allies=allies,
        flatten=flatten,
        illegal=illegal,
        render_mode=render_mode,
        name=NAME,
        reward=_own(reward),
    )


def vector_env(
    num_envs: int,
    scenario: ScenarioLike = "duel",
    *,
    seat: str | None = None,
    opponent: Opponent = "uniform",
    allies: Opponent | None = None,
    flatten: bool = False,
    num_threads: int = 1,
    max_cycles: int | None = None,
    rules: Mapping[str, Any] = NO_RULES,
    decisions: Decisions = "full",
    control: Control = "fighter",
    shape: str | None = None,
    memory: int | None = None,
    reward: Reward = "win",
    illegal: Illegal = "fallback",
) -> VectorSeat:
    """A Gymnasium VectorEnv: one seat in each of many fights, against `opponent` and beside `allies`.

    `gymnasium.make_vec("heartrush_env/HeartRush-v0", num_envs=256, vectorization_mode="vector_entry_point", ...)` makes
    this. A step is one window in each fight; where the seat has nothing to decide, one action is legal.
    """
    game = _game(scenario, rules, decisions, control, shape, memory, reward, max_cycles)
    fights = VectorFights(game, num_envs, num_threads=num_threads, illegal=illegal, name=NAME, reward=_own(reward))
    return VectorSeat(fights, seat=seat, opponent=opponent, allies=allies, flatten=flatten)


def planes(observations: Any) -> FloatArray:
    """The squares around each viewer as planes (..., 6, 11, 11): blocked, cost, cover, height, ally, enemy.

    Takes the vectors of observations on a map, one or many; HeartRushError for those of another shape.
    """
    from heartrush_env.heart_rush.encoding.planes import planes

    return planes(observations)


def _game(
    scenario: ScenarioLike,
    rules: Mapping[str, Any],
    decisions: Decisions,
    control: Control,
    shape: str | None,
    memory: int | None,
    reward: Reward,
    max_cycles: int | None,
) -> Game:
    """The game of a scenario; compiled code is loaded here and not before."""
    from heartrush_env.heart_rush.game import HeartRush

    return HeartRush(
        scenario,
        rules=rules,
        decisions=decisions,
        control=control,
        shape=shape,
        memory=memory,
        reward=reward if isinstance(reward, str) or not callable(reward) else "win",
        max_cycles=max_cycles,
    )


def _own(reward: Reward) -> RewardFunction | None:
    """The reward if it is a function, or None where the game pays."""
    return None if isinstance(reward, str) or not callable(reward) else reward
