"""Fights on maps: the engine against the reference reading, with the same dice and the same choices, window by window.

The reference plays a random fight and writes down every die; the engine is handed the dice of each step before it takes
the step, must offer the same choices and come to the same state, and must have used exactly these dice.
"""

from __future__ import annotations

import os
import random
import tomllib
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from heartrush_env.games.heart_rush.fights import Fights
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.scenario import catalog
from heartrush_env.games.heart_rush.scenario.random_scenarios import random_scenario as generated_scenario
from tests.fights.test_against_reference import normal
from tests.narrated import NarratedFight
from tests.reference.classic import fight_of
from tests.reference.default import default_action
from tests.reference.map_scenarios import brawl_scenario, crush_scenario, scuffle_scenario, tight_scenario
from tests.reference.scenarios import with_later_settings

FIGHTS = int(os.environ.get("HEARTRUSH_REFERENCE_FIGHTS", "100"))
LARGE = [pytest.param(name, marks=pytest.mark.long) for name in ("ambush", "dragon", "warband")]
SHIPPED = ("skirmish", "bridge", "tower", *LARGE)
MOST_STEPS = 150
ON_MAPS = ("at", "side", "weapon")
SELDOM = ("climb_on", "shove")
MOST_AT_ONCE = 512  # dice that the engine takes


def shipped(name: str) -> dict[str, Any]:
    return tomllib.loads(catalog.scenarios()[name].read_text(encoding="utf-8"))


def normal_on_map(state: dict[str, Any]) -> dict[str, Any]:
    """The same with all that a map adds, where there is one."""
    kept = normal(state, state["window"])
    if "battlefield" not in state:
        return kept
    for agent, fighter in state["fighters"].items():
        kept["fighters"][agent].update({key: fighter[key] for key in ON_MAPS})
    kept["map"] = list(state["battlefield"]["map"])
    return kept


def choose(rng: random.Random, options: list[str]) -> str:
    """One of the kinds of choices that there are, then one of that kind; stances that meet rather often."""
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
    """Start, enter, trip, rise, follow and step aside rather than anything else."""
    if "stance agility" in options and rng.random() < 0.7:
        return rng.choice(("stance agility", "stance agility", "stance might"))
    for wanted in ("engage", "enter", "trip", "follow", "rise", "swing_past", "sidestep", "attack", "dash"):
        found = [name for name in options if name.startswith(wanted) and not name.endswith("rush")]
        if found and rng.random() < 0.5:
            return rng.choice(found)
    return choose(rng, options)


Chooser = Callable[[random.Random, list[str]], str]


class Both:
    """A fight in both readings."""

    def __init__(self, scenario: dict[str, Any], seed: int, chooser: Chooser = choose, narrates: bool = True) -> None:
        self.chooser, self.narrates = chooser, narrates
        self.rng = random.Random(seed)
        self.dice: list[int] = []
        self.label = f"{scenario.get('name', 'scenario')}, seed {seed}"
        self.reference = fight_of(scenario, self.roll)
        self.game = HeartRush(scenario)
        self.names = list(self.game.action_names)
        self.numbers = {name: number for number, name in enumerate(self.names)}
        self.fights: Fights = self.game.batch(1, record=True)
        self.fights.start([0], 1, [0], self.dice or [1])
        self.seen: Counter[str] = Counter()
        self.steps = 0
        self.compare("the start")
        self.narrated = NarratedFight(self.game.scenario)
        self.check_story()

    def roll(self, sides: int) -> int:
        self.dice.append(self.rng.randint(1, sides))
        return self.dice[-1]

    def hand_over(self) -> None:
        """The dice of this step are the next that the engine rolls."""
        match = self.fights._fights[0]
        assert len(self.dice) <= MOST_AT_ONCE
        match.given[: len(self.dice)] = self.dice
        match.given_used, match.given_count = 0, len(self.dice)

    def step(self) -> None:
        chosen = {agent: self.chooser(self.rng, options) for agent, options in self.reference.choices().items()}
        window = self.reference.window
        self.seen[f"{window} window"] += 1
        self.seen.update(f"chosen {name.split()[0]}" for name in chosen.values() if window != "action")
        self.dice = []
        self.reference.step(chosen)
        self.hand_over()
        draws = int(self.fights._fights[0].draw)
        self.fights.step(np.array([[self.numbers[chosen[agent]] for agent in self.game.agents]], np.int64))
        self.steps += 1
        told = {agent: name for agent, name in chosen.items() if name != "pass"}
        self.compare(f"step {self.steps}, {window} {told}")
        self.check_story()
        for event in self.fights.events(0):
            self.seen[" ".join(str(event[key]) for key in ("type", "how", "maneuver", "cause") if key in event)] += 1
        match = self.fights._fights[0]
        more = int(match.draw) - draws
        assert (int(match.given_used), more) == (len(self.dice), 0), f"{self.where}: dice used"
        assert self.fights.faults(0) == [], self.where

    def check_story(self) -> None:
        if self.narrates:  # the check knows no bonuses by abilities
            self.narrated.check(self.fights.events(0), self.where)

    def compare(self, where: str) -> None:
        self.where = f"{self.label}, {where}"
        state = self.reference.state()
        expected, own = normal_on_map(state), normal_on_map(self.fights.describe(0))
        assert own == expected, f"{self.where}: {differences(own, expected)}"
        choices = self.reference.choices()
        for seat, agent in enumerate(self.game.agents):
            legal = {self.names[action] for action in self.fights.legal(0, seat)}
            more, less = sorted(legal - set(choices[agent])), sorted(set(choices[agent]) - legal)
            assert not more and not less, f"{self.where}: {agent} only engine {more}, only reference {less}"


