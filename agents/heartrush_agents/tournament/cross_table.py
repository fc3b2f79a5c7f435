"""Who beats whom, how surely: the cross table of agents on a game.

    table = rate(["uniform", "might", "random"], HeartRush("duel"), fights=4000)
    print(table.as_text())

The row's agent commands one team, the column's agent all others, each team in turn. All meet the same dice: whoever
sits where, match m consists of the same fights of the same seed. Between the fights of a match players remember, so
these are no independent witnesses, and the intervals allow for that. An agent against itself is even by construction
and not played. Not here: one number for an agent's strength, since stances make a circle of strengths.
"""

from __future__ import annotations

import math
import multiprocessing
import os
import pickle
import signal
import threading
import warnings
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from heartrush_agents import Agent, AgentError, load
from heartrush_agents.base import AgentLike
from heartrush_agents.vector_player import VectorPlayer
from heartrush_env import __version__
from heartrush_env.core.errors import ScenarioWarning
from heartrush_env.core.game import MISSING, Batch, Game
from heartrush_env.core.intervals import wilson
from heartrush_env.envs.parallel import read_seed
from heartrush_env.envs.vector import at_least_one

SEED = 20250601  # of all ratings, unless another is given
MATCHES_TOGETHER = 100  # how many matches are one piece of work; a constant, so that no table depends on the machine
WIDTH = 120  # columns of text
THREADS = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
WIN, DRAW, LOSS = range(3)

Counts = NDArray[np.int64]  # (..., 3), by WIN, DRAW, LOSS
Lineup = tuple[str, ...]  # the agent's id of each team
Piece = tuple[Lineup, int, int]  # a piece of work: who, from which match, before which match
Found = TypeVar("Found")
Job = Callable[..., Found]  # takes what fight_out takes
Progress = Callable[[int, int], None]  # fights fought, of how many


# -- playing -----------------------------------------------------------------------------------------------------------


def rate(
    agents: Sequence[AgentLike],
    game: Game,
    *,
    against: Sequence[AgentLike] | None = None,
    fights: int = 4000,
    match: int = 20,
    seed: int = SEED,
    processes: int | None = None,
    progress: Progress | None = None,
) -> Table:
    """The cross table of these agents; the same arguments give the same table on any number of processes.

    Processes are started anew, so a program that rates with several must do so under `if __name__ == "__main__":`.

    Args:
        agents: Rows, as agents, ids or classes of Player; each must play the game, or AgentError says why it does not.
        game: What is fought, with the usual reward "win".
        against: Columns; the same as the rows unless given.
        fights: In each cell, shared evenly by the teams that the row's agent commands in turn, rounded up.
        match: After how many fights players forget their opponents.
        seed: Of all dice and choices.
        processes: How many work at once; one for each core unless given.
        progress: Called as fights are done.
    """
    rows = roster(agents)
    columns = rows if against is None else roster(against)
    everyone = {**columns, **rows}
    for agent in everyone.values():
        agent.seat(game)
    teams = tuple(dict.fromkeys(game.teams))
    cells = [(row, column) for row in rows for column in columns if row != column]
    if not cells:
        raise AgentError("A rating needs two different agents, for an agent against itself is always even.")
    plan = Plan(
        game,
        agents=everyone,
        lineups=tuple(dict.fromkeys(lineup(cell, len(teams), place) for cell in cells for place in range(len(teams)))),
        matches=split(math.ceil(at_least_one("fights", fights) / len(teams)), at_least_one("match", match)),
        seed=read_seed(seed) or 0,
    )
    counts = plan.played(
        at_least_one("processes", cores() if processes is None else processes), progress or (lambda done, total: None)
    )
    return Table(
        game=game.name,
        scenario=game.scenario_name,
        digest=game.digest,
        version=__version__,
        seed=plan.seed,
        fights=sum(plan.matches) * len(teams),
        match=match,
        teams=teams,
        columns=tuple(columns),
        outcomes={
            cell: np.stack([counts[lineup(cell, len(teams), place)][:, place] for place in range(len(teams))], axis=1)
            for cell in cells
        },
    )


