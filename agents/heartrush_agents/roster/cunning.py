"""One stance: cunning."""

from __future__ import annotations

from functools import partial

from heartrush_agents.base import Agent
from heartrush_agents.bots.scripted import FixedPlayer

ENEMY = Agent("cunning", "Always takes the cunning stance; otherwise the default.", partial(FixedPlayer, cunning=1.0))
