"""The registry, which finds the package's agents and those that you register by id, and trained agents by folder.

An id names one agent, whatever game is played. The agents of a game of ROOMS are in `heartrush_agents.GAME.roster`, a
module that may have these members:

- `ENEMIES`, the agents that `available` lists.
- `UNLISTED`, agents that only `load` knows.
- `USUAL`, the id of the agent that plays where none is named; without it, `uniform`.
- `PLAYERS`, the ids of the agents that play the party of an encounter, by the kinds beginner, practised and reader;
  without it, the usual agent plays.
- `YARDSTICK`, the id of the agent against which levels are measured; without it, `uniform`.
- `POPULATION`, the ids of the bots of the arena; without it, all agents that play the game and decide at once.
- `OF_SOLVED_DUELS`, the ids of further bots of the arena, for games that they can solve.
- `exact_scores(agents, game)`, which returns what exact best responses win from agents.
- `VIEWS`, texts like "package.module:function" for functions that read the cards of weights with views of the game's
  own, by the names of the views.
- `CHARACTERS`, the enemies with a name, a text and a temper, by id; `HABITS`, the ids of the bots that measure them.
- `FAMILIES`, functions that read ids such as best_response:ID, by the beginnings of these ids.

Two families of agents respond to another agent, named by id or folder: `best_response:ID` and `restricted_nash:ID@P`
with a probability P, 0.5 by default. They need a duel that the solver supports, under the rules profile "plain".
`thinker:ID` thinks like `thinker`, and searches with another agent.

After any id or folder, `@easy` or `@7` selects one of the agent's levels, and `@mistakes=0.2,temperature=1.5` a
difficulty; numbers that the agent takes follow by name, as in `berserker@7,aggression=0.9`.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from functools import cache
from importlib import import_module
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Final

from heartrush_agents.any_game.searcher import SEARCHER
from heartrush_agents.arguments import arranged, read_words
from heartrush_agents.base import Agent, AgentError, AgentLike, as_agent
from heartrush_agents.learned import agent as learned
from heartrush_agents.learned.agent import LONGEST_ID
from heartrush_env.tabletop.game import Game
from heartrush_env.tabletop.registry import DEFAULT_GAME
from heartrush_env.tabletop.text import show

# The games with agents of their own: the folders with a roster.
ROOMS: Final = tuple(sorted(path.parent.name for path in Path(__file__).parent.glob("*/roster.py")))
BEGINNER: Final = "uniform"  # plays every game like a person who has just learned the rules
MOST_NESTED: Final = 4  # how deep an id may name agents within agents

_LEARNED = learned.shipped()
_OF_ANY_GAME = {SEARCHER.id: SEARCHER}
_REGISTERED: dict[str, Agent] = {}


def told(game: str, name: str, usual: Any = ()) -> Any:
    """Return a member of the module with the agents of a game, or `usual` if there is no such module or member."""
    return getattr(import_module(f"heartrush_agents.{game}.roster"), name, usual) if game in ROOMS else usual


@cache
def _shipped() -> dict[str, Agent]:
    """Return the listed agents of the package by id, without those that were trained or play any game."""
    return {agent.id: agent for game in ROOMS for agent in told(game, "ENEMIES")}


@cache
def _unlisted() -> dict[str, Agent]:
    """Return the agents of the package that only `load` knows, by id."""
    return {agent.id: agent for game in ROOMS for agent in told(game, "UNLISTED")}


@cache
def _families() -> dict[str, Callable[[str, Callable[[str], Agent]], Agent | None]]:
    """Return the functions that read the ids of families, by the beginnings of these ids."""
    return {begin: read for game in ROOMS for begin, read in told(game, "FAMILIES", {}).items()}


def available() -> tuple[str, ...]:
    """Return the ids of all agents, the package's first; further bots are in `population()`.

    The families `best_response:ID`, `restricted_nash:ID@P` and `thinker:ID` are not listed, because they exist for
    every agent.
    """
    return (*_shipped(), *_LEARNED, *_OF_ANY_GAME, *_REGISTERED)


def unlisted() -> tuple[str, ...]:
    """Return the ids of the package's agents that only `load` knows."""
    return tuple(_unlisted())


def quick() -> tuple[str, ...]:
    """Return the ids in `available()` of agents that decide at once, for comparisons over many fights."""
    return tuple(id for id in available() if not load(id).takes_time)


def characters() -> dict[str, Any]:
    """Return the enemies with a name, a text and a temper, by id."""
    return {id: each for game in ROOMS for id, each in told(game, "CHARACTERS", {}).items()}


def usual_agent(game: str) -> str:
    """Return the id of the agent that plays a game where none is named."""
    found: str = told(game, "USUAL", BEGINNER)
    return found


def population(game: Game | None = None) -> tuple[str, ...]:
    """Return the ids of the mind-game arena's bots in fixed order: those that can play `game`, by default Heart Rush's.

    A game without such bots has all agents that play it and decide at once.
    """
    if game is None:
        found: tuple[str, ...] = told(DEFAULT_GAME, "POPULATION")
        return found
    return tuple(id for id, reason in _members(game).items() if reason is None)


