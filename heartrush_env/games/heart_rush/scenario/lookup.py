"""Scenarios by name, seed, path or table: where their content comes from."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

from heartrush_env.games.heart_rush.scenario import catalog
from heartrush_env.games.heart_rush.scenario.advancement import random_party
from heartrush_env.games.heart_rush.scenario.fields import ScenarioTable
from heartrush_env.games.heart_rush.scenario.homebrew import with_homebrew
from heartrush_env.games.heart_rush.scenario.random_duels import random_duel
from heartrush_env.games.heart_rush.scenario.random_scenarios import random_scenario
from heartrush_env.games.heart_rush.scenario.stat_blocks import with_sheets
from heartrush_env.tabletop.errors import ScenarioError
from heartrush_env.tabletop.scenario.library import is_path
from heartrush_env.tabletop.text import show

RANDOM: Final[Mapping[str, Callable[[int], dict[str, Any]]]] = dict(
    zip(catalog.GENERATED, (random_scenario, random_duel, partial(random_duel, unseen=True), random_party), strict=True)
)
MAX_SEED: Final = 2**63 - 1
LONGEST_SEED: Final = 100  # digits, including leading zeros


def find_scenario(scenario: object) -> tuple[Mapping[str, Any], str, str]:
    """Return a scenario's content, its source for error messages, and its default name."""
    if isinstance(scenario, Mapping):
        return scenario, ScenarioTable.of(scenario).where, "scenario"
    if isinstance(scenario, str):
        for kind, generated in RANDOM.items():
            if scenario.startswith(kind) and not is_path(scenario):
                return generated(_seed(scenario, kind)), scenario, scenario
    content, where, name = catalog.LIBRARY.find(scenario)
    if is_path(scenario):
        content = with_homebrew(with_sheets(content, Path(where).parent, where), Path(where).parent, where)
    return content, where, name


def _seed(name: str, kind: str) -> int:
    """Return the seed in a name such as random:7."""
    seed = name.removeprefix(kind)
    if not (seed.isascii() and seed.isdigit()) or len(seed) > LONGEST_SEED or int(seed) > MAX_SEED:
        raise ScenarioError(f"scenario: expected {kind} and a whole number from 0 to {MAX_SEED}, got {show(name)}.")
    return int(seed)
