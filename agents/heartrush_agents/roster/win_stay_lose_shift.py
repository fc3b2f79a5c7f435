"""Keeps a stance that worked."""

from __future__ import annotations

from heartrush_agents.base import Agent
from heartrush_agents.bots.predictors import ShiftingPlayer
from heartrush_agents.tactics.opponent_model import why_unsupported

ENEMY = Agent(
    "win_stay_lose_shift",
    "Keeps a stance that beat the enemy's, otherwise takes the one that beats its own; otherwise the default.",
    ShiftingPlayer,
    why_unsupported=why_unsupported,
)
