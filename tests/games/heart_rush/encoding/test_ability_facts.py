"""Facts of abilities: what the data and the rules say about them, in a table for networks."""

import numpy as np
import pytest

from heartrush_env.games.heart_rush.abilities.all import CODES, NUMBERS, PLAYED
from heartrush_env.games.heart_rush.encoding.ability_facts import ability_fact_names, ability_facts


def told(name: str, *, destiny: bool = False) -> dict[str, float]:
    """Return the facts of an ability that are not 0."""
    row = ability_facts()[int(destiny), CODES[NUMBERS[name]]]
    return {fact: float(row[k]) for k, fact in enumerate(ability_fact_names()) if row[k]}


def test_facts_are_those_of_the_data() -> None:
    """Exert adds two d6, seven on average, and as destiny four, which are the most dice of any ability."""
    exert, destined = told("exert"), told("exert", destiny=True)
    assert exert["attack_dice"] == pytest.approx(0.5) and destined["attack_dice"] == 1
    assert destined["heart_steps"] == 2 * exert["heart_steps"]
    assert {"frequency passive", "on action", "on phase", "answers attack", "answers rolled"} <= exert.keys()
    assert "aims at enemy" not in exert and "costs the action" not in exert
    assert {"aims at enemy", "costs the action", "save agility"} <= told("young_dragon.breath").keys()


def test_versions_differ_in_what_the_destiny_version_changes() -> None:
    assert "frequency minor" in told("brutal_criticals") and "frequency passive" in told(
        "brutal_criticals", destiny=True
    )
    assert told("fury") != told("fury", destiny=True)


def test_facts_are_finite_and_no_more_than_one_and_none_are_of_codes_that_nobody_plays() -> None:
    facts = ability_facts()
    assert np.isfinite(facts).all() and (np.abs(facts).max(axis=(0, 1)) <= 1).all()
    assert sorted(np.flatnonzero(facts.any(axis=(0, 2)))) == sorted(CODES[number] for number in range(len(PLAYED)))
