"""A mix that trusts its best dice."""

from __future__ import annotations

from heartrush_agents.base import Agent
from heartrush_agents.bots.scripted import WeightedPlayer

ENEMY = Agent(
    "weighted",
    "The three attacking stances in proportion to its own dice; all else by the default.",
    WeightedPlayer,
)
