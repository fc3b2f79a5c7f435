"""Scenarios by name, seed, path or table: where their content comes from."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

from heartrush_env.games.heart_rush.scenario import catalog
from heartrush_env.games.heart_rush.scenario.fields import ScenarioTable
from heartrush_env.games.heart_rush.scenario.random_duels import random_duel
from heartrush_env.games.heart_rush.scenario.random_scenarios import random_scenario
from heartrush_env.games.heart_rush.scenario.reading import parsed, text_of
from heartrush_env.games.heart_rush.scenario.stat_blocks import with_sheets
from heartrush_env.tabletop.errors import ScenarioError
from heartrush_env.tabletop.text import show
from heartrush_env.tabletop.validate import join_or, look_up, unknown_name

# Prefixes of generated scenarios; a seed follows the prefix.
RANDOM: Final[dict[str, Callable[[int], dict[str, Any]]]] = {
    "random:": random_scenario,
    "random_duel:": random_duel,
    "unseen_duel:": partial(random_duel, unseen=True),
}
MAX_SEED: Final = 2**63 - 1
LONGEST_SEED: Final = 100  # digits, including leading zeros


def find_scenario(scenario: object) -> tuple[Mapping[str, Any], str, str]:
    """Return a scenario's content, its source for error messages, and its default name."""
    if isinstance(scenario, Mapping):
        return scenario, ScenarioTable.of(scenario).where, "scenario"
    if isinstance(scenario, Path) or (isinstance(scenario, str) and (scenario.endswith(".toml") or "/" in scenario)):
        path = Path(scenario)
        content = parsed(text_of(path, f"a TOML file or {join_or(catalog.scenarios())}"), str(path))
        return with_sheets(content, path.parent, str(path)), str(path), path.stem
    if isinstance(scenario, str):
        for kind, generated in RANDOM.items():
            if scenario.startswith(kind):
                return generated(_seed(scenario, kind)), scenario, scenario
    shipped = catalog.scenarios()
    name = look_up(scenario, shipped)
    if name is None:
        raise ScenarioError(
            f"{unknown_name('scenario', scenario, shipped)}, {', '.join(f'{kind}<seed>' for kind in RANDOM)}, "
            "a path ending in .toml or a dict."
        )
    return parsed(shipped[name].read_text(encoding="utf-8"), f"{name}.toml"), f"{name}.toml", name


def _seed(name: str, kind: str) -> int:
    """Return the seed in a name such as random:7."""
    seed = name.removeprefix(kind)
    if not (seed.isascii() and seed.isdigit()) or len(seed) > LONGEST_SEED or int(seed) > MAX_SEED:
        raise ScenarioError(f"scenario is {show(name)}, allowed: {kind} and a whole number from 0 to {MAX_SEED}.")
    return int(seed)
