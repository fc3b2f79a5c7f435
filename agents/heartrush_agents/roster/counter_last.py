"""Counters the enemy's last reveal."""

from __future__ import annotations

from heartrush_agents.base import Agent
from heartrush_agents.bots.predictors import CounteringPlayer
from heartrush_agents.tactics.opponent_model import why_unsupported

ENEMY = Agent(
    "counter_last",
    "Takes the stance that beats the enemy's last; otherwise the default.",
    CounteringPlayer,
    why_unsupported=why_unsupported,
)
