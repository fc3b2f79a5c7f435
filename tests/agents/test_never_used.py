"""Abilities that the tactician never uses, however often it owns them, and why."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest
from heartrush_agents import load
from heartrush_agents.vector_player import VectorPlayer

from heartrush_env.app.heart_rush.encounters.findings import is_usable
from heartrush_env.games.heart_rush.abilities.all import PLAYED, Ability
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.scenario.abilities import key_of
from tests.reference.map_scenarios import brawl_scenario
from tests.reference.scenarios import random_scenario

USABLE = [ability for ability in PLAYED if is_usable(ability.name)]
LAPSES = "R-156: it prepares an attack roll in the action phase, after which a tactician seldom throws one that round"
NEVER_USED: dict[str, str] = dict.fromkeys(("bloodblade", "exert", "hit_em_where_it_counts"), LAPSES)
"""Usable abilities by their ids, and the reason why no tactician uses them."""

MOST_OWNED, MOST_ROUNDS, MOST_STEPS = 4, 12, 1_500


def loaded(rng: random.Random, *, on_map: bool, known: list[Ability]) -> dict[str, Any]:
    """A random scenario whose fighters own some of these abilities, all of which its rules and its ground allow."""
    scenario = brawl_scenario(rng) if on_map else random_scenario(rng)
    scenario["max_rounds"] = min(MOST_ROUNDS, scenario.get("max_rounds", MOST_ROUNDS))
    for fighter in scenario["fighter"]:
        for ability in rng.sample(known, min(MOST_OWNED, len(known))):
            key = key_of(ability.entry)
            fighter.setdefault(rng.choice((key, "destiny_talents")) if key == "talents" else key, []).append(
                ability.name
            )
    return scenario


def uses(scenario: dict[str, Any], seed: int, fights: int) -> Counter[str]:
    """How often tacticians on all sides use each ability in this many fights."""
    game = HeartRush(scenario)
    batch = game.batch(fights)
    seats = [(slot, seat) for slot in range(fights) for seat in range(len(game.agents))]
    player = VectorPlayer(load("tactician"), game, seats, np.random.default_rng(seed))
    actions = np.zeros((fights, len(game.agents)), np.int64)
    used: Counter[str] = Counter()
    batch.start(range(fights), seed, range(fights))
    live = np.ones(fights, np.bool_)
    for _ in range(MOST_STEPS):
        player.act({"observation": batch.observations, "action_mask": batch.masks}, actions, asked=live)
        batch.step(actions)
        for slot in np.flatnonzero(live & batch.ended):
            match = batch._fights[slot]
            for fighter in match.fighters[: int(match.n)]:
                for k in np.flatnonzero(fighter.uses[: fighter.slots]):
                    used[PLAYED[fighter.loadout[k]].name] += int(fighter.uses[k])
        live &= ~batch.ended
        if not live.any():
            return used
    raise AssertionError(f"{live.sum()} of {fights} fights have not ended after {MOST_STEPS} steps: {scenario}, {seed}")


def searched(scenarios: range, fights: int, *, on_map: bool) -> Counter[str]:
    """The uses over this many random scenarios; those that nobody has used yet come more often."""
    used: Counter[str] = Counter()
    for seed in scenarios:
        known = [ability for ability in USABLE if on_map or ability.needs is None]
        unused = [ability for ability in known if ability.name not in used]
        rng = random.Random(seed)
        used += uses(loaded(rng, on_map=on_map, known=unused if unused and seed % 2 else known), seed, fights)
    return used


def test_what_is_listed_as_never_used_may_be_used() -> None:
    assert [name for name in NEVER_USED if name not in {ability.name for ability in USABLE}] == []


def test_tacticians_use_several_abilities_in_a_fight() -> None:
    assert len(searched(range(1, 2), 1, on_map=False)) > 1


@pytest.mark.long
def test_every_usable_ability_is_used_or_listed() -> None:
    """It plays without a map and then on maps; each list names what the one before has not shown."""
    used = searched(range(300), 8, on_map=False)
    used += searched(range(100), 4, on_map=True)
    print(dict(used))
    assert sorted({ability.name for ability in USABLE} - used.keys()) == sorted(NEVER_USED)
