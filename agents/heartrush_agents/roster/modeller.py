"""Reckons with the dice and with the opponent's habits."""

from __future__ import annotations

from heartrush_agents.base import Agent
from heartrush_agents.tactics.opponent_model import why_unsupported
from heartrush_agents.tactics.tactician import ModellingPlayer

ENEMY = Agent(
    "modeller",
    "The best reply to the stances that the enemy has taken in the match, by the exact odds of the dice.",
    ModellingPlayer,
    why_unsupported=why_unsupported,
)
