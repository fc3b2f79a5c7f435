"""The even mix: about what somebody does who has just learnt the rules, and the yardstick of levels."""

from __future__ import annotations

from functools import partial

from heartrush_agents.base import Agent
from heartrush_agents.bots.scripted import FixedPlayer

ENEMY = Agent(
    "uniform",
    "The three attacking stances equally often; all else by the default.",
    partial(FixedPlayer, might=1 / 3, agility=1 / 3, cunning=1 / 3),
)
