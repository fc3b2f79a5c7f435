"""Caution."""

from __future__ import annotations

from heartrush_agents.base import Agent
from heartrush_agents.bots.scripted import TurtlePlayer

ENEMY = Agent(
    "turtle",
    "Mostly defensive when hurt or facing who hits harder, strikes at who hides; all else by the default.",
    TurtlePlayer,
)
