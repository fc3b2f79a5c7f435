"""The shipped scenarios, for tests that play each: maps are cut short, and large fights are left to long runs."""

from typing import Any

import pytest

from heartrush_env.games.heart_rush.scenario.load import load_scenario, shipped_scenarios
from heartrush_env.games.heart_rush.scenario.sheets import Scenario
from heartrush_env.games.heart_rush.tables import scenario_table

ROUNDS_ON_MAPS = 4  # so few of a hundred rounds, though random fighters seldom meet in them
USUAL = "skirmish"  # the map that is played every time
IN_SHORT_RUNS = ("duel", "mirror_duel", "brawl", USUAL)


def has_map(name: str) -> bool:
    """Return whether the fight is on a map."""
    return load_scenario(name).battlefield is not None


WITHOUT_MAP = tuple(name for name in shipped_scenarios() if not has_map(name))
ON_MAP = tuple(name for name in shipped_scenarios() if has_map(name))


def case(name: str, *more: Any, id: str | None = None) -> Any:
    """Return a case of a test, which is marked as long for all scenarios but four."""
    marks = [] if name in IN_SHORT_RUNS else [pytest.mark.long]
    return pytest.param(name, *more, marks=marks, id=id or name)


SHIPPED = [case(name) for name in shipped_scenarios()]


def short(name: str) -> Scenario:
    """Return a shipped scenario, with few rounds if it has a map."""
    scenario = load_scenario(name)
    if scenario.battlefield is None:
        return scenario
    return load_scenario({**scenario_table(scenario), "max_rounds": ROUNDS_ON_MAPS})
