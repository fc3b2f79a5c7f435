"""The game as its registry opens it: hidden hands, with points for each hand by its number."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from tests import toy_game
from tests.toy_game import ToyBatch, ToyGame, scenario_names

from .kernel import pay

__all__ = ["StonesGame", "open_table", "scenario_names"]


def open_table(table: Mapping[str, Any], where: str) -> StonesGame:
    """Return the game that a table describes."""
    return StonesGame(**asdict(toy_game.open_table({**table, "game": "hidden_hands"}, where)) | {"name": "stones"})


@dataclass(frozen=True)
class StonesGame(ToyGame):
    """Hidden hands in which hands earn points."""

    name: str = "stones"

    def batch(self, num_fights: int = 1, *, record: bool = False, observations: str = "vector") -> StonesBatch:
        return StonesBatch(self, num_fights, record)


class StonesBatch(ToyBatch):
    """Parallel fights of the game."""

    def step(self, actions: Any, *, autoreset: bool = False, lo: int = 0, hi: int | None = None) -> None:
        super().step(actions, autoreset=autoreset, lo=lo, hi=hi)
        pay(np.ascontiguousarray(actions, np.int64), self.rewards)
