"""Luck: dice compared with their averages."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass
class Luck:
    """The dice of one side, added up."""

    count: int = 0
    total: int = 0
    mean: float = 0.0
    variance: float = 0.0

    def add(self, sides: int, face: int) -> None:
        """Add one die."""
        self.count += 1
        self.total += face
        self.mean += (sides + 1) / 2
        self.variance += (sides**2 - 1) / 12

    def words(self) -> str:
        """Describe the luck in one sentence."""
        if not self.count:
            return "no dice"
        gap = self.total - self.mean
        deviations = gap / math.sqrt(self.variance)
        kind = "as expected" if abs(deviations) < 0.5 else "lucky" if gap > 0 else "unlucky"
        kind = f"very {kind}" if abs(deviations) >= 2 else kind
        return (
            f"{self.count} dice, {self.total} pips against a mean of {self.mean:g}: "
            f"{gap:+g}, {deviations:+.1f} standard deviations, {kind}"
        )