def roster(agents: Sequence[AgentLike]) -> dict[str, Agent]:
    """The agents by id, each once."""
    found: dict[str, Agent] = {}
    for given in agents:
        agent = load(given)
        if agent.id in found:
            raise AgentError(f"The agent {agent.id!r} is named twice, allowed: once.")
        found[agent.id] = agent
    return found


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def lineup(cell: tuple[str, str], teams: int, place: int) -> Lineup:
    """Who commands each team when the row's agent has the team at that place and the column's agent the rest."""
    row, column = cell
    return tuple(row if team == place else column for team in range(teams))


def split(fights: int, match: int) -> tuple[int, ...]:
    """The fights of each match; the last one may be shorter."""
    whole, rest = divmod(fights, match)
    return (match,) * whole + ((rest,) if rest else ())


@dataclass(frozen=True)
class Plan:
    """All that is to be played."""

    game: Game
    agents: Mapping[str, Agent]
    lineups: tuple[Lineup, ...]
    matches: tuple[int, ...]  # the fights of each match, the same matches for every lineup
    seed: int

    def played(self, processes: int, progress: Progress) -> dict[Lineup, Counts]:
        """The outcomes of each lineup, (matches, teams, 3)."""
        counts: dict[Lineup, Counts] = {
            who: np.zeros((len(self.matches), len(who), 3), dtype=np.int64) for who in self.lineups
        }
        with closing(self.results(play, processes, progress)) as results:
            for (who, first, last), found in results:
                counts[who][first:last] = found
        return counts

    def results(
        self, job: Job[Found], processes: int, progress: Progress
    ) -> Generator[tuple[Piece, Found], None, None]:
        """What a job, a function of a module, makes of each piece of work; in the order in which they are done."""
        bounds = [*range(0, len(self.matches), MATCHES_TOGETHER), len(self.matches)]
        work = [(who, first, last) for who in self.lineups for first, last in pairwise(bounds)]
        processes = min(processes, len(work))
        self.game.batch(1).start([0], self.seed, [0])  # whatever is to be compiled is compiled here, once
        done, total = 0, len(self.lineups) * sum(self.matches)
        with closing(self._one_by_one(job, work) if processes == 1 else self._shared(job, work, processes)) as pieces:
            for piece, found in pieces:
                _, first, last = piece
                yield piece, found
                done += sum(self.matches[first:last])
                progress(done, total)

    def _one_by_one(self, job: Job[Found], work: Sequence[Piece]) -> Generator[tuple[Piece, Found], None, None]:
        for piece in work:
            yield piece, job(*self._arguments(*piece))

    def _shared(
        self, job: Job[Found], work: Sequence[Piece], processes: int
    ) -> Generator[tuple[Piece, Found], None, None]:
        """Each piece of work as soon as one of several processes is done with it."""
        for agent in self.agents.values():
            _check_that_it_travels(agent)
        others = set(multiprocessing.active_children())
        pool = ProcessPoolExecutor(processes, multiprocessing.get_context("spawn"), _serve_the_parent)
        try:
            with _deaf_to_interrupts(), _one_thread_each():  # as the workers are then from their start
                tasks = {pool.submit(job, *self._arguments(*piece)): piece for piece in work}
            for task in as_completed(tasks):
                yield tasks[task], task.result()
        except BaseException:  # Ctrl-C, an error, or nobody asks for the rest
            pool.shutdown(wait=False, cancel_futures=True)
            for worker in set(multiprocessing.active_children()) - others:
                worker.terminate()
            raise
        pool.shutdown()

    def _arguments(self, who: Lineup, first: int, last: int) -> tuple[Any, ...]:
        number = sum(self.matches[:first])
        return self.game, [self.agents[id] for id in who], self.matches[first:last], self.seed, number


def _check_that_it_travels(agent: Agent) -> None:
    """Raise unless the agent can be sent to another process."""
    try:
        pickle.dumps(agent)
    except (pickle.PicklingError, AttributeError, TypeError) as fault:
        raise AgentError(
            f"The agent {agent.id!r} cannot be sent to other processes: let a class or function of a module make its "
            "players, or rate with processes=1."
        ) from fault


