"""Opponents for a person: the agents that can play a game, weakest first, with their strength and levels in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from heartrush_agents import available, load
from heartrush_agents.base import Agent
from heartrush_agents.difficulty import HARD, measured
from heartrush_agents.registry import characters as persons
from heartrush_agents.registry import usual_agent

from heartrush_env.tabletop.game import Game
from heartrush_env.tabletop.menus import Choice

WORDS = ((15, "harmless"), (40, "weak"), (50, "fair"), (65, "able"), (80, "strong"), (101, "very strong"))
UNMEASURED = "unmeasured"
USUAL, MIDDLE = "swordmaster", 5  # the character and level that Enter selects
LEVELS = (
    "An id alone is full strength. @1 to @10 after it sets the level, as in berserker@3: "
    "@1 makes the most mistakes, @10 none."
)


@dataclass(frozen=True)
class Opponent:
    """An agent and its measured strength."""

    agent: Agent
    score: float | None  # percent won against the panel
    name: str = ""  # only a character has one
    says: str = ""

    @property
    def stars(self) -> int:
        """The agent's strength, from 0 to 5."""
        return 0 if self.score is None else next(k for k, (below, _) in enumerate(WORDS) if self.score < below)

    @property
    def word(self) -> str:
        """The agent's strength as a word."""
        return UNMEASURED if self.score is None else next(word for below, word in WORDS if self.score < below)

    @property
    def weaker(self) -> list[str]:
        """The ids of the agent's levels below full strength."""
        return [f"{self.agent.id}@{name}" for name in self.agent.levels if name != HARD]

    @property
    def about(self) -> str:
        """A description of the agent with its measured win rates."""
        share = "" if self.score is None else f" Wins {self.score:.0f} % against the panel."
        levels = [
            f"{self.agent.id}@{name} wins {level.against['uniform'][0]:.0f} % against uniform"
            for name, level in self.agent.levels.items()
            if "uniform" in level.against
        ]
        words = f" {', '.join(levels)}." if levels else ""
        return f"{self.agent.id} ({self.word}): {self.agent.description}{share}{words}"

    @property
    def level_names(self) -> list[Choice[str]]:
        """The agent's levels as choices, by its id or by its character's name."""
        return [
            Choice(f"{self.agent.id}@{level}", f"{self.agent.id}@{level}", names)
            for level in self.agent.levels
            for names in [tuple(f"{word}{mark}{level}" for word in (self.agent.id, self.name) if word for mark in " @")]
        ]


def ranked(game: Game) -> list[Opponent]:
    """Return the bots that can play the game, weakest first; unmeasured ones come last, and then the game's usual."""
    scores = measured().get("strengths", {}).get("scores", {})
    ids = dict.fromkeys((*available(), usual_agent(game.name)))
    known = [agent for agent in map(load, ids) if agent.id not in persons() and agent.plays(game) is None]
    return _sorted(Opponent(agent, scores[agent.id][0] if agent.id in scores else None) for agent in known)


def characters(game: Game) -> list[Opponent]:
    """Return the characters that can play the game, weakest first, by their results against bots with habits."""
    found = []
    for id, each in persons().items():
        agent = load(id)
        *_, full = agent.levels.values()
        score = full.against["habits"][0] if "habits" in full.against else None
        found.append(Opponent(agent, score, each.name, each.says))
    return _sorted(each for each in found if each.agent.plays(game) is None)


def _sorted(opponents: Iterable[Opponent]) -> list[Opponent]:
    return sorted(opponents, key=lambda each: 100.0 if each.score is None else each.score)


def usual(people: Sequence[Opponent], bots: Sequence[Opponent]) -> str:
    """Return the id of the opponent to suggest: a character at a middle level, or the strongest bot."""
    ids = [each.agent.id for each in people]
    if not ids:
        return bots[-1].agent.id
    return f"{USUAL if USUAL in ids else ids[0]}@{MIDDLE}"


def choices(opponents: Sequence[Opponent]) -> tuple[list[Choice[str]], list[Choice[str]]]:
    """Return the choices that may be typed, in two lists: the ids and names that are shown, and the levels."""
    levels = [choice for each in opponents for choice in each.level_names]
    return [Choice(each.agent.id, each.agent.id, (each.name,) if each.name else ()) for each in opponents], levels


def portraits(people: Sequence[Opponent], star: str) -> list[str]:
    """Return a line for each character: its id, stars, name and description."""
    width = max(len(each.agent.id) for each in people)
    most = len(WORDS) - 1
    return [f"{each.agent.id:<{width}}  {star * each.stars:<{most}}  {each.name}. {each.says}" for each in people]


def lines(opponents: Sequence[Opponent]) -> list[str]:
    """Return a line for each bot, in columns."""
    width = max(len(each.agent.id) for each in opponents)
    words = max(len(word) for _, word in WORDS)
    rows = [
        f"{each.agent.id:<{width}}  {each.word:<{words}}" + (f"  or {', '.join(each.weaker)}" if each.weaker else "")
        for each in opponents
    ]
    return [row.rstrip() for row in rows]


def explained(opponents: Sequence[Opponent]) -> list[str]:
    """Return an explanation of the strength words, then a description of each bot."""
    found = measured().get("strengths")
    bounds = [f"{word} below {below} %" for below, word in WORDS[:-1]]
    how = (
        f"Words rate an agent's wins on {found['scenario']} against {', '.join(found['panel'])}: "
        f"{', '.join(bounds)}, {WORDS[-1][1]} above that."
        if found
        else "Their strength has not been measured."
    )
    levels = "easy and normal are the same agent with mistakes: type duelist@easy, or duelist easy."
    return [how, levels, *(each.about for each in opponents)]


def introduced(people: Sequence[Opponent]) -> list[str]:
    """Return an explanation of the stars, then a full description of each character."""
    bounds = [f"{k} from {below} %" for k, (below, _) in enumerate(WORDS[:-1], start=1)]
    how = (
        "Stars show how often a character of full strength wins its duels against players with habits: "
        f"{', '.join(bounds)}."
    )
    return [how, LEVELS, *(f"{each.agent.id}: {each.name}. {persons()[each.agent.id].text}" for each in people)]
