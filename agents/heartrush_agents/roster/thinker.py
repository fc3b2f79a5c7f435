"""Plays the fight on in its mind before it decides."""

from __future__ import annotations

from heartrush_agents.base import Agent, Argument
from heartrush_agents.search.positions import why_unsupported
from heartrush_agents.search.thinker import TRUST, USUAL_MS, ThinkingPlayer

ENEMY = Agent(
    "thinker",
    "Plays the fight on in its mind from what it sees, in many roll-outs, before it decides.",
    ThinkingPlayer,
    why_unsupported=why_unsupported,
    arguments={
        "think_ms": Argument(0, 600_000, USUAL_MS, "Milliseconds to think over a decision; 0 for no thought."),
        "rollouts": Argument(0, 10_000_000, 0, "Roll-outs for a decision in place of the milliseconds; 0 for none."),
        "trust": Argument(0, 1, TRUST, "Share of its enemy's stances that it expects to be as those before."),
    },
)
