"""Opponents for a person: the agents that play a game, weakest first, with their strength and levels in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from heartrush_agents import available, load
from heartrush_agents.base import Agent
from heartrush_agents.difficulty import HARD, NORMAL, measured

from heartrush_env.core.game import Game
from heartrush_env.heart_rush.narration.menu import Choice
from heartrush_env.server.lobby import USUAL

WORDS = ((15, "harmless"), (40, "weak"), (50, "fair"), (65, "able"), (80, "strong"), (101, "very strong"))
UNMEASURED = "unmeasured"


@dataclass(frozen=True)
class Opponent:
    """An agent and its measured strength."""

    agent: Agent
    score: float | None  # percent won against the panel

    @property
    def word(self) -> str:
        """Its strength, in a word."""
        return UNMEASURED if self.score is None else next(word for below, word in WORDS if self.score < below)

    @property
    def weaker(self) -> list[str]:
        """The ids of its levels below full strength."""
        return [f"{self.agent.id}@{name}" for name in self.agent.levels if name != HARD]

    @property
    def about(self) -> str:
        """Everything known about it."""
        share = "" if self.score is None else f" Wins {self.score:.0f} % against the panel."
        levels = [
            f"{self.agent.id}@{name} wins {level.against['uniform'][0]:.0f} % against uniform"
            for name, level in self.agent.levels.items()
            if "uniform" in level.against
        ]
        words = f" {', '.join(levels)}." if levels else ""
        return f"{self.agent.id} ({self.word}): {self.agent.description}{share}{words}"


def ranked(game: Game) -> list[Opponent]:
    """The agents that play the game, by strength; unmeasured ones come last."""
    scores = measured().get("strengths", {}).get("scores", {})
    known = [agent for agent in map(load, available()) if agent.plays(game) is None]
    found = [Opponent(agent, scores[agent.id][0] if agent.id in scores else None) for agent in known]
    return sorted(found, key=lambda each: 100.0 if each.score is None else each.score)


def usual(opponents: Sequence[Opponent]) -> str:
    """The id of the default opponent."""
    by_id = {each.agent.id: each for each in opponents}
    id = next((id for id in USUAL if id in by_id), opponents[-1].agent.id)
    return f"{id}@{NORMAL}" if NORMAL in by_id[id].agent.levels else id


def choices(opponents: Sequence[Opponent]) -> tuple[list[Choice[str]], list[Choice[str]]]:
    """The choices that may be typed: the ids in the list, and those of levels."""
    levels = [
        Choice(f"{each.agent.id}@{name}", f"{each.agent.id}@{name}", (f"{each.agent.id} {name}",))
        for each in opponents
        for name in each.agent.levels
    ]
    return [Choice(each.agent.id, each.agent.id) for each in opponents], levels


def lines(opponents: Sequence[Opponent]) -> list[str]:
    """A line for each, in columns."""
    width = max(len(each.agent.id) for each in opponents)
    words = max(len(word) for _, word in WORDS)
    rows = [
        f"{each.agent.id:<{width}}  {each.word:<{words}}" + (f"  or {', '.join(each.weaker)}" if each.weaker else "")
        for each in opponents
    ]
    return [row.rstrip() for row in rows]


def explained(opponents: Sequence[Opponent]) -> list[str]:
    """The meaning of the words, then each opponent."""
    found = measured().get("strengths")
    bounds = [f"{word} below {below} %" for below, word in WORDS[:-1]]
    how = (
        f"Words rate an agent's wins on {found['scenario']} against {', '.join(found['panel'])}: "
        f"{', '.join(bounds)}, {WORDS[-1][1]} above that."
        if found
        else "Nobody has measured how strong they are."
    )
    levels = "easy and normal are the same agent with mistakes: type duelist@easy, or duelist easy."
    return [how, levels, *(each.about for each in opponents)]