def left_out(game: Game) -> dict[str, str]:
    """Return why bots of the arena's population cannot play this game, by id; omits bots that can."""
    return {id: reason for id, reason in _members(game).items() if reason is not None}


def _members(game: Game) -> dict[str, str | None]:
    """Return why each bot made for the arena of a game cannot play it, by id, or None where it can."""
    made = (*told(game.name, "POPULATION"), *told(game.name, "OF_SOLVED_DUELS"))
    reasons = {id: load(id).plays(game) for id in made or quick()}
    return reasons if made else {id: None for id, reason in reasons.items() if reason is None}


def load(
    given: AgentLike,
    *,
    level: str | int | None = None,
    mistakes: float | None = None,
    temperature: float | None = None,
    **arguments: float,
) -> Agent:
    """Load an agent by its id, or by the folder in which training wrote its weights and card.

    "best_response:ID" is a best response to an agent; "restricted_nash:ID@P" responds to an opponent that plays like
    that agent in a fraction P of its decisions; "thinker:ID" searches with an agent. An agent is returned as it is; a
    subclass of Player becomes an agent.

    Args:
        given: An id, a path, an agent or a subclass of Player. The id may include a level, as in "duelist@easy", and
            numbers, as in "berserker@7,aggression=0.9".
        level: One of the agent's calibrated levels: 1 to 10, or "easy", "normal" or "hard"; 10 and "hard" are full
            strength.
        mistakes: Fraction of decisions that are mistakes, from 0 to 1; by default the level's.
        temperature: From 0 (only the likeliest choice) through 1 (as trained) to 5; by default the level's.
        arguments: Further numbers that the agent takes, by name: see its `arguments`.

    Raises:
        AgentError: The agent, level or argument does not exist, or a number is out of bounds.
    """
    agent, words = _split(given, MOST_NESTED)
    named, numbers = read_words(words, agent) if words else (None, {})
    if named is not None and level is not None:
        raise AgentError(f"{show(given)} and level={show(level)}: expected the level once, got it twice.")
    asked = {"mistakes": mistakes, "temperature": temperature, **arguments}
    numbers |= {name: value for name, value in asked.items() if value is not None}
    return arranged(agent, level if named is None else named, numbers)


def _split(given: AgentLike, nested: int) -> tuple[Agent, str]:
    """Load an agent at full strength, and return it with the text after the @; "" if there is no @."""
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
    known = (*available(), *_unlisted())
    close = difflib.get_close_matches((id if at else text)[:LONGEST_ID], known, n=2)
    hint = f" (did you mean {' or '.join(map(repr, close))}?)" if close else ""
    raise AgentError(
        f"Unknown agent {show(text)}{hint}, expected {', '.join(available())}, best_response:ID, "
        f"restricted_nash:ID@P, thinker:ID, or a folder with a {learned.CARD}."
    )


def _found(text: str, nested: int) -> Agent | None:
    """Return the agent with exactly this id or folder, or None."""
    known = {**_shipped(), **_OF_ANY_GAME, **_unlisted(), **_REGISTERED}
    if text in known:
        return known[text]
    if text in _LEARNED:
        return _of_package(text)
    for begin, read in _families().items():
        if text.startswith(begin):
            if nested == 0:
                raise AgentError(
                    f"There is no agent {show(text)}: responses to responses may be at most {MOST_NESTED} deep."
                )
            found = read(text.removeprefix(begin), lambda inner: _within(inner, nested))
            if found is not None:
                return found
    return learned.read_agent(Path(text), _views()) if _holds_an_agent(text) else None


def _within(text: str, nested: int) -> Agent:
    """Return the agent named inside another agent's id."""
    agent, words = _split(text, nested - 1)
    return arranged(agent, *read_words(words, agent)) if words else agent


def _holds_an_agent(folder: str) -> bool:
    """Return whether a folder has a card; False for text that is not a valid path."""
    try:
        return bool(folder) and (Path(folder) / learned.CARD).is_file()
    except (OSError, ValueError):
        return False


@cache
def _views() -> dict[str, str]:
    """Return the functions that read agents whose weights have a view of a game's own, by the names of the views."""
    return {name: path for game in ROOMS for name, path in told(game, "VIEWS", {}).items()}


@cache
def _of_package(id: str) -> Agent:
    """Return a learned agent of the package, read on first use."""
    return learned.read_agent(_LEARNED[id], _views())


def ships(id: str) -> bool:
    """Return whether the package has an agent of its own with this id; the families' agents do not count."""
    return id in (*_shipped(), *_LEARNED, *_OF_ANY_GAME, *_unlisted())


def register(agent: Agent) -> Agent:
    """Register an agent under its id, replacing an earlier one that you registered, and return it."""
    if ships(agent.id):
        shipped = (*_shipped(), *_LEARNED, *_OF_ANY_GAME)
        raise AgentError(
            f"Expected an id that no agent of the package has, got {agent.id!r}; the ids taken are "
            f"{', '.join(shipped)}, and all others of population()."
        )
    _REGISTERED[agent.id] = agent
    return agent
