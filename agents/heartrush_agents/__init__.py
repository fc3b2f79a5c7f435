"""AI enemies for Heart Rush: agents that take a seat in a game and play it.

`load("default").seat(game)` returns a player, `load("duelist@easy")` loads a weaker enemy, `available()` lists the ids,
and `register` adds an agent of your own. `population()` returns the bots of the mind-game arena; `available()` omits
most of them.
"""

from heartrush_agents.base import Agent, AgentError, Player
from heartrush_agents.learned.plain import plain_policy_of
from heartrush_agents.registry import available, load, population, quick, register

__all__ = [
    "Agent", "AgentError", "Player", "available", "load", "plain_policy_of", "population", "quick", "register",
]  # fmt: skip
