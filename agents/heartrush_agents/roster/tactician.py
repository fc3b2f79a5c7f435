"""Reckons with the dice, and takes no opponent for anybody in particular."""

from __future__ import annotations

from heartrush_agents.base import Agent
from heartrush_agents.tactics.tactician import TacticalPlayer

ENEMY = Agent("tactician", "The best reply to all stances alike, by the exact odds of the dice.", TacticalPlayer)
