"""The even mix: plays like a person who has just learned the rules, and is the yardstick of levels."""

from __future__ import annotations

from functools import partial

from heartrush_agents.base import Agent
from heartrush_agents.bots.scripted import FixedPlayer

ENEMY = Agent(
    "uniform",
    "Takes the three attacking stances equally often; otherwise the default.",
    partial(FixedPlayer, might=1 / 3, agility=1 / 3, cunning=1 / 3),
)
