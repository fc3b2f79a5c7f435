"""Random fights of random loadouts: every fight reaches a named ending, and no step leaves a fault.

The fighters are invented, or are monsters of the bestiary with their abilities, some scaled to another tier. Both own
any abilities that fights play, in the base or the destiny version. Fights are played side by side, and after each step
the state of one of them is checked; after some steps it is also saved to a snapshot and restored.

    pytest -m long -s tests/fights/test_loadouts.py
    NUMBA_BOUNDSCHECK=1 pytest -m long -s tests/fights/test_loadouts.py

play 50,000 fights without a map and 10,000 on maps, the second command with the bounds of arrays checked, and print the
endings and the number of uses of each ability.
"""

import copy
import random
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from heartrush_env.games.heart_rush.abilities.all import PLAYED
from heartrush_env.games.heart_rush.fights import Fights
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.rules.abilities import SLOTS
from heartrush_env.games.heart_rush.rules.cover import NO_LINE
from heartrush_env.games.heart_rush.rules.space import UNKNOWN
from heartrush_env.games.heart_rush.scenario import catalog
from heartrush_env.games.heart_rush.scenario.abilities import abilities, key_of
from heartrush_env.games.heart_rush.scenario.load import load_scenario
from heartrush_env.games.heart_rush.scenario.tiers import SCALABLE
from heartrush_env.games.heart_rush.state.record import ENDINGS
from heartrush_env.games.heart_rush.tables import scenario_table
from heartrush_env.tabletop.kernels import PLAIN
from tests.editions_of_abilities import of_one_edition
from tests.fights.test_classic_against_reference import classic
from tests.random_play import legal_actions
from tests.reference.map_scenarios import brawl_scenario
from tests.reference.scenarios import random_scenario

pytestmark = pytest.mark.filterwarnings("ignore::heartrush_env.tabletop.errors.ScenarioWarning")  # of creation's limits
MOST_OWNED = 6  # besides the abilities of a stat block
AT_ONCE = 50  # fights that a batch plays side by side
MOST_STEPS = 20_000
STEPS_BETWEEN_SNAPSHOTS = 10
MONSTERS = tuple(catalog.monsters())
ROOM, ROOM_ON_MAPS = 8, 16  # the most fighters
KEPT = ("id", "team", "size", "at", "conditions", "surprised", "rush")  # kept keys of a replaced fighter
USED_ON_MAPS = {
    "backstab", "baited_attack", "bandit_captain.orders", "burst_of_speed", "elusive", "hex_priest.grasping_ground",
    "piercing_shot", "predator", "push_off", "queen_rat.swap", "tumble",
}  # fmt: skip
"""Abilities that step or need a place, so that fights without a map never use them."""
SELDOM = {"beast_bond", "beast_companion", "blood_bond", "body_shield", "undying_fury", "whipmaster"}
"""Abilities that need an animal, a weapon, a hold or a fighter that falls, which random fights may never meet."""


def parts_of(monster: str) -> int:
    """Return the most parts that a monster may have."""
    return sum(most for _, most in catalog.stat_block(monster).get("parts", {}).values())


def monster_for(fighter: dict[str, Any], room: int, rng: random.Random) -> dict[str, Any]:
    """Return a monster in the place of a fighter, with its abilities, often scaled to another tier.

    The monster has at most `room` parts.
    """
    name = rng.choice([monster for monster in MONSTERS if parts_of(monster) <= room])
    kept = {key: fighter[key] for key in KEPT if key in fighter}
    scales = catalog.role(name) in SCALABLE and rng.random() < 0.5
    return {**kept, "from": name, "with_abilities": True, **({"template": rng.choice(SCALABLE)} if scales else {})}


def with_loadouts(scenario: dict[str, Any], rng: random.Random, room: int | None = None) -> dict[str, Any]:
    """Replace some fighters by monsters and give fighters random abilities, at least one to the first.

    `room` is how many parts the monsters may have, by default as many as a fight has places for.
    """
    on_map = "battlefield" in scenario
    names = [ability.name for ability in PLAYED if on_map or ability.needs is None]
    scenario["max_rounds"] = min(12, scenario.get("max_rounds", 12))
    fighters = scenario["fighter"]
    room = (ROOM_ON_MAPS if on_map else ROOM) - len(fighters) if room is None else room
    for place, fighter in enumerate(fighters):
        if rng.random() < 0.3:
            fighters[place] = monster_for(fighter, room, rng)
            room -= parts_of(fighters[place]["from"])
    for place, fighter in enumerate(fighters):
        own = catalog.stat_block(fighter["from"])["abilities"] if "from" in fighter else ()
        drawn = rng.sample(names, rng.randint(1 if place == 0 else 0, min(MOST_OWNED, SLOTS - len(own))))
        for name in of_one_edition(drawn):
            key = key_of(abilities()[name])
            if key == "talents" and rng.random() < 0.5:
                key = "destiny_talents"
            fighter.setdefault(key, []).append(name)
    return scenario


def loaded_scenario(seed: int, *, on_map: bool, room: int | None = None) -> dict[str, Any]:
    """Return a random scenario with loadouts, with or without a map."""
    rng = random.Random(seed)
    return with_loadouts(brawl_scenario(rng) if on_map else random_scenario(rng), rng, room)


