"""Facts of abilities: what the data and the rules say about them, in a table for networks."""

import numpy as np
import pytest
from heartrush_agents.heart_rush.learned.entity_network import EntityNetwork
from heartrush_agents.heart_rush.learned.entity_view import EARLIER
from heartrush_agents.learned.agent import WEIGHTS, read_arrays, shipped

from heartrush_env.games.heart_rush.abilities.all import CODES, NUMBERS
from heartrush_env.games.heart_rush.encoding.ability_facts import OF_SLOT, _rows, ability_fact_names, ability_facts
from heartrush_env.games.heart_rush.encoding.loadouts import CODE_BITS


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


def test_facts_are_finite_and_small_and_none_are_of_codes_that_nobody_plays() -> None:
    facts = ability_facts()
    assert np.isfinite(facts).all() and np.abs(facts).max() <= 3  # some grew after their scale was fixed
    assert sorted(np.flatnonzero(facts.any(axis=(0, 2)))) == sorted(set(CODES))
    assert max(CODES) < 1 << CODE_BITS


def test_the_data_lists_every_fact_so_that_new_ones_are_added_at_its_end() -> None:
    known = {name for row in _rows().values() for name in row}
    assert known - {*ability_fact_names()} == set(), "add these to data/ability_facts.toml, at its end"
    assert {*ability_fact_names()} - known == set()


def test_weights_from_before_later_facts_still_fit() -> None:
    network = EntityNetwork.from_arrays(read_arrays((shipped()["marshal"] / WEIGHTS).read_bytes()))
    weight, _ = network.layers["ability"]
    assert len(weight) == len(OF_SLOT) + len(ability_fact_names())
    assert weight[: len(OF_SLOT) + EARLIER[0]].any(axis=1).sum() > 100 and not weight[len(OF_SLOT) + EARLIER[0] :].any()
