"""A Markov predictor of order 1."""

from __future__ import annotations

from functools import partial

from heartrush_agents.base import Agent
from heartrush_agents.bots.predictors import PredictingPlayer
from heartrush_agents.tactics.opponent_model import why_unsupported

ENEMY = Agent(
    "markov_1",
    "Beats the stance that has followed the enemy's last one in the match; otherwise the default.",
    partial(PredictingPlayer, longest=1),
    why_unsupported=why_unsupported,
)
