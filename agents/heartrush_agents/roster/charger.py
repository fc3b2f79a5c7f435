"""The even mix of stances on a map, for a fighter that walks up to its enemies."""

from __future__ import annotations

from functools import partial

from heartrush_agents.base import Agent
from heartrush_agents.bots.scripted import ChargingPlayer, has_no_map

ENEMY = Agent(
    "charger",
    "Walks to the nearest enemy on a map, engages and attacks it, taking the three attacking stances equally often.",
    partial(ChargingPlayer, might=1 / 3, agility=1 / 3, cunning=1 / 3),
    why_unsupported=has_no_map,
)
