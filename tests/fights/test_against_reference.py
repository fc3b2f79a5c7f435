"""The engine against the reference reading: the same fights, the same dice, the same choices, after every window.

The reference plays a random fight with random dice and writes down every die; the engine is handed these dice and must
offer the same choices and come to the same state after each step, and must have used exactly as many dice.
"""

from __future__ import annotations

import os
import random
from typing import Any

import numpy as np
import pytest

from heartrush_env.games.heart_rush.fights import Fights
from heartrush_env.games.heart_rush.game import HeartRush
from tests.narrated import NarratedFight
from tests.reference.fight import Fight
from tests.reference.scenarios import random_scenario, with_later_settings, with_spares

FIGHTS = int(os.environ.get("HEARTRUSH_REFERENCE_FIGHTS", "120"))
CHUNKS = 8
LINKS = ("grappling", "climbing")
BEFORE = {"opportunity_first": False, "options_on_rolls": True, "windows_per_round": 8}
MOST_DICE = 500  # the engine takes 512 given dice at a time


def normal(state: dict[str, Any], window: str) -> dict[str, Any]:
    """The state as both tell it, less what each may show otherwise: links while somebody may still yield (R-52)."""
    fighters = {}
    for agent, fighter in state["fighters"].items():
        kept = {key: value for key, value in fighter.items() if key in COMPARED}
        conditions = {name: levels for name, levels in fighter["conditions"].items() if name != "surprised"}
        if window == "yield":
            for name in (*LINKS, "conditions"):
                kept.pop(name, None)
        else:
            kept["conditions"] = conditions
        if window not in ("shrug", "yield"):
            kept["hits"] = []
        if window == "instant":  # attacks that are being answered have cost the action already, or will
            kept.pop("action", None)
        fighters[agent] = kept
    moment = {key: state[key] for key in ("round", "window", "phase", "cause", "winners")}
    turns = state.get("turns") if window != "over" else None
    return {**moment, "turns": turns, "fighters": fighters}


COMPARED = (
    "hp", "heart", "status", "wounds", "conditions", "sources", "stance", "action", "interaction", "dash", "armed",
    "rush", "helped", "shrugs", "grappling", "climbing", "hits",
)  # fmt: skip


def play_both(seed: int) -> dict[str, int]:
    """One random fight through both; returns how often each window was seen."""
    rng = random.Random(seed)
    return play_scenario(with_spares(rng, random_scenario(rng)), rng, f"seed {seed}")


def play_scenario(
    scenario: dict[str, Any], rng: random.Random, where: str, narrates: bool = True, later: bool = True
) -> dict[str, int]:
    """Play a fight with random choices and dice through both; return how often each window was seen.

    `later` draws the later settings; otherwise they are as fights were played before there were any.
    """
    scenario = (
        with_later_settings(scenario) if later else {**scenario, "rules": {**BEFORE, **scenario.get("rules", {})}}
    )
    dice: list[int] = []

    def roll(sides: int) -> int:
        dice.append(rng.randint(1, sides))
        return dice[-1]

    reference = Fight(scenario, roll)
    steps: list[tuple[dict[str, str], dict[str, Any], dict[str, list[str]], int]] = []
    states = [(reference.state(), reference.choices())]
    while reference.window != "over" and len(dice) < MOST_DICE - 200:
        choices = reference.choices()
        chosen = {agent: rng.choice(options) for agent, options in choices.items()}
        reference.step(chosen)
        steps.append((chosen, reference.state(), reference.choices(), len(dice)))
    game = HeartRush(scenario)
    fights = game.batch(1, record=True)
    fights.start([0], 1, [0], dice[:MOST_DICE])
    names = list(game.action_names)
    compare(where, -1, game, fights, *states[0])
    narrated = NarratedFight(game.scenario)
    if narrates:
        narrated.check(fights.events(0), where)
    windows: dict[str, int] = {}
    for k, (chosen, state, choices, _) in enumerate(steps):
        actions = [[names.index(chosen[agent]) for agent in game.agents]]
        fights.step(np.array(actions, np.int64))
        windows[state["window"]] = windows.get(state["window"], 0) + 1
        compare(where, k, game, fights, state, choices)
        if narrates:
            narrated.check(fights.events(0), f"{where}, step {k}")
    assert int(fights._fights[0].given_used) == len(dice), f"{where}: dice used"
    assert fights.faults(0) == [], where
    return windows


def compare(
    where: str, step: int, game: HeartRush, fights: Fights, state: dict[str, Any], choices: dict[str, list[str]]
) -> None:
    """The engine's state and choices are the reference's."""
    own = normal(fights.describe(0), state["window"])
    expected = normal(state, state["window"])
    assert own == expected, f"{where}, after step {step}"
    for seat, agent in enumerate(game.agents):
        legal = {game.action_names[action] for action in fights.legal(0, seat)}
        assert legal == set(choices[agent]), f"{where}, after step {step}: {agent}"


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_engine_and_reference_play_alike(chunk: int) -> None:
    for seed in range(chunk * FIGHTS // CHUNKS, (chunk + 1) * FIGHTS // CHUNKS):
        play_both(seed)
