"""# Heretics

Two sides act one after the other in each round of the tabletop game Heretics: they move, attack with a d20, try stunts,
and demand that their enemies give up.

| Import | `from heartrush_env import heretics_v0` |
|---|---|
| Actions | discrete, masked |
| Parallel API | yes; in each step, the agents that are asked choose at the same time |
| Manual control | no |
| Agents | one per fighter, as in `sellsword_0`; one per side, as in `blue_0`, under `control="team"` |
| Observation | `{"observation": float32 vector, "action_mask": int8 vector}` |

```python
from heartrush_env import heretics_v0

env = heretics_v0.parallel_env(scenario="gate")
observations, infos = env.reset(seed=7)
while env.agents:
    actions = {agent: env.action_space(agent).sample(infos[agent]["action_mask"]) for agent in env.agents}
    observations, rewards, terminations, truncations, infos = env.step(actions)
```

## Action Space

One `Discrete` for all agents, the same in all scenarios of a shape. `env.unwrapped.get_action_meanings()` names each
action: `pass`, `stand_by`, `attack 1`, `trip 2`, `retrieve 1`, `move`, `to 3,-2`, ... where a number after the name is
the enemy's or the ally's place in the agent's own view. Some choices take several steps: after `move`, the same agent
picks the square, in steps to the east and to the south; after an attack with an advantage, it picks what the advantage
is used for; after `order_stunt 2`, it picks the stunt; after a spell, it picks mana dice, and then further targets or a
square if the spell needs them. Only `pass` is legal for an agent that is not asked.

## Observation Space

A vector of bounded numbers from the agent's own point of view: the moment, itself, its enemies and its allies, each in
fixed places. `env.unwrapped.get_feature_names()` names each number.

## Rewards

Each member of a side is paid once, at the end: 1 for a win, -1 for a loss, 0 for a draw. `reward="hp_margin"` and
`reward="hp_change"` pay the share of hit points that is left, minus that of the enemies.

## Episode End

A fight ends when a side has no able fighter left, when a scenario's objective is reached, or in a draw after the round
cap or the last beat of a duel; `max_cycles` truncates it after a number of steps.

## Arguments

- `scenario`: a shipped name ("duel", "gate", "skirmish", "crypt", "loopholes", "ambush", "bridge", "warband", "beat",
  "beat_mirror"), the path of a TOML file, or a dict with the keys of a file.
- `rules`: settings that override those of the scenario.
- `control`: "fighter" for one agent per fighter, "team" for one agent per side.
- `shape`: "duel" or "band"; by default the smallest that fits the scenario.
- `reward`: "win", "hp_margin", "hp_change", or a function of events.
- `max_cycles`: the number of steps after which a fight is truncated; None for never.

## Version History

- v0: the first version.
"""

from __future__ import annotations

from heartrush_env.envs.constructors import make_table_envs

NAME = "heretics_v0"
OPPONENT = "heretics_captain"  # plays against the user by default

parallel_env, raw_env, env, make_vec, single_env, vector_env = make_table_envs(
    NAME, "heartrush_env.games.heretics.game", "Heretics", OPPONENT
)
