"""A search for better values of an agent's numbers, by CMA-ES in fights against the agent with its usual values.

The search moves the logarithm of each number. A candidate fights on all given scenarios, on both sides and with the
dice of all others of its generation; its score is the share of fights that it wins, where draws count half. The result
is the mean of the search, tested on scenarios that the search has not seen.

A search is a JSON file, which is written after each generation. It resumes by asking and telling again what the file
holds, so that the file contains numbers alone.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from heartrush_agents import Agent, load
from heartrush_agents.arguments import arranged
from heartrush_agents.base import read_object
from heartrush_agents.tournament.play import DRAW, WIN, in_processes, play

from heartrush_env.tabletop.game import Game
from heartrush_env.tabletop.intervals import wilson
from heartrush_env.tabletop.registry import open_game
from heartrush_env.tabletop.text import show
from heartrush_env.tabletop.validate import join_or
from heartrush_env.tabletop.writing import replace_file
from heartrush_train.config import TrainingError

STEP: Final = 0.5  # the first standard deviation of logarithms
LARGEST_FILE: Final = 2**24  # bytes
Numbers = dict[str, float]
Report = Callable[[str], None]


@dataclass(frozen=True)
class Search:
    """The subject of a search, and its fights."""

    agent: str
    names: tuple[str, ...]  # of the numbers
    scenarios: tuple[str, ...]
    fights: int  # of a candidate on each scenario and side
    seed: int
    game: str


def names_of(agent: Agent, wanted: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the names of the numbers to search: the wanted ones, or all whose usual value is above 0."""
    found = tuple(name for name, argument in agent.arguments.items() if argument.usual > 0)
    if not found:
        raise TrainingError(f"{agent.id}: expected an agent that takes numbers above 0, got one that takes none.")
    for name in wanted:
        if name not in found:
            raise TrainingError(f"{agent.id}: expected numbers among {join_or(found)}, got {show(name)}.")
    return tuple(wanted) or found


def numbers_at(agent: Agent, names: Sequence[str], point: Sequence[float]) -> Numbers:
    """Return the numbers at a point of the search, within their bounds."""
    found = {}
    for name, power in zip(names, point, strict=True):
        argument = agent.arguments[name]
        found[name] = min(argument.high, max(argument.low, argument.usual * math.exp(min(power, 50.0))))
    return found


def fight(game: Game, own: Agent, other: Agent, fights: int, seed: int) -> tuple[int, int, int]:
    """Return the fights won and drawn by an agent, and all its fights, played on both sides."""
    won = drawn = 0
    for side, agents in enumerate(((own, other), (other, own))):
        counts = play(game, agents, [1] * fights, seed, 0).sum(axis=0)[side]
        won, drawn = won + int(counts[WIN]), drawn + int(counts[DRAW])
    return won, drawn, 2 * fights


class Tuning:
    """A search under way, kept in a file."""

    def __init__(self, search: Search, file: Path, processes: int = 1) -> None:
        """Begin a search, or go on with the one in the file."""
        import cma

        self.search, self._file, self._processes = search, file, processes
        self._games = [open_game({"game": search.game, "scenario": name}) for name in search.scenarios]
        self._usual = load(search.agent)
        for game in self._games:
            if len(set(game.teams)) != 2:
                raise TrainingError(f"{game.scenario_name}: expected two teams, got {len(set(game.teams))}.")
            self._usual.seat(game)
        options = {"seed": search.seed + 1, "verbose": -9}  # cma takes 0 for a random seed
        self._evolution = cma.CMAEvolutionStrategy([0.0] * len(search.names), STEP, options)
        self.generations: list[list[float]] = []
        for scores in self._written():
            self._evolution.tell(self._evolution.ask(), [-score for score in scores])
            self.generations.append(scores)

    def _written(self) -> list[list[float]]:
        """Return the scores of all generations in the file; none if there is no file."""
        if not self._file.exists():
            return []
        found = read_object(self._file, LARGEST_FILE, "a search")
        if found.get("search") != json.loads(json.dumps(asdict(self.search))):
            raise TrainingError(
                f"{self._file}: expected the search of this command, got another one; name another file or delete it."
            )
        scores: Any = found.get("generations")
        if not (isinstance(scores, list) and all(map(self._scored, scores))):
            raise TrainingError(
                f"{self._file}: generations: expected lists of {self._evolution.popsize} numbers from 0 to 1, "
                f"got {show(scores)}."
            )
        return list(scores)

    def _scored(self, scores: Any) -> bool:
        """Return whether these are the scores of one generation."""
        many = isinstance(scores, list) and len(scores) == self._evolution.popsize
        return many and all(type(score) in (int, float) and 0 <= score <= 1 for score in scores)

    @property
    def numbers(self) -> Numbers:
        """The numbers in the middle of the search so far."""
        point = self._evolution.result.xfavorite if self.generations else [0.0] * len(self.search.names)
        return numbers_at(self._usual, self.search.names, point)

    def run(self, generations: int, seconds: float, report: Report) -> None:
        """Search until there are this many generations, or as many seconds have passed."""
        end = time.monotonic() + seconds
        while len(self.generations) < generations and time.monotonic() < end:
            points = self._evolution.ask()
            scores = self._scores([numbers_at(self._usual, self.search.names, point) for point in points])
            self._evolution.tell(points, [-score for score in scores])
            self.generations.append(scores)
            table = {"search": asdict(self.search), "generations": self.generations, "numbers": self.numbers}
            replace_file(self._file, json.dumps(table).encode(), TrainingError)
            mean = sum(scores) / len(scores)
            report(f"generation {len(self.generations)}: {mean:.1%} of fights won, at best {max(scores):.1%}")

    def _scores(self, candidates: Sequence[Numbers]) -> list[float]:
        """Return the share of fights that each candidate wins against the usual agent."""
        seed = self.search.seed + 1 + len(self.generations)  # new dice in each generation
        agents = [arranged(self._usual, None, numbers) for numbers in candidates]
        work = [(game, own, self._usual, self.search.fights, seed) for own in agents for game in self._games]
        points = [0.0] * len(agents)
        for place, (won, drawn, total) in in_processes(fight, work, min(self._processes, len(work))):
            points[place // len(self._games)] += (won + drawn / 2) / total / len(self._games)
        return points


def measured(
    search: Search, numbers: Mapping[str, float], scenarios: Sequence[str], fights: int, processes: int = 1
) -> dict[str, Any]:
    """Return how an agent with these numbers does against its usual self on some scenarios, JSON-able."""
    usual = load(search.agent)
    own = arranged(usual, None, numbers)
    games = [open_game({"game": search.game, "scenario": name}) for name in scenarios]
    work = [(game, own, usual, fights, search.seed) for game in games]
    found = [counts for _, counts in in_processes(fight, work, min(processes, len(work)))]
    won, drawn, total = (sum(counts) for counts in zip(*found, strict=True))
    low, high = wilson(won + drawn / 2, total)
    share = (won + drawn / 2) / total
    return {"scenarios": [*scenarios], "fights": total, "drawn": drawn, "share": share, "low": low, "high": high}
