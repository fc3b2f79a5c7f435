"""A mix that favours its best dice."""

from __future__ import annotations

from heartrush_agents.base import Agent
from heartrush_agents.bots.scripted import WeightedPlayer

ENEMY = Agent(
    "weighted",
    "Plays the three attacking stances in proportion to its own dice; otherwise the default.",
    WeightedPlayer,
)
