"""Fictitious play."""

from __future__ import annotations

from functools import partial

from heartrush_agents.base import Agent
from heartrush_agents.bots.predictors import PredictingPlayer
from heartrush_agents.tactics.opponent_model import why_unsupported

ENEMY = Agent(
    "frequency",
    "Takes the best stance against the enemy's past stances in the match; otherwise the default.",
    partial(PredictingPlayer, longest=0),
    why_unsupported=why_unsupported,
)
