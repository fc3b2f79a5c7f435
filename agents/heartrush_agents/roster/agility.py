"""One stance: agility."""

from __future__ import annotations

from functools import partial

from heartrush_agents.base import Agent
from heartrush_agents.bots.scripted import FixedPlayer

ENEMY = Agent("agility", "Always takes the agility stance; otherwise the default.", partial(FixedPlayer, agility=1.0))
