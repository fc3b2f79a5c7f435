"""Heart Rush for learners: an exact rules engine and environments for PettingZoo and Gymnasium.

Importing this package registers the environments and loads nothing heavy. The agents are in a separate package,
`heartrush_agents`.
"""

from importlib.metadata import PackageNotFoundError, version

import gymnasium
import pettingzoo

try:
    __version__ = version("heartrush-env")
except PackageNotFoundError:  # run from a checkout that is not installed
    __version__ = "0+unknown"

GYMNASIUM_ID = "heartrush_env/HeartRush-v0"
PETTINGZOO_ID = "heartrush_env/heart_rush-v0"
# The ids of each environment module in Gymnasium and in PettingZoo.
DOORS = {
    "heart_rush_v0": (GYMNASIUM_ID, PETTINGZOO_ID),
    "heart_rush_classic_v0": ("heartrush_env/HeartRushClassic-v0", "heartrush_env/heart_rush_classic-v0"),
}


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
