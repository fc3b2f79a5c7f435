"""The exact solution."""

from __future__ import annotations

from heartrush_agents.base import Agent
from heartrush_agents.exact.equilibrium import EquilibriumPlayer, why_unsupported

ENEMY = Agent(
    "equilibrium",
    "Plays the exact solution of its duel, which nobody can beat in the long run; works it out as it sits down.",
    EquilibriumPlayer,
    why_unsupported=why_unsupported,
)
