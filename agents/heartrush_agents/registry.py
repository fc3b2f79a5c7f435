"""Agents by id: those that come with the package, and those that you register; or by the folder of a trained one.

Two families are answers to any agent that is read exactly, itself named by id or folder: `best_response:ID` and
`restricted_nash:ID@P`, with a probability P, 0.5 unless given. They need a duel that is solved, rules profile "plain".

Behind any id or folder, `@easy` names one of the agent's levels, and `@mistakes=0.2,temperature=1.5` weakens it so.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from heartrush_agents.base import Agent, AgentError, AgentLike, Difficulty, as_agent
from heartrush_agents.bots import population as bots
from heartrush_agents.difficulty import at_level, read_words, weakened
from heartrush_agents.exact import best_response, restricted_nash
from heartrush_agents.learned import agent as learned
from heartrush_agents.learned.agent import LONGEST_ID
from heartrush_agents.roster import ENEMIES
from heartrush_env.core.game import Game
from heartrush_env.core.text import show

MOST_NESTED = 4  # answers to answers

_SHIPPED = {enemy.id: enemy for enemy in ENEMIES}
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


def load(
    given: AgentLike,
    *,
    level: str | None = None,
    mistakes: float | None = None,
    temperature: float | None = None,
) -> Agent:
    """The agent of that id, or of the folder at that path, in which training wrote weights and a card.

    "best_response:ID" is the best answer to an agent, "restricted_nash:ID@P" the answer to one who plays as that agent
    in a share P of its decisions. An agent is returned as it is; a class of Player becomes an agent of its name.

    Args:
        given: An id, a path, an agent or a class of Player. "duelist@easy" names a level with the id.
        level: One of the agent's measured levels: "easy", "normal" or "hard", which is full strength.
        mistakes: The share of decisions that are mistakes, from 0 to 1; the level's unless given.
        temperature: From 0 (the likeliest choice alone) by 1 (as it plays) to 5; the level's unless given.

    Raises:
        AgentError: There is no such agent or level, or a number is out of bounds.
    """
    agent, words = _split(given, MOST_NESTED)
    if words and level is not None:
        raise AgentError(f"{show(given)} names a level and level={show(level)} another, allowed: one of them.")
    asked = {"mistakes": mistakes, "temperature": temperature}
    return _weakened(agent, words or level, {name: value for name, value in asked.items() if value is not None})


def _weakened(agent: Agent, words: Any, asked: Mapping[str, float] | None = None) -> Agent:
    """The agent at the level or with the difficulty that some words name, and what is asked beside that."""
    difficulty = read_words(words) if isinstance(words, str) else None
    if words is not None and difficulty is None:
        levelled = at_level(agent, words)  # an unknown level is refused
        if not asked:
            return levelled
        difficulty = agent.levels[words].difficulty
    chosen = replace(difficulty or Difficulty(), **(asked or {}))
    return weakened(agent, chosen) if chosen.words else agent


def _split(given: AgentLike, nested: int) -> tuple[Agent, str]:
    """Load an agent at full strength; return it with the text after the @, "" if there is none."""
    if not isinstance(given, str | PathLike):
        return as_agent(given), ""
    text = fspath(given)
    found = _found(text, nested)
    if found is not None:
        return found, ""
    id, at, words = text.rpartition("@")
    found = _found(id, nested) if at else None
    if found is not None:
        return found, words or "@"
    known = (*available(), *_POPULATION)
    close = difflib.get_close_matches((id if at else text)[:LONGEST_ID], known, n=2)
    hint = f" (did you mean {' or '.join(map(repr, close))}?)" if close else ""
    raise AgentError(
        f"There is no agent {show(text)}{hint}, allowed: {', '.join(available())}, best_response:ID, "
        f"restricted_nash:ID@P, or a folder with a {learned.CARD}."
    )


def _found(text: str, nested: int) -> Agent | None:
    """The agent of exactly this id or folder, if there is one."""
    known = {**_SHIPPED, **_POPULATION, **_REGISTERED}
    if text in known:
        return known[text]
    if text in _LEARNED:
        return _of_package(text)
    if nested == 0 and text.startswith((best_response.PREFIX, restricted_nash.PREFIX)):
        raise AgentError(f"There is no agent {show(text)}: answers answer each other {MOST_NESTED} deep at most.")
    if text.startswith(best_response.PREFIX):
        return best_response.best_response_to(_within(text.removeprefix(best_response.PREFIX), nested))
    if text.startswith(restricted_nash.PREFIX):
        id, share = restricted_nash.split_share(text.removeprefix(restricted_nash.PREFIX))
        return restricted_nash.restricted_nash_of(_within(id, nested), share)
    return learned.read_agent(Path(text)) if _holds_an_agent(text) else None


def _within(text: str, nested: int) -> Agent:
    """The agent that another one names."""
    agent, words = _split(text, nested - 1)
    return _weakened(agent, words or None)


def _holds_an_agent(folder: str) -> bool:
    """Whether a folder has a card; no path at all, or one that is too long, has none."""
    try:
        return bool(folder) and (Path(folder) / learned.CARD).is_file()
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
