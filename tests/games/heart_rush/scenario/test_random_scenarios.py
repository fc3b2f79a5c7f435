"""Random scenarios: always playable, always fair, and always the same for a seed."""

import hashlib
import json
from collections import Counter
from dataclasses import replace

import pytest

from heartrush_env.games.heart_rush.scenario import catalog
from heartrush_env.games.heart_rush.scenario.load import load_scenario
from heartrush_env.games.heart_rush.scenario.random_scenarios import random_scenario
from heartrush_env.games.heart_rush.scenario.sheets import Scenario
from heartrush_env.tabletop.errors import ScenarioError

SEEDS = range(200)
WALKS = {glyph for glyph, kind in catalog.terrain().items() if kind.may_stand}


def reached(rows: tuple[str, ...], start: tuple[int, int], through: str = "") -> set[tuple[int, int]]:
    """Return the squares that can be reached from here in straight steps, which no neighbouring square can hinder."""
    ground = {(x, y): glyph for y, row in enumerate(rows) for x, glyph in enumerate(row)}
    found, edge = {start}, [start]
    while edge:
        x, y = edge.pop()
        for there in ((x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)):
            if there not in found and ground.get(there) in WALKS | set(through):
                found.add(there)
                edge.append(there)
    return found


def is_fair(scenario: Scenario) -> bool:
    """Return whether the other side has the same ground, places and fighters."""
    field = scenario.battlefield
    assert field is not None
    mirrored = tuple(row[::-1] for row in field.rows)
    blue, red = (
        [replace(sheet, agent="", name="", team="") for sheet in scenario.fighters if sheet.team == team]
        for team in scenario.teams
    )

    def matches(turned: bool) -> bool:
        ground = mirrored[::-1] if turned else mirrored
        places = [(field.width - 1 - s.at[0], field.height - 1 - s.at[1] if turned else s.at[1]) for s in blue if s.at]
        seen = Counter(replace(s, at=at) for s, at in zip(blue, places, strict=True))
        return ground == field.rows and seen == Counter(red)

    return matches(True) or matches(False)


@pytest.mark.parametrize("seeds", [60, pytest.param(300, marks=pytest.mark.long)])
def test_random_scenarios_load_connect_and_are_fair(seeds: int) -> None:
    for seed in range(seeds):
        scenario = load_scenario(random_scenario(seed))
        field = scenario.battlefield
        assert field is not None and {field.width, field.height} <= set(range(10, 25)), seed
        assert len(scenario.fighters) in (2, 4, 6, 8) and len(scenario.teams) == 2, seed
        first, *others = (sheet.at for sheet in scenario.fighters)
        assert first is not None and reached(field.rows, first, through="+") >= set(others), seed
        assert is_fair(scenario), seed


@pytest.mark.long
def test_some_maps_shut_both_sides_in_behind_closed_doors() -> None:
    """On most maps the sides may walk up to each other; on some none leaves its room without opening a door."""
    shut = 0
    for seed in SEEDS:
        scenario = load_scenario(random_scenario(seed))
        assert scenario.battlefield is not None
        first, *_ = (sheet.at for sheet in scenario.fighters)
        assert first is not None
        walks = reached(scenario.battlefield.rows, first)
        met = {sheet.team for sheet in scenario.fighters if sheet.at in walks}
        assert met in ({"blue", "red"}, {"blue"}), seed
        assert all(sheet.at in walks for sheet in scenario.fighters if sheet.team == "blue"), seed
        shut += met == {"blue"}
    assert len(SEEDS) / 10 < shut < len(SEEDS) / 4


def test_the_ground_is_neither_bare_nor_full() -> None:
    shares = []
    for seed in SEEDS:
        ground = "".join(random_scenario(seed)["battlefield"]["map"])
        shares.append(1 - ground.count(".") / len(ground))
        assert sum(glyph not in WALKS for glyph in ground) < len(ground) / 3, seed
    assert 0.15 < sum(shares) / len(shares) < 0.4 and max(shares) < 0.65
    everything = "".join("".join(random_scenario(seed)["battlefield"]["map"]) for seed in SEEDS)
    made_in_fights = {":"}  # rubble, which objects that collapse leave
    assert set(everything) == set(catalog.terrain()) - made_in_fights, "each other kind of terrain comes up"


def test_all_that_may_vary_does() -> None:
    scenarios = [random_scenario(seed) for seed in SEEDS]
    assert {len(scenario["fighter"]) for scenario in scenarios} == {2, 4, 6, 8}
    assert {scenario["battlefield"]["light"] for scenario in scenarios} == {"bright", "dim"}
    assert {len(scenario["battlefield"]["map"]) for scenario in scenarios} == set(range(10, 25))
    assert len({json.dumps(scenario["battlefield"]) for scenario in scenarios}) == len(scenarios)
    weapons = {sheet.weapon.attack_type for seed in SEEDS for sheet in load_scenario(f"random:{seed}").fighters}
    assert weapons == {"melee", "ranged", "thrown"}


def test_a_seed_gives_the_same_scenario_everywhere() -> None:
    """If this digest changes, all random scenarios have changed, and agents were trained on other ones."""
    written = json.dumps([random_scenario(seed) for seed in range(20)], sort_keys=True)
    digest = hashlib.sha256(written.encode()).hexdigest()
    assert digest == "0baf7027cbc67fd3943b33926b16d18deac56a5d29d957b007058e4be259c7f6"


def test_a_random_scenario_has_a_name_to_load_it_by() -> None:
    scenario = load_scenario("random:7")
    assert (scenario, scenario.name) == (load_scenario(random_scenario(7)), "random:7")
    assert load_scenario("random:7", {"profile": "plain"}).settings.levels is False


def test_a_seed_below_0_is_refused() -> None:
    with pytest.raises(ScenarioError, match="seed: expected 0 or more, got -1"):
        random_scenario(-1)
