"""The exact solution."""

from __future__ import annotations

from heartrush_agents.base import Agent
from heartrush_agents.exact.equilibrium import make, why_unsupported

ENEMY = Agent(
    "equilibrium",
    "Plays the exact solution of its duel, which nobody can beat in the long run; computes it first.",
    make,
    why_unsupported=why_unsupported,
)
