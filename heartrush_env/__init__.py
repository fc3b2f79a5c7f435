"""Heart Rush for learners: an exact rules engine and environments for PettingZoo and Gymnasium.

Importing this package registers the environments and loads nothing heavy. The agents are in a separate package,
`heartrush_agents`.
"""

from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import gymnasium
import pettingzoo

if TYPE_CHECKING:
    from heartrush_env.tabletop.game import Game

__all__ = ["GYMNASIUM_ID", "PETTINGZOO_ID", "__version__", "heart_rush_classic_v0", "heart_rush_v0", "open_game"]

try:
    __version__ = version("heartrush-env")
except PackageNotFoundError:  # run from a checkout that is not installed
    __version__ = "0+unknown"


def _ids(module: str) -> tuple[str, str]:
    """Return the ids in Gymnasium and in PettingZoo of a module such as heart_rush_v0."""
    name, _, number = module.rpartition("_v")
    return f"heartrush_env/{name.title().replace('_', '')}-v{number}", f"heartrush_env/{name}-v{number}"


# The ids of each environment module.
DOORS = {path.stem: _ids(path.stem) for path in sorted(Path(__file__).parent.glob("*_v[0-9].py"))}
GYMNASIUM_ID, PETTINGZOO_ID = DOORS["heart_rush_v0"]


def open_game(table: Mapping[str, Any]) -> "Game":
    """Return the game of a table such as {"game": "heart_rush", "scenario": "duel"}; `Game.as_table` writes one.

    Raises:
        HeartRushError: The game is not registered, or its table is invalid.
    """
    from heartrush_env.tabletop import registry

    return registry.open_game(table)


def _register() -> None:
    """Register the environments with Gymnasium, and with PettingZoo from version 1.27 on, unless they already are."""
    for name, (gymnasium_id, pettingzoo_id) in DOORS.items():
        door = f"heartrush_env.{name}"
        if gymnasium_id not in gymnasium.registry:
            gymnasium.register(gymnasium_id, f"{door}:single_env", vector_entry_point=f"{door}:vector_env")
        if hasattr(pettingzoo, "register") and pettingzoo_id not in pettingzoo.parallel_registry:
            pettingzoo.register("parallel", pettingzoo_id, f"{door}:parallel_env")
            pettingzoo.register("aec", pettingzoo_id, f"{door}:env")


_register()
