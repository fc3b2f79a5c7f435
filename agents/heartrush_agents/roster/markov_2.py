"""A Markov predictor of order 2."""

from __future__ import annotations

from functools import partial

from heartrush_agents.base import Agent
from heartrush_agents.bots.predictors import PredictingPlayer
from heartrush_agents.tactics.opponent_model import why_unsupported

ENEMY = Agent(
    "markov_2",
    "Beats what the enemy has taken after its last two stances in the match; all else by the default.",
    partial(PredictingPlayer, longest=2),
    why_unsupported=why_unsupported,
)
