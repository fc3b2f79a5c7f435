"""Random fights of random loadouts: every fight ends by a named ending, and no step leaves a fault."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from heartrush_env.core.kernels import PLAIN
from heartrush_env.heart_rush.abilities.all import PLAYED
from heartrush_env.heart_rush.engine.state import ENDINGS
from heartrush_env.heart_rush.game import HeartRush
from heartrush_env.heart_rush.scenario.abilities import key_of
from tests.random_play import legal_actions
from tests.reference.map_scenarios import brawl_scenario
from tests.reference.scenarios import random_scenario

MOST_OWNED = 6
SLOTS = 50  # fights that a batch plays side by side
STEPS_BETWEEN_CHECKS = 7
MOST_STEPS = 6_000


def with_loadouts(scenario: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """The scenario with random abilities for its fighters, at least one of them with some."""
    on_map = "battlefield" in scenario
    names = [ability for ability in PLAYED if on_map or ability.needs is None]
    scenario["max_rounds"] = min(12, scenario.get("max_rounds", 12))
    for place, fighter in enumerate(scenario["fighter"]):
        for ability in rng.sample(names, rng.randint(1 if place == 0 else 0, min(MOST_OWNED, len(names)))):
            key = key_of(ability.entry)
            if key == "talents" and rng.random() < 0.5:
                key = "destiny_talents"
            fighter.setdefault(key, []).append(ability.name)
    return scenario


def loaded_scenario(seed: int, *, on_map: bool) -> dict[str, Any]:
    """A random scenario with loadouts, with a map or without one."""
    rng = random.Random(seed)
    return with_loadouts(brawl_scenario(rng) if on_map else random_scenario(rng), rng)


def play_out(scenario: dict[str, Any], seed: int, fights: int) -> tuple[Counter[str], Counter[str]]:
    """Play this many fights of random legal actions to their ends; returns their endings and the abilities used."""
    game = HeartRush(scenario)
    slots = min(SLOTS, fights)
    batch, rng = game.batch(slots), np.random.default_rng(seed)
    batch.start(range(slots), seed, range(slots))
    endings: Counter[str] = Counter()
    used: Counter[str] = Counter()
    for step in range(MOST_STEPS):
        batch.step(legal_actions(batch, rng))
        if step % STEPS_BETWEEN_CHECKS == 0:
            slot = int(rng.integers(slots))
            assert batch.faults(slot) == [], (scenario, seed, step)
        for slot in np.flatnonzero(batch.ended):
            match = batch._matches[slot]
            endings[ENDINGS[match.ending]] += 1
            for fighter in match.fighters[: int(match.n)]:
                for k in np.flatnonzero(fighter.uses):
                    used[PLAYED[fighter.loadout[k]].name] += int(fighter.uses[k])
            if endings.total() >= fights:
                return endings, used
            batch.start([slot], seed, [slots + endings.total()])
    raise AssertionError(
        f"{endings.total()} of {fights} fights have ended after {MOST_STEPS} steps: {scenario}, {seed}"
    )


def searched(scenarios: int, fights: int, *, on_map: bool) -> tuple[Counter[str], Counter[str]]:
    """The endings and the uses over this many random scenarios with this many fights each."""
    endings: Counter[str] = Counter()
    used: Counter[str] = Counter()
    for seed in range(scenarios):
        more = play_out(loaded_scenario(seed, on_map=on_map), seed, fights)
        endings, used = endings + more[0], used + more[1]
    assert endings[""] == 0
    return endings, used


def test_fights_of_random_loadouts_end() -> None:
    endings, used = searched(*((1, 2) if PLAIN else (10, 10)), on_map=False)
    assert endings.total() >= 2
    assert PLAIN or used


@pytest.mark.long
def test_many_fights_of_random_loadouts_end() -> None:
    endings, used = searched(500, 100, on_map=False)
    unused = {ability.name for ability in PLAYED if "do" in ability.functions and ability.needs is None} - used.keys()
    print(dict(endings), dict(used), "unused:", sorted(unused))
    assert endings.total() >= 50_000


@pytest.mark.long
def test_many_fights_of_random_loadouts_on_maps_end() -> None:
    endings, used = searched(100, 50, on_map=True)
    print(dict(endings), dict(used))
    assert endings.total() >= 5_000
