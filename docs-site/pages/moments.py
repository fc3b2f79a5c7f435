"""The sample moments of fights in moments.jsonl, for conformance checks and the starter kits."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from heartrush_env import heart_rush_v0
from heartrush_env.app.conformance import SEED
from heartrush_env.protocol.requests import History, act_request

MOST_FIGHTS = 20  # searched for a moment of each kind


def sample_moments() -> str:
    """Return the moments, one JSON object per line, taken from random fights."""
    wanted = {
        "duel": {"stance": 1, "attack": 1, "shrug": 1, "stance again": 5},
        "brawl": {"stance": 2, "attack": 2, "action": 2},
    }
    rows = [row for scenario, windows in wanted.items() for row in _moments_of(scenario, windows)]
    return "".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows)


def _moments_of(scenario: str, wanted: Mapping[str, int]) -> list[dict[str, Any]]:
    """Return one moment of each wanted window in random fights; `wanted` gives the earliest round of each window."""
    env, history, chance = heart_rush_v0.parallel_env(scenario), History(), np.random.default_rng(SEED)
    found: dict[str, dict[str, Any]] = {}
    for fight in range(MOST_FIGHTS):
        observations, _ = env.reset(seed=SEED, options={"fight": fight})
        while env.agents:
            history.observe(env.events)
            for seat, seen in observations.items():
                if seen["action_mask"].sum() < 2:
                    continue
                request = act_request(env.game, seat, seen, history.reveals)
                view = request["view"]
                for name, since in wanted.items():
                    if name not in found and name.split()[0] == view["window"] and view["round"] >= since:
                        found[name] = {
                            "name": f"{scenario} {name}",
                            "says": _in_words(view, seat),
                            "shape": getattr(env.game, "shape").name,  # noqa: B009  # not every kind of game has shapes
                            **{part: request[part] for part in ("game", "seat", "view", "legal")},
                        }
            actions = {
                seat: int(chance.choice(seen["action_mask"].nonzero()[0])) for seat, seen in observations.items()
            }
            observations = env.step(actions)[0]
        if len(found) == len(wanted):
            return [found[name] for name in wanted]
    raise LookupError(
        f"{scenario}: expected moments {', '.join(wanted)} in {MOST_FIGHTS} fights, got {', '.join(found)}"
    )


def _in_words(view: Mapping[str, Any], seat: str) -> str:
    """Describe a view in words."""
    me, foes = view["self"], ", ".join(f"{foe['name']} {foe['hp']} hp" for foe in view["enemies"])
    return f"Round {view['round']}, window {view['window']}: {me['name']} ({seat}) {me['hp']} hp against {foes}."
