"""The classic round: the engine against the reference, window by window."""

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from tests.fights.test_maps_against_reference import FIGHTS, choose, play_both, play_the_default, scuffle, shipped
from tests.reference.map_scenarios import brawl_scenario, crush_scenario, scuffle_scenario, tight_scenario
from tests.reference.scenarios import random_scenario, with_spares

MAKE: dict[str, Callable[[random.Random], dict[str, Any]]] = {
    "random": lambda rng: with_spares(rng, random_scenario(rng)),
    "tight": tight_scenario,
    "brawl": brawl_scenario,
    "crush": crush_scenario,
    "scuffle": scuffle_scenario,
}
MOST_STEPS = 60
LARGE = pytest.param("warband", marks=pytest.mark.long)
SHIPPED = ("duel", "melee", "brawl", "free_for_all", "giant", "skirmish", "bridge", "tower", LARGE)


def classic(scenario: dict[str, Any]) -> dict[str, Any]:
    """Return the scenario with the classic edition."""
    return {**scenario, "rules": {**scenario.get("rules", {}), "edition": "classic"}}


def play(name: str, seeds: range) -> Counter[str]:
    """Play fights in engine and reference; return how often each window, choice and kind of event was seen."""
    seen: Counter[str] = Counter()
    chooser = scuffle if name == "scuffle" else choose
    for seed in seeds:
        seen += play_both(classic(MAKE[name](random.Random(seed))), seed, MOST_STEPS, chooser)
    return seen


@pytest.mark.parametrize("name", SHIPPED)
def test_the_shipped_scenarios(name: str) -> None:
    for seed in range(max(1, FIGHTS // 400)):
        play_both(classic(shipped(name)), seed, MOST_STEPS)


def test_fights_without_a_map() -> None:
    seen = play("random", range(max(12, FIGHTS // 4)))
    wanted = ("enter window", "talk window", "stance window", "opportunity window")
    assert [window for window in wanted if not seen[window]] == []


@pytest.mark.parametrize("name", ["tight", "brawl", "crush"])
def test_fights_on_maps(name: str) -> None:
    assert play(name, range(max(2, FIGHTS // 20)))["enter window"]


def test_scuffles() -> None:
    seen = play("scuffle", range(FIGHTS // 20))
    wanted = ("step window", "chosen sidestep", "chosen trip", "damage suffocating")
    assert [what for what in wanted if not seen[what]] == []


@pytest.mark.long
@pytest.mark.parametrize("name", MAKE)
def test_more_fights(name: str) -> None:
    seen = play(name, range(1000, 1000 + 4 * FIGHTS))
    assert seen["enter window"] and seen["follow_up window" if name == "random" else "step window"]


@pytest.mark.parametrize("name", MAKE)
def test_where_only_stances_are_asked_for(name: str) -> None:
    for seed in range(max(2, FIGHTS // 40)):
        play_the_default(classic(MAKE[name](random.Random(seed))), seed)
