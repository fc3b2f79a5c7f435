"""Agents by id: those that come with the package, and those that you register; or by the folder of a trained one."""

from __future__ import annotations

import difflib
from functools import cache
from os import PathLike, fspath
from pathlib import Path

from heartrush_agents import bots, equilibrium, learned, mind_games, scripted, tactician
from heartrush_agents.base import Agent, AgentError

_SHIPPED = {agent.id: agent for agent in (*scripted.AGENTS, *mind_games.AGENTS, *tactician.AGENTS, *equilibrium.AGENTS)}
_POPULATION = {agent.id: agent for agent in bots.AGENTS}  # known by id, but not listed
_LEARNED = learned.shipped()
_REGISTERED: dict[str, Agent] = {}


def available() -> tuple[str, ...]:
    """The ids of all agents, those that come with the package first; further bots are in `population()`."""
    return (*_SHIPPED, *_LEARNED, *_REGISTERED)


def population() -> tuple[str, ...]:
    """The ids of the bots of the mind-game arena, in a fixed order."""
    return (*bots.OF_THE_ROSTER, *_POPULATION)


def load(id_or_path: str | PathLike[str]) -> Agent:
    """The agent of that id, or of the folder at that path, in which training wrote weights and a card."""
    known = {**_SHIPPED, **_POPULATION, **_REGISTERED}
    given = fspath(id_or_path) if isinstance(id_or_path, str | PathLike) else repr(id_or_path)
    if given in known:
        return known[given]
    if given in _LEARNED:
        return _of_package(given)
    if (Path(given) / learned.CARD).is_file():
        return learned.read_agent(Path(given))
    close = difflib.get_close_matches(given, (*available(), *_POPULATION), n=2)
    hint = f" (did you mean {' or '.join(map(repr, close))}?)" if close else ""
    raise AgentError(
        f"There is no agent {given!r}{hint}, allowed: {', '.join(available())}, or a folder with a {learned.CARD}."
    )


@cache
def _of_package(id: str) -> Agent:
    """A learned agent that comes with the package, read when it is first asked for."""
    return learned.read_agent(_LEARNED[id])


def register(agent: Agent) -> Agent:
    """Make an agent of your own known by its id, in place of an earlier one of yours; returns it."""
    shipped = (*_SHIPPED, *_LEARNED)
    if agent.id in (*shipped, *_POPULATION):
        raise AgentError(
            f"The id {agent.id!r} is taken by an agent of the package, allowed: any but {', '.join(shipped)}, "
            "and the rest of population()."
        )
    _REGISTERED[agent.id] = agent
    return agent
