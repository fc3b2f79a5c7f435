"""Agents by id: those that come with the package, and those that you register."""

from __future__ import annotations

import difflib

from heartrush_agents import scripted
from heartrush_agents.base import Agent, AgentError

_SHIPPED = {agent.id: agent for agent in scripted.AGENTS}
_REGISTERED: dict[str, Agent] = {}


def available() -> tuple[str, ...]:
    """The ids of all agents, those that come with the package first."""
    return (*_SHIPPED, *_REGISTERED)


def load(id: str) -> Agent:
    """The agent of that id."""
    known = {**_SHIPPED, **_REGISTERED}
    if id in known:
        return known[id]
    close = difflib.get_close_matches(str(id), known, n=2)
    hint = f" (did you mean {' or '.join(map(repr, close))}?)" if close else ""
    raise AgentError(f"There is no agent {id!r}{hint}, allowed: {', '.join(known)}.")


def register(agent: Agent) -> Agent:
    """Make an agent of your own known by its id, in place of an earlier one of yours; returns it."""
    if agent.id in _SHIPPED:
        raise AgentError(
            f"The id {agent.id!r} is taken by an agent of the package, allowed: any but {', '.join(_SHIPPED)}."
        )
    _REGISTERED[agent.id] = agent
    return agent
