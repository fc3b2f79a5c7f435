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


def _register() -> None:
    """Register the environments with Gymnasium, and with PettingZoo from version 1.27 on, unless they already are."""
    if GYMNASIUM_ID not in gymnasium.registry:
        door = "heartrush_env.heart_rush_v0"
        gymnasium.register(GYMNASIUM_ID, f"{door}:single_env", vector_entry_point=f"{door}:vector_env")
    if hasattr(pettingzoo, "register") and PETTINGZOO_ID not in pettingzoo.parallel_registry:
        pettingzoo.register("parallel", PETTINGZOO_ID, "heartrush_env.heart_rush_v0:parallel_env")
        pettingzoo.register("aec", PETTINGZOO_ID, "heartrush_env.heart_rush_v0:env")


_register()
