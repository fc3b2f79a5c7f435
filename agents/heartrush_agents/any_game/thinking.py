"""The budget of a decision with its clock, for players that think, and random numbers seeded by an observation."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping
from typing import Final

import numpy as np

from heartrush_agents.base import Argument
from heartrush_env.tabletop.game import Observation

USUAL_MS: Final = 200.0
ARGUMENTS: Mapping[str, Argument] = {
    "think_ms": Argument(0, 600_000, USUAL_MS, "Milliseconds to think over a decision; 0 for no thought."),
    "rollouts": Argument(0, 10_000_000, 0, "Roll-outs for a decision in place of the milliseconds; 0 for none."),
}


class Clock:
    """The used part of a decision's budget, counted in roll-outs, or in milliseconds if `rollouts` is 0."""

    def __init__(self, think_ms: float, rollouts: int = 0) -> None:
        """Start the clock; the budget is `rollouts`, or `think_ms` if `rollouts` is 0."""
        self._ms, self._most, self._start, self._last = think_ms, rollouts, time.perf_counter(), 0.0
        self.rollouts = 0  # played so far; the player counts them

    @property
    def share(self) -> float:
        """The share of the budget that is used, from 0 to 1."""
        if self._most:
            return min(1.0, self.rollouts / self._most)
        return min(1.0, 1000 * (time.perf_counter() - self._start) / self._ms)

    def goes_on(self) -> bool:
        """Return whether the budget allows another batch of roll-outs; the first batch is always allowed."""
        now = time.perf_counter() - self._start
        lasted, self._last = now - self._last, now
        if self.rollouts == 0:
            return True
        if self._most:
            return self.rollouts < self._most
        return 1000 * (now + lasted) <= self._ms


def generator(observation: Observation) -> np.random.Generator:
    """Return a random generator whose seed depends only on an observation."""
    seen = observation["observation"].tobytes() + observation["action_mask"].tobytes()
    return np.random.default_rng(int.from_bytes(hashlib.sha256(seen).digest()[:16], "little"))
