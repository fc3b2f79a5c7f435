"""Observations of a seat for tests: in one window of a batch, and through whole fights."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from heartrush_agents import Player, load

from heartrush_env import heart_rush_v0
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
    """Play a fight to its end, and yield each decision (environment, agent, observation) before the player acts."""
    observations, _ = env.reset(seed=seed)
    chance = np.random.default_rng(seed)
    while env.agents:
        for agent in env.agents:
            yield env, agent, observations[agent]
        observations = env.step({agent: players[agent].act(observations[agent], chance) for agent in env.agents})[0]


def play(env: Any, players: dict[str, Player], seed: int) -> list[Event]:
    """Play a fight to its end, and return all its events."""
    observations, _ = env.reset(seed=seed)
    events, chance = list(env.events), np.random.default_rng(seed)
    while env.agents:
        observations = env.step({agent: players[agent].act(observations[agent], chance) for agent in env.agents})[0]
        events += env.events
    return events


def check_many_as_alone(id: str, scenario: str, slots: int, steps: int, **rules: Any) -> int:
    """Check that an agent's `policies` for many seats equal its `policy` for each seat, in fights of random play.

    Returns:
        The number of different sets of legal actions that occurred.
    """
    fights = heart_rush_v0.make_vec(slots, scenario, seed=4, rules=rules)
    player: Any = load(id).seat(fights.game)
    chance, windows = np.random.default_rng(5), set()
    observations, _ = fights.reset()
    for _ in range(steps):
        seen = observations["observation"].reshape(-1, len(fights.game.feature_names))
        masks = observations["action_mask"].reshape(len(seen), -1)
        each = [player.policy({"observation": o, "action_mask": m}) for o, m in zip(seen, masks, strict=True)]
        np.testing.assert_array_equal(player.policies(seen, masks), each)
        windows |= {tuple(mask.nonzero()[0]) for mask in masks}
        fights.step((masks * chance.random(masks.shape)).argmax(axis=1).reshape(slots, -1))
    return len(windows)
