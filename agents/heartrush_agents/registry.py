"""Agents by id: those that come with the package, and those that you register; or by the folder of a trained one.

Two families are answers to any agent that is read exactly, itself named by id or folder: `best_response:ID` and
`restricted_nash:ID@P`, with a probability P, 0.5 unless given. They need a duel that is solved, rules profile "plain".
"""

from __future__ import annotations

import difflib
from functools import cache
from os import PathLike, fspath
from pathlib import Path

from heartrush_agents import best_response, bots, equilibrium, learned, mind_games, restricted_nash, scripted, tactician
from heartrush_agents.base import Agent, AgentError
from heartrush_agents.learned import LONGEST_ID
from heartrush_env.core.game import Game
from heartrush_env.core.text import show

MOST_NESTED = 4  # answers to answers

_SHIPPED = {agent.id: agent for agent in (*scripted.AGENTS, *mind_games.AGENTS, *tactician.AGENTS, *equilibrium.AGENTS)}
_POPULATION = {agent.id: agent for agent in (*bots.AGENTS, *bots.SOLVING)}  # known by id, but not listed
_LEARNED = learned.shipped()
_REGISTERED: dict[str, Agent] = {}


def available() -> tuple[str, ...]:
    """The ids of all agents, those that come with the package first; further bots are in `population()`.

    Not listed: `best_response:ID` and `restricted_nash:ID@P`, of which there are as many as agents and more.
    """
    return (*_SHIPPED, *_LEARNED, *_REGISTERED)


def population(game: Game | None = None) -> tuple[str, ...]:
    """The ids of the bots of the mind-game arena, in a fixed order; for a game also those that rest on its solution."""
    always = (*bots.OF_THE_ROSTER, *(agent.id for agent in bots.AGENTS))
    return always if game is None else (*always, *(id for id in bots.OF_SOLVED_DUELS if load(id).plays(game) is None))


def left_out(game: Game) -> dict[str, str]:
    """The bots that would rest on the solution of a game and do not play it, each with the reason."""
    reasons = {id: load(id).plays(game) for id in bots.OF_SOLVED_DUELS}
    return {id: reason for id, reason in reasons.items() if reason is not None}


def load(id_or_path: str | PathLike[str]) -> Agent:
    """The agent of that id, or of the folder at that path, in which training wrote weights and a card.

    "best_response:ID" is the best answer to an agent, "restricted_nash:ID@P" the answer to one who plays as that agent
    in a share P of its decisions.
    """
    return _load(id_or_path, MOST_NESTED)


def _load(id_or_path: str | PathLike[str], nested: int) -> Agent:
    """The agent, which may name others within itself so many times."""
    known = {**_SHIPPED, **_POPULATION, **_REGISTERED}
    given = fspath(id_or_path) if isinstance(id_or_path, str | PathLike) else repr(id_or_path)
    if given in known:
        return known[given]
    if given in _LEARNED:
        return _of_package(given)
    if nested == 0 and given.startswith((best_response.PREFIX, restricted_nash.PREFIX)):
        raise AgentError(f"There is no agent {show(given)}: answers answer each other {MOST_NESTED} deep at most.")
    if given.startswith(best_response.PREFIX):
        return best_response.best_response_to(_load(given.removeprefix(best_response.PREFIX), nested - 1))
    if given.startswith(restricted_nash.PREFIX):
        id, share = restricted_nash.split_share(given.removeprefix(restricted_nash.PREFIX))
        return restricted_nash.restricted_nash_of(_load(id, nested - 1), share)
    if _holds_an_agent(given):
        return learned.read_agent(Path(given))
    close = difflib.get_close_matches(given[:LONGEST_ID], (*available(), *_POPULATION), n=2)
    hint = f" (did you mean {' or '.join(map(repr, close))}?)" if close else ""
    raise AgentError(
        f"There is no agent {show(given)}{hint}, allowed: {', '.join(available())}, best_response:ID, "
        f"restricted_nash:ID@P, or a folder with a {learned.CARD}."
    )


def _holds_an_agent(folder: str) -> bool:
    """Whether a folder has a card; no path at all, or one that is too long, has none."""
    try:
        return (Path(folder) / learned.CARD).is_file()
    except (OSError, ValueError):
        return False


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
