"""Test vectors: observations and masks from fights, with the agent's probabilities for them.

Every port of a policy should compute these probabilities. They come from the agent's player, not from the exported
network.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from heartrush_env.app.heart_rush.export.policy import Policy
from heartrush_env.envs.parallel import ParallelFights
from heartrush_env.tabletop.game import Observation
from heartrush_env.tabletop.views import short

VECTORS = 64
MOST_OF_A_WINDOW = 20  # vectors per window; stance windows far outnumber all others
MOST_FIGHTS = 200
SEED = 20250601
EXPLORED = 0.3  # fraction of uniformly random choices, so that rare windows occur


def vectors(policy: Policy, count: int = VECTORS) -> list[dict[str, Any]]:
    """Collect decisions from fights of the agent against itself, in which some choices are random.

    Returns:
        Up to `count` dicts with the keys "window", "seat", "observation", "action_mask" and "probabilities", and with
        "value" if the agent gives one.
    """
    found: dict[str, list[dict[str, Any]]] = {}
    windows = [name for name in policy.game.feature_names if name.startswith("window ")]
    columns = [policy.game.feature_names.index(name) for name in windows]
    for seat, observation in _decisions(policy):
        shown = observation["observation"][columns].nonzero()[0]
        window = windows[shown[0]].removeprefix("window ") if len(shown) else "other"
        kept = found.setdefault(window, [])
        if len(kept) < MOST_OF_A_WINDOW:
            kept.append(_vector(policy, window, seat, observation))
        if sum(map(len, found.values())) >= count:
            break
    return [vector for kept in found.values() for vector in kept]


def _vector(policy: Policy, window: str, seat: str, observation: Observation) -> dict[str, Any]:
    player: Any = policy.player
    value = {"value": player.value(observation)} if policy.gives_value else {}
    return {
        "window": window,
        "seat": seat,
        "observation": short(observation["observation"]),
        "action_mask": observation["action_mask"].tolist(),
        "probabilities": np.asarray(player.policy(observation), np.float64).tolist(),
        **value,
    }


def _decisions(policy: Policy) -> Iterator[tuple[str, Observation]]:
    """Yield the seat and observation of every decision with more than one legal action."""
    env, chance = ParallelFights(policy.game), np.random.default_rng(SEED)
    for fight in range(MOST_FIGHTS):
        observations, _ = env.reset(seed=SEED, options={"fight": fight})
        while env.agents:
            choices = {}
            for seat in env.agents:
                observation = observations[seat]
                legal = observation["action_mask"].nonzero()[0]
                if len(legal) > 1:
                    yield seat, observation
                explores = chance.random() < EXPLORED
                choices[seat] = chance.choice(legal) if explores else policy.player.act(observation, chance)
            observations, *_ = env.step(choices)
