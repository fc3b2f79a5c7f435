"""Fictitious play."""

from __future__ import annotations

from functools import partial

from heartrush_agents.base import Agent
from heartrush_agents.bots.predictors import PredictingPlayer
from heartrush_agents.tactics.opponent_model import why_unsupported

ENEMY = Agent(
    "frequency",
    "The stance that does best against all that the enemy has taken in the match; all else by the default.",
    partial(PredictingPlayer, longest=0),
    why_unsupported=why_unsupported,
)
