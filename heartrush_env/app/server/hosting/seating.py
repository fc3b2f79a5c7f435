"""The agents that may take seats in hosted fights, and the arguments that clients may set for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from heartrush_agents import available, load
from heartrush_agents.arguments import arranged, read_words
from heartrush_agents.base import Agent, AgentError, Player
from heartrush_agents.registry import ships

from heartrush_env.app.server.hosting.messages import HostError
from heartrush_env.tabletop.game import Game
from heartrush_env.tabletop.text import show
from heartrush_env.tabletop.validate import join_or

MOST_ASKED: Final[Mapping[str, float]] = {"think_ms": 1_000, "rollouts": 2_000}


class Seating:
    """A factory for the players in agents' seats."""

    def __init__(self, agents: Sequence[str], most_asked: Mapping[str, float]) -> None:
        """Offer these agents, by id or folder, or all shipped agents.

        Args:
            agents: The agents; arguments in their own ids are not limited.
            most_asked: The upper bounds for agent arguments that clients set, by the name of the argument.
        """
        loaded = {given: load(given) for given in agents or available()}
        self._agents = {agent.id: given for given, agent in loaded.items()}
        self._quick = {
            agent.id for given, agent in loaded.items() if ships(given.partition("@")[0]) and not agent.takes_time
        }
        self._most_asked = most_asked

    def is_quick(self, id: str) -> bool:
        """Return whether a seat's agent is one of the package's that decide at once; others may take any time."""
        return (id if id in self._agents else id.partition("@")[0]) in self._quick

    def player(self, game: Game, seat: str, id: str) -> Player:
        """Create a player for an agent's seat.

        Raises:
            HostError: The agent is unknown here, cannot play the game, or its arguments exceed the bounds.
        """
        base, at, words = (id, "", "") if id in self._agents else id.partition("@")
        if base not in self._agents:  # anything else might name a folder of this machine
            raise HostError("bad_field", f"agents.{seat}: expected {join_or(self._agents)}, got {show(base)}.")
        try:
            agent = load(self._agents[base])
            return (self._arranged(agent, words) if at else agent).seat(game)
        except AgentError as problem:
            raise HostError("bad_field", f"agents.{seat}: {problem}") from None

    def _arranged(self, agent: Agent, words: str) -> Agent:
        """Return the agent with the arguments that follow its id."""
        bounds = dict(agent.arguments)
        for name in bounds.keys() & self._most_asked:
            bounds[name] = replace(bounds[name], high=min(bounds[name].high, self._most_asked[name]))
        return arranged(replace(agent, arguments=bounds), *read_words(words, agent))