def _serve_the_parent() -> None:
    """In a worker: leave Ctrl-C to the parent, and end with it, even if it is killed."""
    warnings.simplefilter("ignore", ScenarioWarning)  # the parent has given it
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # not yet so on Windows, or if no main thread started the worker
    threading.Thread(target=_end_with_the_parent, daemon=True).start()


def _end_with_the_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Ctrl-C does nothing for a moment; only a main thread can say so."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    usual = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)


@contextmanager
def _one_thread_each() -> Iterator[None]:
    """NumPy in the processes that are started meanwhile keeps to one thread: each core has a process of its own."""
    before = {name: os.environ.get(name) for name in THREADS}
    os.environ.update(dict.fromkeys(THREADS, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.__setitem__(name, value)


def play(game: Game, agents: Sequence[Agent], matches: Sequence[int], seed: int, number: int) -> Counts:
    """How each match ended for each team, (matches, teams, 3); the arguments are those of `fight_out`."""
    counts = np.zeros((len(matches), len(set(game.teams)), 3), dtype=np.int64)
    for ended in fight_out(game, agents, matches, seed, number):
        counts[ended.slots] += np.stack([ended.rewards > 0, ended.rewards == 0, ended.rewards < 0], axis=2)
    return counts


class Ended(NamedTuple):
    """Fights that came to their end in the same step."""

    slots: NDArray[np.intp]  # (ended,), their matches
    numbers: NDArray[np.int64]  # (ended,), which fight of its match each was, from 0 on
    rewards: NDArray[np.float32]  # (ended, teams)
    batch: Batch  # as it stands, with what these fights showed last


def fight_out(
    game: Game, agents: Sequence[Agent], matches: Sequence[int], seed: int, number: int
) -> Generator[Ended, None, None]:
    """Fight some matches out beside each other; yields the fights as they end.

    A match is a slot of a batch: slot s plays the fights number + s, number + s + slots, ... of the seed. A slot that
    has fought its match out goes on unasked and uncounted, so that short fights are not counted more often.

    Args:
        game: What is fought.
        agents: The agent of each team.
        matches: The fights of each match.
        seed: Of all dice and choices.
        number: Of the first fight.
    """
    slots, teams = len(matches), list(dict.fromkeys(game.teams))
    team_of = [teams.index(team) for team in game.teams]
    players = [
        VectorPlayer(
            agent,
            game,
            [(slot, seat) for slot in range(slots) for seat, own in enumerate(team_of) if own == team],
            np.random.default_rng([seed, number, team]),
        )
        for team, agent in enumerate(agents)
    ]
    batch = game.batch(slots)
    batch.start(range(slots), seed, range(number, number + slots))
    observations: dict[str, NDArray[Any]] = {"observation": batch.observations, "action_mask": batch.masks}
    actions = np.full(batch.out.shape, MISSING, dtype=np.int64)
    for player in players:
        player.new_match()
        player.new_fight()
    fights = np.array(matches)
    left = fights.copy()  # to come in each slot, the present one included
    first_seats = [team_of.index(team) for team in range(len(teams))]
    while left.any():
        for player in players:
            player.act(observations, actions, asked=left > 0)
        batch.step(actions, autoreset=True)
        ended = np.flatnonzero((batch.terminated | batch.truncated) & (left > 0))
        if len(ended):
            yield Ended(ended, (fights - left)[ended], batch.rewards[ended][:, first_seats], batch)
            left[ended] -= 1
            for player in players:
                player.new_fight(ended[left[ended] > 0])


# -- how sure it is ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Score:
    """What an agent made of its fights, with a 95 % interval."""

    score: float  # a win is 1, a loss 0, a draw an even share
    low: float
    high: float
    wins: int
    draws: int
    losses: int
    fights: int
    effective_fights: float  # how many independent fights would tell as much

    @property
    def reach(self) -> float:
        """How far the farther end of the interval is."""
        return max(self.high - self.score, self.score - self.low)


def measured(counts: Counts, draw: float) -> Score:
    """The score of some matches, (matches, 3), where a draw is worth so much."""
    wins, draws, losses = (int(count) for count in counts.sum(axis=0))
    fights = wins + draws + losses
    score = (wins + draw * draws) / fights
    effective = effective_fights(counts[:, WIN] + draw * counts[:, DRAW], counts.sum(axis=1))
    return Score(score, *wilson(score * effective, effective), wins, draws, losses, fights, effective)


def effective_fights(scores: NDArray[np.float64], fights: NDArray[np.int64]) -> float:
    """How many independent fights would tell as much as matches of such scores: Kish's effective sample size.

    The fights are divided by the design effect, which is how many times the variance that the matches show exceeds the
    variance of as many independent fights, and at least 1. A match alone shows none, so it counts as one fight.
    """
    matches, total = len(fights), float(fights.sum())
    share = float(scores.sum()) / total
    if matches == 1:
        return 1.0
    independent = share * (1 - share) / (total - 1)
    if independent <= 0:
        return total
    shown = matches / (matches - 1) * float(((scores - share * fights) ** 2).sum()) / total**2
    return total / max(1.0, shown / independent)


# -- the table ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Table:
    """A cross table: what the agents of the rows made of those of the columns."""

    game: str
    scenario: str
    digest: str | None
    version: str
    seed: int
    fights: int  # in each cell
    match: int
    teams: tuple[str, ...]
    columns: tuple[str, ...]
    outcomes: Mapping[tuple[str, str], Counts]  # (matches, teams, 3) of the row's agent, by its team

    @property
    def even(self) -> float:
        """The score of equals, and of a draw."""
        return 1 / len(self.teams)

    @property
    def rows(self) -> list[str]:
        """The agents of the rows, the best first."""
        ids = dict.fromkeys(row for row, _ in self.outcomes)
        return sorted(ids, key=lambda id: -self.mean(id).score)

    def cell(self, row: str, column: str) -> Score | None:
        """The score of one agent against another; None against itself. A match is its fights in all seatings."""
        counts = self.outcomes.get((row, column))
        return None if counts is None else measured(counts.sum(axis=1), self.even)

    def mean(self, row: str) -> Score:
        """The score of an agent against all others; they met the same dice, so a match is that against all of them."""
        return measured(self._of(row).sum(axis=1), self.even)

    def by_team(self, row: str) -> dict[str, float]:
        """The score of an agent against all others in each of the teams."""
        counts = self._of(row)
        return {team: measured(counts[:, place], self.even).score for place, team in enumerate(self.teams)}

    def _of(self, row: str) -> Counts:
        """All outcomes of an agent, (matches, teams, 3)."""
        found: Counts = np.sum([counts for (id, _), counts in self.outcomes.items() if id == row], axis=0)
        return found

    def as_dict(self) -> dict[str, Any]:
        """All of it, JSON-able."""
        return {
            **{name: getattr(self, name) for name in ("game", "scenario", "digest", "version", "seed")},
            **{name: getattr(self, name) for name in ("fights", "match", "even")},
            "teams": list(self.teams),
            "columns": list(self.columns),
            "agents": [{"id": row, **asdict(self.mean(row)), "by_team": self.by_team(row)} for row in self.rows],
            "cells": [
                {
                    "row": row,
                    "column": column,
                    **asdict(measured(counts.sum(axis=1), self.even)),
                    "by_team": {
                        team: asdict(measured(counts[:, place], self.even)) for place, team in enumerate(self.teams)
                    },
                }
                for (row, column), counts in self.outcomes.items()
            ],
        }

    def as_text(self, width: int = WIDTH) -> str:
        """Lines for people: with names and intervals where they fit into the width, else with numbered agents.

        Few agents against many are shown as columns beside each other.
        """
        order = [id for id in self.rows if id in self.columns] + [id for id in self.columns if id not in self.rows]
        lines = aligned([*self._left(self.rows), *(self._column(id, id) for id in order)])
        turned = len(lines[0]) > width and len(self.rows) < len(self.columns)
        if turned:
            lines = self._turned()
        if len(lines[0]) > width:
            lines, turned = self._numbered(order, width), False
        return "\n".join([*self.introduction(turned), "", *lines])

    def introduction(self, turned: bool = False) -> list[str]:
        """What the numbers are."""
        how = f"{self.fights} fights a cell in matches of {self.match}, seed {self.seed}"
        who = "the other" if len(self.teams) == 2 else f"the {len(self.teams) - 1} others"
        winner, loser = ("column", "row") if turned else ("row", "column")
        return [
            f"{self.scenario}: {how}.",
            f"Percent won by the {winner}'s agent in one team against the {loser}'s in {who}; "
            f"even is {100 * self.even:.4g}, and so is a draw.",
            "± is how far the farther end of the 95 % interval is.",
        ]

    def _turned(self) -> list[str]:
        """A line for each opponent, the weakest against the best of the rated agents first, then the means."""
        best = self.rows[0]
        order = sorted(self.columns, key=lambda id: -score.score if (score := self.cell(best, id)) else 1.0)
        heads = ["against", *order, "mean", *(f"as {team}" for team in self.teams)]
        columns = []
        for row in self.rows:
            cells = [written(self.cell(row, id)) for id in order]
            by_team = [f"{100 * score:.1f}" for score in self.by_team(row).values()]
            columns.append([row, *cells, written(self.mean(row)), *by_team])
        return aligned([heads, *columns])

    def _numbered(self, order: list[str], width: int) -> list[str]:
        """Agents by number, cells without intervals, and as many tables below each other as the width asks for."""
        numbers = {id: str(number) for number, id in enumerate(dict.fromkeys([*self.rows, *order]), 1)}
        names = ["", *(f"{numbers[row]:>{len(str(len(numbers)))}} {row}" for row in self.rows)]
        left, lines = [names, *self._left(self.rows)[1:]], list[str]()
        while order:
            fitting = 1
            cells = [self._column(id, numbers[id], short=True) for id in order]
            while fitting < len(cells) and len(aligned([*left, *cells[: fitting + 1]])[0]) <= width:
                fitting += 1
            lines += [*aligned([*left, *cells[:fitting]]), ""]
            left, order = [names], order[fitting:]
        reach = max(score.reach for cell in self.outcomes if (score := self.cell(*cell)))
        also = ", ".join(f"{numbers[id]} {id}" for id in self.columns if id not in self.rows)
        return [*lines, *([f"Columns: {also}."] if also else []), f"Cells are ±{100 * reach:.1f} at most."]

    def as_markdown(self) -> str:
        """A table for a page, with names and intervals."""
        order = [id for id in self.rows if id in self.columns] + [id for id in self.columns if id not in self.rows]
        columns = [*self._left(self.rows), *(self._column(id, id) for id in order)]
        head, *body = (f"| {' | '.join(cells)} |" for cells in zip(*columns, strict=True))
        rule = "|---|" + "---:|" * (len(columns) - 1)
        return "\n".join([" ".join(self.introduction()), "", head, rule, *body])

    def _left(self, rows: list[str]) -> list[list[str]]:
        """The columns before the cells: who, the mean, and the mean in each team."""
        by_team = [self.by_team(row) for row in rows]
        return [
            ["agent", *rows],
            ["mean", *(written(self.mean(row)) for row in rows)],
            *([f"as {team}", *(f"{100 * scores[team]:.1f}" for scores in by_team)] for team in self.teams),
        ]

    def _column(self, id: str, head: str, short: bool = False) -> list[str]:
        """The scores of all rows against an agent."""
        return [head, *(written(self.cell(row, id), short) for row in self.rows)]


def written(score: Score | None, short: bool = False) -> str:
    """A score in percent."""
    if score is None:
        return "-"
    return f"{100 * score.score:.1f}" + ("" if short else f" ±{100 * score.reach:.1f}")


def aligned(columns: Sequence[Sequence[str]]) -> list[str]:
    """Columns beside each other as lines, the first to the left and the others to the right."""
    widths = [max(map(len, column)) for column in columns]
    return [
        "  ".join(
            [cells[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(cells[1:], widths[1:], strict=True))]
        )
        for cells in zip(*columns, strict=True)
    ]
