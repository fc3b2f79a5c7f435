"""One stance: defensive."""

from __future__ import annotations

from functools import partial

from heartrush_agents.base import Agent
from heartrush_agents.bots.scripted import FixedPlayer

ENEMY = Agent(
    "defensive", "Always takes the defensive stance; otherwise the default.", partial(FixedPlayer, defensive=1.0)
)
