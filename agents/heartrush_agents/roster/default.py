"""Nobody at the table: every window takes its default."""

from __future__ import annotations

from functools import partial

from heartrush_agents.base import Agent
from heartrush_agents.bots.scripted import FixedPlayer

ENEMY = Agent(
    "default",
    "What windows do that are left to themselves: the defensive stance, the weakest target, shrugs off heavy hits.",
    partial(FixedPlayer, defensive=1.0),
)
