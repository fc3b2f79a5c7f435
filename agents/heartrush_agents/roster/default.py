"""The default policy in every window."""

from __future__ import annotations

from functools import partial

from heartrush_agents.base import Agent
from heartrush_agents.bots.scripted import FixedPlayer

ENEMY = Agent(
    "default",
    "The default policy: takes the defensive stance, attacks the weakest target, shrugs off heavy hits.",
    partial(FixedPlayer, defensive=1.0),
)
