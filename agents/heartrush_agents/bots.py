"""The population of the mind-game arena: named bots with habits, for agents to find and for learners to train against.

Those of the roster are joined by others that `load` knows by id and `available` does not list: a newcomer who asks for
an enemy is to see a dozen that are worth meeting, not fifty of which most exist to be seen through. Each has a
one-sentence description. Left out of the roster: `default`, which attacks nobody and doubles `defensive`, and what was
trained, which would change the yardstick with every training.
"""

from __future__ import annotations

from heartrush_agents import patterns, second_guess
from heartrush_agents.base import Agent

OF_THE_ROSTER = (
    "random", "might", "agility", "cunning", "defensive", "uniform", "weighted", "turtle", "repeat_last",
    "counter_last", "win_stay_lose_shift", "frequency", "markov_1", "markov_2", "tactician", "modeller",
)  # fmt: skip
AGENTS: tuple[Agent, ...] = (*patterns.AGENTS, *second_guess.AGENTS)
