"""Compact observations: bytes that carry the same facts as the vector, in every kind of fight and at every door."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from heartrush_env.core.kernels import noting
from heartrush_env.heart_rush.game import HeartRush
from tests.map_scenarios import random_map_scenario
from tests.random_play import legal_actions
from tests.reference.scenarios import random_scenario

HALF_A_STEP = 0.5 / 127 + 1e-6
ROUNDED = ("windows_left", "hp_share", "count might", "count agility", "count cunning", "count defensive")
GIANT = {"id": "giant", "team": "red", "might": 12, "agility": 4, "cunning": 4, "presence": 8, "heart": 12,
         "hp": 900, "wound_threshold": 300, "weapon": "greatclub", "heroes": False}  # fmt: skip


@pytest.fixture
def plainly() -> Iterator[None]:
    """Kernels run as plain Python: they take long to compile, and here each kind of them plays a few windows."""
    with noting():
        yield


def game_of(case: str, seed: int) -> HeartRush:
    """A random game of a kind."""
    rng = random.Random(seed)
    free = random_scenario(rng)
    free.setdefault("rules", {})["talk"] = ("team", "open")[seed % 2]
    made = {
        "free": lambda: HeartRush(free),
        "by teams": lambda: HeartRush(free, control="team", memory=3),
        "without memory": lambda: HeartRush(free, memory=0),
        "on a map": lambda: HeartRush(random_map_scenario(rng), memory=(None, 0, 3)[seed % 3]),
        "in turns": lambda: HeartRush("skirmish", {"edition": "classic"}),
        "doors and a large body": lambda: HeartRush("tower", control="team"),
    }
    return made[case]()


def differing(game: HeartRush, rows: Any, vectors: Any) -> list[str]:
    """The features that bytes show otherwise than the vector; those that are rounded may be half a step apart."""
    apart = np.abs(game.compact.vector(rows) - vectors).max(axis=(0, 1))
    return [
        name
        for name, by in zip(game.feature_names, apart.tolist(), strict=True)
        if by > (HALF_A_STEP if name.endswith(ROUNDED) else 0)
    ]


# -- what the bytes show -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", (1, pytest.param(2, marks=pytest.mark.long), pytest.param(3, marks=pytest.mark.long)))
@pytest.mark.parametrize(
    "case", ["free", "by teams", "without memory", "on a map", "in turns", "doors and a large body"]
)
def test_bytes_show_what_the_vector_shows(plainly: None, case: str, seed: int) -> None:
    """In fights that follow one another in their slots, and when all is written at once."""
    game = game_of(case, seed)
    low, high = game.compact.low, game.compact.high
    vector, compact = game.batch(2), game.batch(2, observations="compact")
    rng = np.random.default_rng(seed)
    for fights in (vector, compact):
        fights.start([0, 1], seed, [0, 1])
    for _ in range(12):
        assert compact.observations.dtype == np.int8
        assert (compact.observations >= low).all() and (compact.observations <= high).all()
        assert not differing(game, compact.observations, vector.observations)
        assert not differing(game, compact.final_observations, vector.final_observations) or not vector.terminated.any()
        assert np.array_equal(compact.masks, vector.masks) and np.array_equal(compact.out, vector.out)
        assert np.array_equal(compact.state(0), vector.state(0)) and compact.state(0).dtype == np.float32
        shown = compact.observations.copy()
        compact.show(np.array([0, 1]))
        assert np.array_equal(shown, compact.observations), "what stands in the rows is what a whole writing shows"
        actions = legal_actions(vector, rng)
        vector.step(actions, autoreset=True)
        compact.step(actions, autoreset=True)
