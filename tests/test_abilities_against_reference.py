"""The engine against the reference reading where fighters own abilities: the same fights, dice and choices.

As in test_against_reference.py, with random loadouts of the abilities that both know.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from heartrush_env.heart_rush.abilities.all import NUMBERS
from heartrush_env.heart_rush.scenario.abilities import abilities, key_of
from tests.reference.abilities import READ
from tests.reference.scenarios import random_scenario
from tests.test_against_reference import play_scenario

SHORT, LONG, CHUNK = 48, 4000, 8  # fights
UNREAD: tuple[str, ...] = (
    "hydra.many_heads",
    "hydra.regrowth",
)
"""Abilities without a second reading, some not played yet: what is played and not listed here has one."""

KNOWN = sorted(set(NUMBERS) & set(READ))


def scenario_with_abilities(rng: random.Random) -> dict[str, Any]:
    """A random scenario whose fighters own some of the abilities that both readings know."""
    scenario = random_scenario(rng)
    for fighter in scenario["fighter"]:
        for name in rng.sample(KNOWN, rng.randint(0, min(8, len(KNOWN)))):
            key = key_of(abilities()[name])
            key = rng.choice((key, "destiny_talents")) if key == "talents" else key
            fighter.setdefault(key, []).append(name)
            for die, sides in abilities()[name].requires.get("dice", {}).items():
                fighter[die] = max(fighter[die], sides)
    return scenario


def test_every_ability_has_a_second_reading_or_is_listed_as_unread() -> None:
    assert sorted(set(NUMBERS) - set(READ) - set(UNREAD)) == []


def test_what_is_listed_as_unread_has_no_second_reading() -> None:
    assert [name for name in UNREAD if name in READ or name not in abilities()] == []


def play(seeds: range) -> None:
    """A random fight for each seed."""
    for seed in seeds:
        rng = random.Random(seed)
        play_scenario(scenario_with_abilities(rng), rng, f"seed {seed}", narrates=False)


@pytest.mark.parametrize("first", range(0, SHORT, CHUNK))
def test_engine_and_reference_play_abilities_alike(first: int) -> None:
    play(range(first, first + CHUNK))


@pytest.mark.long
@pytest.mark.parametrize("first", range(SHORT, LONG, 10 * CHUNK))
def test_engine_and_reference_play_many_abilities_alike(first: int) -> None:
    play(range(first, min(LONG, first + 10 * CHUNK)))
