"""One stance: might."""

from __future__ import annotations

from functools import partial

from heartrush_agents.base import Agent
from heartrush_agents.bots.scripted import FixedPlayer

ENEMY = Agent("might", "Always takes the might stance; otherwise the default.", partial(FixedPlayer, might=1.0))
