"""Plays the odds of the dice and the opponent's habits."""

from __future__ import annotations

from heartrush_agents.base import Agent
from heartrush_agents.tactics.opponent_model import why_unsupported
from heartrush_agents.tactics.tactician import ModellingPlayer

ENEMY = Agent(
    "modeller",
    "Plays the best reply to the enemy's past stances in the match, by the exact odds of the dice.",
    ModellingPlayer,
    why_unsupported=why_unsupported,
)
