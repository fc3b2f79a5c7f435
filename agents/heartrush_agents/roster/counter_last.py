"""Answers the last reveal."""

from __future__ import annotations

from heartrush_agents.base import Agent
from heartrush_agents.bots.predictors import CounteringPlayer
from heartrush_agents.tactics.opponent_model import why_unsupported

ENEMY = Agent(
    "counter_last",
    "The stance that beats the enemy's last; all else by the default.",
    CounteringPlayer,
    why_unsupported=why_unsupported,
)
