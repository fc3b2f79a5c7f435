"""The weapons, and their columns as arrays for compiled rules."""

from typing import Any, Final

import numpy as np

from heartrush_env.tabletop.scenario.library import Library

LIBRARY: Final = Library(__package__)
_TABLE = LIBRARY.table("weapons.toml")
WEAPON_NAMES: Final = tuple(_TABLE)
ITEMS: Final = (*WEAPON_NAMES, "shield")  # what can be held, dropped and picked up
A_SHIELD: Final = len(WEAPON_NAMES)
NO_ITEM: Final = -1  # in place of an item


def _column(name: str, usual: Any) -> Any:
    """Return a column of the table of weapons as an array."""
    return np.array([weapon.get(name, usual) for weapon in _TABLE.values()], type(usual))


DIE, HANDS = _column("die", 0), _column("hands", 1)
VERSATILE, REACH, SUBTLE, LOADS = (_column(name, False) for name in ("versatile", "reach", "subtle", "loads"))
# In feet: up to the first figure without a modifier, up to the second with disadvantage.
NEAR, FAR = _column("near", 0), _column("far", 0)
THROWN_NEAR, THROWN_FAR = _column("thrown_near", 10), _column("thrown_far", 20)
SHOOTS = FAR > 0
