"""What a seat sees: at a window of a batch, at the start of a fight, and through whole fights of players."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from heartrush_agents import Player

from heartrush_env.tabletop.game import Event, Game, Observation

STANCES = ("might", "agility", "cunning", "defensive")


def begun(game: Game, seed: int = 1) -> Any:
    """Return a batch of one fight at its first window."""
    batch = game.batch(1)
    batch.start([0], seed, [0])
    return batch


def seen_by(batch: Any, seat: int = 0) -> Observation:
    """Return the observation of a seat of the only fight, as a copy."""
    return {"observation": batch.observations[0, seat].copy(), "action_mask": batch.masks[0, seat].copy()}


def watch(env: Any, players: dict[str, Player], seed: int) -> Iterator[tuple[Any, str, Observation]]:
    """Play a fight to its end; yield every moment in which a seat decides, before its player acts."""
    observations, _ = env.reset(seed=seed)
    chance = np.random.default_rng(seed)
    while env.agents:
        for agent in env.agents:
            yield env, agent, observations[agent]
        observations = env.step({agent: players[agent].act(observations[agent], chance) for agent in env.agents})[0]


def play(env: Any, players: dict[str, Player], seed: int) -> list[Event]:
    """Return all events of a fight."""
    observations, _ = env.reset(seed=seed)
    events, chance = list(env.events), np.random.default_rng(seed)
    while env.agents:
        observations = env.step({agent: players[agent].act(observations[agent], chance) for agent in env.agents})[0]
        events += env.events
    return events
