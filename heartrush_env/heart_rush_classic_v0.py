"""# Heart Rush, the classic edition

Sides take turns to act. A fighter that engages an enemy begins an engagement. Fighters within weapon range of anyone in
it may enter it; all fighters in it secretly choose a stance, reveal their stances together, and strike. A round may
have several engagements or none.

| Import | `from heartrush_env import heart_rush_classic_v0` |
|---|---|
| Actions | discrete, masked |
| Parallel API | yes, the agents that are asked choose at the same time |
| Manual control | no |
| Agents | one per fighter, as in `knight_0`; one per team, as in `blue_0`, under `control="team"` |
| Observation | `{"observation": float32 vector, "action_mask": int8 vector}` |

```python
from heartrush_env import heart_rush_classic_v0

env = heart_rush_classic_v0.parallel_env(scenario="duel")
observations, infos = env.reset(seed=7)
while env.agents:
    actions = {agent: env.action_space(agent).sample(infos[agent]["action_mask"]) for agent in env.agents}
    observations, rewards, terminations, truncations, infos = env.step(actions)
```

Every scenario can be played here, shipped or your own. Arguments, rewards, starting states and endings are those of
`heart_rush_v0`, and `heart_rush_v0` plays the same fights for a scenario or `rules` with `edition = "classic"`. Here
the settings of the edition override those of the scenario; `rules` may change them one by one.

## Action Space

The actions of `heart_rush_v0`, followed by `enter` and, for each enemy's place, `engage 1`, `engage 2`, ... A side that
has priority uses it for one declaration: if several of its fighters declare, the quickest acts, and the others keep
what they would have spent.

## Version History

- v0: the first version.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import wraps
from typing import Any

from heartrush_env import heart_rush_v0
from heartrush_env.envs.constructors import make_envs
from heartrush_env.heart_rush_v0 import ScenarioLike, planes
from heartrush_env.tabletop.errors import RulesError
from heartrush_env.tabletop.game import Game

__all__ = ["env", "make_vec", "parallel_env", "planes", "raw_env", "single_env", "vector_env"]

NAME, EDITION = "heart_rush_classic_v0", "classic"


@wraps(heart_rush_v0.new_game, assigned=())
def new_game(scenario: ScenarioLike = "duel", **options: Any) -> Game:
    """Make the game of heart_rush_v0 in this edition."""
    rules = options.get("rules", heart_rush_v0.NO_RULES)
    if isinstance(rules, Mapping):
        if rules.get("edition", EDITION) != EDITION:
            raise RulesError(f"rules: edition: expected {EDITION} in {NAME}, got {rules['edition']!r}.")
        options["rules"] = {"edition": EDITION, **rules}
    return heart_rush_v0.new_game(scenario, **options)


parallel_env, raw_env, env, make_vec, single_env, vector_env = make_envs(NAME, new_game, heart_rush_v0.OPPONENT)
