"""A cautious fighter."""

from __future__ import annotations

from heartrush_agents.base import Agent
from heartrush_agents.bots.scripted import TurtlePlayer

ENEMY = Agent(
    "turtle",
    "Hides every other round when hurt or facing a harder hitter, attacks fighters that hide; otherwise the default.",
    TurtlePlayer,
)