def position(batch: Fights, slot: int) -> list[Any]:
    """Return the state of a fight and the arrays that show it."""
    return [batch.snapshot(slot), *(array[slot].tolist() for array in (batch.observations, batch.masks, batch.out))]


def play_out(
    scenario: dict[str, Any], seed: int, fights: int, *, counts: bool = True
) -> tuple[Counter[str], Counter[str]]:
    """Play fights of random legal actions to the end; return their endings and, if it `counts` them, the uses."""
    rng = np.random.default_rng(seed)
    decisions, control = ("stance" if seed % 8 == 7 else "full"), ("team" if seed % 4 == 1 else "fighter")
    game = HeartRush(scenario, decisions=decisions, control=control)
    slots = min(AT_ONCE, fights)
    batch = game.batch(slots, record=seed % 2 == 0)
    batch.start(range(slots), seed, range(slots))
    endings: Counter[str] = Counter()
    used: Counter[str] = Counter()
    for step in range(MOST_STEPS):
        batch.step(legal_actions(batch, rng))
        slot = int(rng.integers(slots))
        assert batch.faults(slot) == [], (scenario, seed, step)
        if step % STEPS_BETWEEN_SNAPSHOTS == 0:
            before = position(batch, slot)
            batch.restore(slot, batch.snapshot(slot))
            assert position(batch, slot) == before, (scenario, seed, step)
            assert batch.faults(slot) == [], (scenario, seed, step)  # the cover that restoring looked up is right
        for slot in np.flatnonzero(batch.ended):
            match = batch._fights[slot]
            endings[ENDINGS[match.ending]] += 1
            for fighter in match.fighters[: int(match.n)] if counts else []:
                for k in np.flatnonzero(fighter.uses):
                    used[PLAYED[fighter.loadout[k]].name] += int(fighter.uses[k])
            if endings.total() >= fights:
                return endings, used
            batch.start([slot], seed, [slots + endings.total()])
    raise AssertionError(
        f"{endings.total()} of {fights} fights have ended after {MOST_STEPS} steps: {scenario}, {seed}"
    )


def searched(scenarios: int, fights: int, *, on_map: bool) -> tuple[Counter[str], Counter[str]]:
    """Return the endings and the uses of abilities over this many random scenarios, with `fights` fights each."""
    endings: Counter[str] = Counter()
    used: Counter[str] = Counter()
    for seed in range(scenarios):
        more = play_out(loaded_scenario(seed, on_map=on_map), seed, fights)
        endings, used = endings + more[0], used + more[1]
    assert endings[""] == 0
    return endings, used


def report(endings: Counter[str], used: Counter[str]) -> set[str]:
    """Print the endings and the uses; return the abilities that can be used and were not."""
    print(endings.total(), dict(endings.most_common()), dict(used.most_common()), sep="\n")
    return {ability.name for ability in PLAYED if "do" in ability.functions} - used.keys()


def test_fights_of_random_loadouts_end() -> None:
    assert searched(2, 2, on_map=False)[0].total() >= 4


def test_restoring_calculates_the_cover_that_snapshots_leave_out(plainly: None) -> None:
    """Older snapshots contain the cover known at their time; scenario 59 has large fighters."""
    batch = HeartRush(loaded_scenario(59, on_map=True)).batch(1)
    batch.start([0], 59, [0])
    before, known = position(batch, 0), batch._fights[0].cover.copy()
    assert max(known) > UNKNOWN and "cover" not in before[0]["position"]
    older = copy.deepcopy(before[0])
    older["position"]["cover"] = np.full_like(known, NO_LINE).tolist()
    for data in (before[0], older):
        batch._fights[0].cover[:] = NO_LINE
        batch.restore(0, data)
        assert (position(batch, 0), batch._fights[0].cover.tolist()) == (before, known.tolist())


@pytest.mark.long
def test_classic_fights_of_random_loadouts_end(on_map: bool = False) -> None:
    for seed in range(1 if PLAIN else 5):
        scenario = classic(loaded_scenario(seed, on_map=on_map, room=0))
        endings, _ = play_out(scenario, seed, 2 if PLAIN else 10)
        assert endings[""] == 0


@pytest.mark.long
def test_classic_fights_of_random_loadouts_on_maps_end() -> None:
    test_classic_fights_of_random_loadouts_end(on_map=True)


@pytest.mark.long
@pytest.mark.parametrize("edition", ["june2025", "classic"])
@pytest.mark.parametrize("name", ["alley", "bridge", "camp"])
def test_fights_with_homebrew_abilities_end(name: str, edition: str) -> None:
    folder = Path(__file__).parents[2] / "examples" / "homebrew"
    table = scenario_table(load_scenario(str(folder / f"{name}.toml"), {"edition": edition}))
    endings, _ = play_out(table, 0, 20, counts=False)
    assert endings.total() >= 20 and endings[""] == 0


@pytest.mark.long
def test_many_fights_of_random_loadouts_end() -> None:
    endings, used = searched(500, 100, on_map=False)
    assert report(endings, used) - SELDOM == USED_ON_MAPS
    assert endings.total() >= 50_000


@pytest.mark.long
def test_many_fights_of_random_loadouts_on_maps_end() -> None:
    endings, used = searched(200, 50, on_map=True)
    assert not report(endings, used) & USED_ON_MAPS
    assert endings.total() >= 10_000
