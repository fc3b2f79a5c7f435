"""Timing of an engine that speaks the protocol: a separate process that answers requests over pipes."""

from __future__ import annotations

import json
import subprocess
import sys
from time import perf_counter
from typing import Any

from heartrush_env.app.heart_rush.commands.bench import SEED

AGENT = "uniform"
BATCH = 256
COMMAND = [sys.executable, "-m", "heartrush_env.app.cli.main", "engine", AGENT]


def request(number: int) -> dict[str, Any]:
    """Return a request for a stance in the first round of a duel, with the seat's complete observation."""
    from heartrush_env import heart_rush_v0
    from heartrush_env.protocol.requests import act_request

    env = heart_rush_v0.parallel_env("duel")
    observations, _ = env.reset(seed=SEED)
    seat = env.agents[0]
    return act_request(env.game, seat, observations[seat], id=str(number), seed=number)


class RunningEngine:
    """A running engine that answers one line at a time."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def __enter__(self) -> RunningEngine:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()

    def ask(self, message: dict[str, Any]) -> dict[str, Any]:
        """Send one message, and return the engine's answer."""
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        return answer


def start() -> float:
    """Return the seconds from the start of an engine until its first choice."""
    one = request(0)
    begun = perf_counter()
    with RunningEngine() as engine:
        assert engine.ask(one)["type"] == "choice"
        return perf_counter() - begun


def decisions_per_second(seconds: float, batch: int = 1) -> float:
    """Return the number of decisions that an engine makes per second, with `batch` requests in each message."""
    one = request(0)
    many = {"type": "act_batch", "id": "b", "requests": [one] * batch}
    with RunningEngine() as engine:
        engine.ask(one)
        begun, count = perf_counter(), 0
        while (spent := perf_counter() - begun) < seconds or not count:
            if batch == 1:
                assert engine.ask(one)["type"] == "choice"
            else:
                assert len(engine.ask(many)["choices"]) == batch
            count += batch
    return count / spent
