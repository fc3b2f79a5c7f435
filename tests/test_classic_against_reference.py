"""The classic round: the engine against the reference reading, window by window."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from tests.reference.map_scenarios import brawl_scenario, crush_scenario, tight_scenario
from tests.reference.scenarios import random_scenario
from tests.test_maps_against_reference import FIGHTS, play_both, play_the_default, shipped

MAKE: dict[str, Callable[[random.Random], dict[str, Any]]] = {
    "random": random_scenario,
    "tight": tight_scenario,
    "brawl": brawl_scenario,
    "crush": crush_scenario,
}
MOST_STEPS = 60
SHIPPED = ("duel", "melee", "brawl", "free_for_all", "giant", "skirmish", "bridge", "tower", "warband")


def classic(scenario: dict[str, Any]) -> dict[str, Any]:
    """The same fight by the classic round."""
    return {**scenario, "rules": {**scenario.get("rules", {}), "edition": "classic"}}


def play(name: str, seeds: range) -> Counter[str]:
    """Fights through both; how often each window and kind of event was seen."""
    seen: Counter[str] = Counter()
    for seed in seeds:
        seen += play_both(classic(MAKE[name](random.Random(seed))), seed, MOST_STEPS)
    return seen


@pytest.mark.parametrize("name", SHIPPED)
def test_the_shipped_scenarios(name: str) -> None:
    for seed in range(max(1, FIGHTS // 400)):
        play_both(classic(shipped(name)), seed, MOST_STEPS)


def test_fights_without_a_map() -> None:
    seen = play("random", range(FIGHTS // 8))
    wanted = ("enter window", "talk window", "stance window", "opportunity window")
    assert [window for window in wanted if not seen[window]] == []


@pytest.mark.parametrize("name", ["tight", "brawl", "crush"])
def test_fights_on_maps(name: str) -> None:
    assert play(name, range(FIGHTS // 40))["enter window"]


@pytest.mark.long
@pytest.mark.parametrize("name", MAKE)
def test_more_fights(name: str) -> None:
    seen = play(name, range(1000, 1000 + FIGHTS))
    wanted = ("enter window", "follow_up window" if name == "random" else "step window")
    assert [window for window in wanted if not seen[window]] == []


@pytest.mark.parametrize("name", MAKE)
def test_where_only_stances_are_asked_for(name: str) -> None:
    for seed in range(max(1, FIGHTS // 100)):
        play_the_default(classic(MAKE[name](random.Random(seed))), seed)
