"""Fights on maps: the engine against the reference, with the same dice and choices, window by window."""

import os
import random
import tomllib
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.scenario import catalog
from heartrush_env.games.heart_rush.scenario.random_scenarios import random_scenario as generated_scenario
from tests.fights.both import MOST_AT_ONCE, Both, Chooser, differences, normal_on_map
from tests.reference.classic import fight_of
from tests.reference.default import default_action
from tests.reference.map_scenarios import (
    brawl_scenario,
    crush_scenario,
    hall_scenario,
    scuffle_scenario,
    tight_scenario,
)
from tests.reference.scenarios import with_later_settings

FIGHTS = int(os.environ.get("HEARTRUSH_REFERENCE_FIGHTS", "30"))
LARGE = [pytest.param(name, marks=pytest.mark.long) for name in ("ambush", "dragon", "warband")]
SHIPPED = ("skirmish", "bridge", "tower", *LARGE)
MOST_STEPS = 150
SELDOM = ("climb_on", "shove")


def shipped(name: str) -> dict[str, Any]:
    return tomllib.loads(catalog.scenarios()[name].read_text(encoding="utf-8"))


def choose(rng: random.Random, options: list[str]) -> str:
    """Choose a kind of choice at random, then one of that kind; prefer stances that meet."""
    if "stance might" in options and rng.random() < 0.6:
        return rng.choice(("stance might", "stance cunning"))
    if "dash" in " ".join(options) and rng.random() < 0.4:
        return "pass"
    seldom = [name for name in options if name.split()[0] in SELDOM]
    if seldom and rng.random() < 0.3:
        return rng.choice(seldom)
    attacks = [name for name in options if name.startswith("attack")]
    if attacks and rng.random() < 0.4:
        return rng.choice(attacks)
    kinds: dict[str, list[str]] = {}
    for name in options:
        kinds.setdefault(name.split()[0], []).append(name)
    return rng.choice(kinds[rng.choice(sorted(kinds))])


def scuffle(rng: random.Random, options: list[str]) -> str:
    """Prefer engaging, entering, tripping, rising, following and sidestepping to other choices."""
    if "stance agility" in options and rng.random() < 0.7:
        return rng.choice(("stance agility", "stance agility", "stance might"))
    for wanted in ("engage", "enter", "trip", "follow", "rise", "swing_past", "sidestep", "attack", "dash"):
        found = [name for name in options if name.startswith(wanted) and not name.endswith("rush")]
        if found and rng.random() < 0.5:
            return rng.choice(found)
    return choose(rng, options)


def play_both(
    scenario: dict[str, Any], seed: int, most_steps: int = MOST_STEPS, chooser: Chooser = choose, narrates: bool = True
) -> Counter[str]:
    """Play a random fight; return how often each window, choice and kind of event was seen."""
    label = f"{scenario.get('name', 'scenario')}, seed {seed}"
    return Both(with_later_settings(scenario), random.Random(seed), label, chooser, narrates=narrates).play(most_steps)


@pytest.mark.parametrize("name", SHIPPED)
def test_the_shipped_maps(name: str) -> None:
    for seed in range(max(1, FIGHTS // 400)):
        play_both(shipped(name), seed, most_steps=40)


@pytest.mark.parametrize("chunk", range(2))
def test_generated_maps(chunk: int) -> None:
    for seed in range(chunk, max(1, FIGHTS // 50), 2):
        play_both(generated_scenario(seed), seed, most_steps=40)


CROWDED = [(tight_scenario, FIGHTS // 10, 6), (brawl_scenario, FIGHTS // 10, 4), (crush_scenario, FIGHTS // 20, 2)]
CHUNKS = [(make, range(chunk, fights, chunks)) for make, fights, chunks in CROWDED for chunk in range(chunks)]


@pytest.mark.parametrize(("make", "seeds"), CHUNKS, ids=[f"{make.__name__}-{seeds.start}" for make, seeds in CHUNKS])
def test_tight_maps_brawls_and_crushes(make: Callable[[random.Random], dict[str, Any]], seeds: range) -> None:
    for seed in seeds:
        play_both(make(random.Random(seed)), seed)


def test_scuffles() -> None:
    """Fighters are tripped in all kinds of steps, and rise in the agility stance."""
    seen: Counter[str] = Counter()
    for seed in range(max(2, FIGHTS // 20)):
        seen += play_both(scuffle_scenario(random.Random(seed)), seed, 80, scuffle)
    wanted = ("step window", "chosen sidestep", "chosen trip", "chosen rise")
    assert [what for what in wanted if not seen[what]] == []


def test_far_dashes() -> None:
    """Fast fighters in long halls go on beyond the squares that one choice names."""
    gone_on = 0

    def run(rng: random.Random, options: list[str]) -> str:
        nonlocal gone_on
        dashes = [name for name in options if name.startswith("dash")]
        if dashes and "walk" not in options and rng.random() < 0.8:
            gone_on += 1
            return rng.choice(dashes)
        edge = [name for name in dashes if "12" in name]
        return rng.choice(edge) if edge and rng.random() < 0.8 else choose(rng, options)

    for seed in range(max(3, FIGHTS // 16)):
        play_both(hall_scenario(random.Random(seed)), seed, 30, run, narrates=False)
        play_the_default(hall_scenario(random.Random(seed)), seed)
    assert gone_on > 3


@pytest.mark.long
@pytest.mark.parametrize("make", [tight_scenario, brawl_scenario, crush_scenario])
def test_more_fights(make: Callable[[random.Random], dict[str, Any]]) -> None:
    for seed in range(1000, 1000 + 4 * FIGHTS):
        play_both(make(random.Random(seed)), seed)


def play_the_default(scenario: dict[str, Any], seed: int) -> None:
    """Play a fight that asks only for stances, the rest by default, as far as the given dice last."""
    dice: list[int] = []
    rng = random.Random(seed)

    def roll(sides: int) -> int:
        dice.append(rng.randint(1, sides))
        return dice[-1]

    reference = fight_of(scenario, roll)
    game = HeartRush(scenario, decisions="stance")
    names = list(game.action_names)
    stances: list[dict[str, str]] = []
    states: list[dict[str, Any]] = []

    def on_to_the_stances() -> None:
        while reference.window not in ("stance", "over"):
            reference.step({agent: default_action(reference, agent) for agent in reference.choices()})

    on_to_the_stances()
    states.append(normal_on_map(reference.state()))
    while reference.window != "over" and len(stances) < 12:
        chosen = {agent: rng.choice(options) for agent, options in reference.choices().items()}
        reference.step(chosen)
        on_to_the_stances()
        if len(dice) > MOST_AT_ONCE:
            break
        stances.append(chosen)
        states.append(normal_on_map(reference.state()))
    fights = game.batch(1, record=True)
    fights.start([0], 1, [0], dice[:MOST_AT_ONCE])
    for number, expected in enumerate(states):
        own = normal_on_map(fights.describe(0))
        assert own == expected, f"{scenario['name']}, seed {seed}, stances {number}: {differences(own, expected)}"
        if number < len(stances):
            chosen = stances[number]
            fights.step(np.array([[names.index(chosen[agent]) for agent in game.agents]], np.int64))


def test_the_default_on_maps() -> None:
    for seed in range(max(1, FIGHTS // 40)):
        play_the_default(generated_scenario(seed), seed)
        play_the_default(tight_scenario(random.Random(seed)), seed)
        play_the_default(brawl_scenario(random.Random(seed)), seed)
