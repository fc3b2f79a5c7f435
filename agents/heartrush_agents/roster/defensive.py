"""One stance: defensive."""

from __future__ import annotations

from functools import partial

from heartrush_agents.base import Agent
from heartrush_agents.bots.scripted import PeacefulPlayer

ENEMY = Agent(
    "defensive",
    "Always takes the defensive stance and engages nobody; otherwise the default.",
    partial(PeacefulPlayer, defensive=1.0),
)
