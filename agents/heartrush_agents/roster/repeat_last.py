"""Repeats its own last stance."""

from __future__ import annotations

from heartrush_agents.base import Agent
from heartrush_agents.bots.predictors import RepeatingPlayer
from heartrush_agents.tactics.opponent_model import why_unsupported

ENEMY = Agent(
    "repeat_last",
    "Takes its own last stance again; otherwise the default.",
    RepeatingPlayer,
    why_unsupported=why_unsupported,
)
