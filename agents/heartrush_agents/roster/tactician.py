"""Plays the odds of the dice, with no model of its opponent."""

from __future__ import annotations

from heartrush_agents.base import Agent
from heartrush_agents.tactics.tactician import TacticalPlayer

ENEMY = Agent(
    "tactician", "Plays the best reply to all stances equally, by the exact odds of the dice.", TacticalPlayer
)
