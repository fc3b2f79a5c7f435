"""Random legal actions."""

from __future__ import annotations

from heartrush_agents.base import Agent
from heartrush_agents.bots.scripted import RandomPlayer

ENEMY = Agent("random", "Chooses each legal action equally often.", RandomPlayer, games=())
