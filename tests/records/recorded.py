"""Recorded fights of random choices, to read back, to replay and to damage."""

import hashlib
import json
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np

from heartrush_env.envs.parallel import ParallelFights
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.records.recorder import Recorder
from heartrush_env.tabletop.game import Event

SHORT = {"scenario": "duel", "decisions": "stance", "max_cycles": 3}
Lines = list[dict[str, Any]]


def record(
    game: HeartRush,
    seed: int,
    fight: int = 0,
    *,
    dice: list[int] | None = None,
    stand_ins: float = 0.0,
    forced: bool = False,
    started: datetime | None = None,
) -> tuple[Recorder, list[list[Event]]]:
    """Record a fight of random choices; return its events as well. `stand_ins` is the share of choices not sent."""
    env = ParallelFights(game)
    observations, _ = env.reset(seed=seed, options={"fight": fight, "dice": dice})
    rng = np.random.default_rng([seed, fight])
    seats = {agent: {"agent": "random"} for agent in game.agents}
    recorder = Recorder(game, (seed, fight), seats, dice, started=started)
    recorder.begin(env.events)
    happened = [env.events]
    paid = dict.fromkeys(game.agents, 0.0)
    while env.agents:
        legal = {agent: np.flatnonzero(observations[agent]["action_mask"]) for agent in env.agents}
        actions = {agent: int(rng.choice(choices)) for agent, choices in legal.items()}
        late = {agent for agent in env.agents if len(legal[agent]) > 1 and rng.random() < stand_ins}
        observations, rewards, *_ = env.step({agent: pick for agent, pick in actions.items() if agent not in late})
        told = {agent: pick for agent, pick in actions.items() if forced or len(legal[agent]) > 1}
        recorder.step(told, env.events, late)
        happened.append(env.events)
        for agent, reward in rewards.items():
            paid[agent] += reward
    recorder.end(paid)
    return recorder, happened


def with_dice(game: HeartRush, seed: int) -> tuple[Recorder, list[list[Event]], list[int]]:
    """Record a fight whose first rolls use given dice, small enough for a die of any size; return the dice too."""
    dice = [1 + place % 4 for place in range(24)]
    return (*record(game, seed, dice=dice), dice)


def lines_of(recorder: Recorder) -> Lines:
    """Return the lines of a record in a form that can be changed."""
    return [json.loads(line) for line in recorder.content.splitlines()]


def summed(lines: Iterable[Any]) -> bytes:
    """Return lines as a file with a matching checksum, whatever they say, as a forger would write it."""
    *first, last = [json.dumps(line, separators=(",", ":")).encode() + b"\n" for line in lines]
    before = b"".join(first) + last[: -64 - len('"}\n')]
    return before + hashlib.sha256(before).hexdigest().encode() + b'"}\n'


def write(folder: Path, content: bytes, name: str = "fight.hrr") -> Path:
    """Write a file with this content, and return its path."""
    path = folder / name
    path.write_bytes(content)
    return path
