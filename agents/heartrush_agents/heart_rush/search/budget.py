"""The thinking budget of one decision: milliseconds by the clock, or a number of roll-outs."""

from __future__ import annotations

import time
from dataclasses import dataclass


@dataclass(frozen=True)
class Budget:
    """The budget of a decision; a number of roll-outs above 0 replaces the clock."""

    think_ms: float
    rollouts: int = 0

    @property
    def thinks(self) -> bool:
        """Whether the budget allows any thinking."""
        return self.think_ms > 0 or self.rollouts > 0

    def begin(self) -> Clock:
        """Start the clock of a decision."""
        return Clock(self)


class Clock:
    """The remaining budget while a decision is made."""

    def __init__(self, budget: Budget) -> None:
        """Start the clock now."""
        self._budget, self._start, self._last, self.rollouts = budget, time.perf_counter(), 0.0, 0

    def goes_on(self) -> bool:
        """Return whether the budget allows another batch of roll-outs; the first batch is always allowed."""
        now = time.perf_counter() - self._start
        lasted, self._last = now - self._last, now
        if self.rollouts == 0:
            return True
        if self._budget.rollouts > 0:
            return self.rollouts < self._budget.rollouts
        return 1000 * (now + lasted) <= self._budget.think_ms

    def count(self, rollouts: int) -> None:
        """Count roll-outs that were played."""
        self.rollouts += rollouts
