"""Named levels and arguments of agents, in Python calls and in the text after the @ of an id.

    load("berserker", level=7, aggression=0.9)   load("berserker@7,aggression=0.9")   load("duelist@mistakes=0.2")

Every agent takes `mistakes` and `temperature`. An agent may take further numbers; its `arguments` list them with their
bounds. The level, if any, is written first and sets the numbers that it was calibrated with. Numbers given by name
override the level's numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final

from heartrush_agents.base import Agent, AgentError, Difficulty, Level, Player
from heartrush_agents.difficulty import IN_WORDS, weakened
from heartrush_env.tabletop.game import Game
from heartrush_env.tabletop.text import show
from heartrush_env.tabletop.validate import join_or

COMMON: Final = tuple(field.name for field in fields(Difficulty))  # arguments that every agent takes


@dataclass(frozen=True)
class Tuned:
    """A factory of an agent's players with preset arguments."""

    agent: Agent
    arguments: tuple[tuple[str, float], ...]

    def __call__(self, game: Game, **more: float) -> Player:
        """Make a player for one seat of the game."""
        return self.agent.make(game, **{**dict(self.arguments), **more})


def arranged(agent: Agent, level: Any, given: Mapping[str, Any]) -> Agent:
    """Return the agent at the given level with these arguments, or the agent itself if nothing is given.

    Raises:
        AgentError: The agent does not have the level or take an argument, or a number is out of bounds.
    """
    allowed = (*COMMON, *agent.arguments)
    for name in given:
        if name not in allowed:
            raise AgentError(f"{agent.id}: expected one of the arguments {join_or(allowed)}, got {show(name)}.")
    chosen = level_of(agent, level) if level is not None else Level(Difficulty())
    difficulty = replace(chosen.difficulty, **{name: given[name] for name in COMMON if name in given})
    asked = {name: agent.arguments[name].checked(name, given[name]) for name in agent.arguments if name in given}
    tuned = tuple(sorted({**chosen.arguments, **asked}.items()))
    made = replace(agent, make=Tuned(agent, tuned)) if tuned else agent
    usual = {} if level is not None else {field.name: field.default for field in fields(Difficulty)}
    common = {name: getattr(difficulty, name) for name in COMMON if name in given}
    numbers = [f"{name}={value:g}" for name, value in {**asked, **common}.items() if usual.get(name) != value]
    words = ",".join([*([] if level is None else [str(level)]), *numbers])
    if difficulty.words or level is not None:
        return weakened(made, difficulty, f"{agent.id}@{words}")
    return replace(made, id=f"{agent.id}@{words}", levels={}) if words else agent


def level_of(agent: Agent, level: Any) -> Level:
    """Return the agent's level of this name or number; raise AgentError if the agent does not have it."""
    if not agent.levels:
        raise AgentError(
            f"The agent {agent.id!r} has no levels; use mistakes and temperature instead, as in "
            f"{agent.id}@mistakes=0.2."
        )
    name = str(level) if isinstance(level, str | int) and not isinstance(level, bool) else ""
    found = agent.levels.get(name) or agent.levels.get(IN_WORDS.get(name, ""))
    if found is None:
        raise AgentError(f"{agent.id}: expected one of the levels {', '.join(agent.levels)}, got {show(level)}.")
    return found


def read_words(words: str, agent: Agent) -> tuple[str | None, dict[str, float]]:
    """Parse the words after an @, such as "7,aggression=0.9", into a level (None if absent) and numbers by name."""
    first, *rest = words.split(",")
    level = None if "=" in first else first
    found: dict[str, float] = {}
    for pair in rest if level is not None else [first, *rest]:
        name, equals, text = pair.partition("=")
        allowed = (*COMMON, *agent.arguments)
        if not equals or name not in allowed or name in found:
            raise AgentError(
                f"{show(words)}: expected {join_or(allowed)}, each at most once, as name=value, got {show(name)}."
            )
        try:
            found[name] = float(text)
        except ValueError:
            raise AgentError(f"{name}: expected a number, got {show(text)}.") from None
    return level, found
