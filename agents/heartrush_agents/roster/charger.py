"""The even mix of stances on a map, walking up to its enemies."""

from __future__ import annotations

from functools import partial

from heartrush_agents.base import Agent
from heartrush_agents.bots.scripted import FixedPlayer, has_no_map

ENEMY = Agent(
    "charger",
    "Walks to the nearest enemy on a map and attacks, taking the three attacking stances equally often.",
    partial(FixedPlayer, might=1 / 3, agility=1 / 3, cunning=1 / 3),
    why_unsupported=has_no_map,
)
