"""The engine against the reference: the same fights, dice and choices, compared after every window."""

import os
import random
from typing import Any

import pytest

from tests.fights.both import Both
from tests.reference.scenarios import random_scenario, with_later_settings, with_spares

FIGHTS = int(os.environ.get("HEARTRUSH_REFERENCE_FIGHTS", "48"))
CHUNKS = 8
BEFORE = {"opportunity_first": False, "options_on_rolls": True, "windows_per_round": 8}
MOST_STEPS = 300


def play_both(seed: int) -> None:
    """Play one random fight in the engine and in the reference."""
    rng = random.Random(seed)
    play_scenario(with_spares(rng, random_scenario(rng)), rng, f"seed {seed}")


def play_scenario(
    scenario: dict[str, Any], rng: random.Random, label: str, narrates: bool = True, later: bool = True
) -> None:
    """Play a fight with random choices and dice in the engine and in the reference.

    `later` draws some of the later settings; otherwise all of them are as in earlier versions.
    """
    before = {**scenario, "rules": {**BEFORE, **scenario.get("rules", {})}}
    made = with_later_settings(scenario) if later else before
    Both(made, rng, label, random.Random.choice, narrates=narrates).play(MOST_STEPS)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_engine_and_reference_play_alike(chunk: int) -> None:
    for seed in range(chunk * FIGHTS // CHUNKS, (chunk + 1) * FIGHTS // CHUNKS):
        play_both(seed)