def differences(own: Any, expected: Any, path: str = "") -> list[str]:
    """Where two states differ: engine, then reference."""
    if isinstance(own, dict) and isinstance(expected, dict):
        return [
            line
            for key in sorted(set(own) | set(expected))
            for line in differences(own.get(key), expected.get(key), f"{path} {key}")
        ]
    return [] if own == expected else [f"{path}: engine {own}, reference {expected}"]


def play_both(
    scenario: dict[str, Any], seed: int, most_steps: int = MOST_STEPS, chooser: Chooser = choose, narrates: bool = True
) -> Counter[str]:
    """One random fight, as far as it goes; returns how often each window, choice and kind of event was seen."""
    both = Both(with_later_settings(scenario), seed, chooser, narrates)
    while both.reference.window != "over" and both.steps < most_steps:
        both.step()
    return both.seen


@pytest.mark.parametrize("name", SHIPPED)
def test_the_shipped_maps(name: str) -> None:
    for seed in range(max(1, FIGHTS // 400)):
        play_both(shipped(name), seed, most_steps=40)


@pytest.mark.parametrize("chunk", range(2))
def test_generated_maps(chunk: int) -> None:
    for seed in range(chunk, FIGHTS // 50, 2):
        play_both(generated_scenario(seed), seed, most_steps=40)


@pytest.mark.parametrize("chunk", range(6))
def test_tight_maps(chunk: int) -> None:
    for seed in range(chunk, FIGHTS // 10, 6):
        play_both(tight_scenario(random.Random(seed)), seed)


@pytest.mark.parametrize("chunk", range(4))
def test_brawls(chunk: int) -> None:
    for seed in range(chunk, FIGHTS // 10, 4):
        play_both(brawl_scenario(random.Random(seed)), seed)


@pytest.mark.parametrize("chunk", range(2))
def test_crushes(chunk: int) -> None:
    for seed in range(chunk, FIGHTS // 20, 2):
        play_both(crush_scenario(random.Random(seed)), seed)


def test_scuffles() -> None:
    """Fighters that are tripped at all kinds of steps, and rise by their agility."""
    seen: Counter[str] = Counter()
    for seed in range(max(2, FIGHTS // 20)):
        seen += play_both(scuffle_scenario(random.Random(seed)), seed, 80, scuffle)
    wanted = ("step window", "chosen sidestep", "chosen trip", "chosen rise")
    assert [what for what in wanted if not seen[what]] == []


@pytest.mark.long
@pytest.mark.parametrize("make", [tight_scenario, brawl_scenario, crush_scenario])
def test_more_fights(make: Callable[[random.Random], dict[str, Any]]) -> None:
    for seed in range(1000, 1000 + 2 * FIGHTS):
        play_both(make(random.Random(seed)), seed)


def play_the_default(scenario: dict[str, Any], seed: int) -> None:
    """A fight that is asked for stances alone, the rest by default, as far as the given dice go."""
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
