"""Matches between agents, played in parallel processes; tables, arenas and tournaments evaluate the results.

All lineups use the same dice: match m consists of the same fights with the same seed. Players remember earlier fights
of a match.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import pairwise
from multiprocessing.synchronize import Event as ProcessEvent
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from heartrush_agents import Agent, AgentError, load
from heartrush_agents.base import AgentLike
from heartrush_agents.vector_player import VectorPlayer
from heartrush_env.tabletop.arguments import at_least_one
from heartrush_env.tabletop.errors import HeartRushError, ScenarioWarning
from heartrush_env.tabletop.game import MISSING, Batch, Game
from heartrush_env.tabletop.validate import join_or

SEED = 20250601  # the default seed of all ratings
MATCHES_TOGETHER = 100  # matches per piece of work; a constant, so that no table depends on the machine
THREADS = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
NO_GUARD = (
    "The worker processes ended before they began, as they do when they run a script again without a main guard; "
    'put the calls of the script below `if __name__ == "__main__":`, or give processes=1.'
)
WIN, DRAW, LOSS = range(3)

Counts = NDArray[np.int64]  # (..., 3), by WIN, DRAW, LOSS
Cell = tuple[str, str]  # the ids of a row's and a column's agent
Lineup = tuple[str, ...]  # the id of each team's agent
Piece = tuple[Lineup, int, int]  # a piece of work: the lineup, its first match, and the end of its matches
Found = TypeVar("Found")
Job = Callable[..., Found]  # takes the arguments of fight_out
Progress = Callable[[int, int], None]  # fights played, total


def agents_by_id(agents: Sequence[AgentLike]) -> dict[str, Agent]:
    """Return the agents by id; raise AgentError if one is named twice."""
    found: dict[str, Agent] = {}
    for given in agents:
        agent = load(given)
        if agent.id in found:
            raise AgentError(f"Expected different agents, got {agent.id!r} twice.")
        found[agent.id] = agent
    return found


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def lineup(cell: Cell, teams: int, place: int) -> Lineup:
    """Return each team's agent: the row's agent for the team at index `place`, the column's agent for the others."""
    row, column = cell
    return tuple(row if team == place else column for team in range(teams))


def lineups(cells: Iterable[Cell], teams: int, places: Sequence[int]) -> tuple[Lineup, ...]:
    """Return the lineups of cells, without repetitions, with the row's agent on each of the teams `places` in turn."""
    return tuple(dict.fromkeys(lineup(cell, teams, place) for cell in cells for place in places))


def cells_of(
    game: Game, rows: Mapping[str, Agent], columns: Mapping[str, Agent], side: str | None = None
) -> tuple[list[Cell], Sequence[int]]:
    """Return the cells of these rows and columns, and the indices of the teams that the rows' agents have in turn.

    An agent fights itself only if `side` is given, because over all teams in turn it is even with itself.

    Raises:
        AgentError: An agent cannot play the game, the side is not a team, or there is no cell.
    """
    for agent in {**columns, **rows}.values():
        agent.seat(game)
    teams = list(dict.fromkeys(game.teams))
    if side is not None and side not in teams:
        raise AgentError(f"side: expected a team of {game.scenario_name!r} ({join_or(teams)}), got {side!r}.")
    cells = [(row, column) for row in rows for column in columns if row != column or side is not None]
    if not cells:
        raise AgentError("A rating needs two different agents, because an agent against itself is always even.")
    return cells, range(len(teams)) if side is None else [teams.index(side)]


def split(fights: int, match: int) -> tuple[int, ...]:
    """Return the number of fights of each match; the last match may be shorter."""
    whole, rest = divmod(fights, match)
    return (match,) * whole + ((rest,) if rest else ())


@dataclass(frozen=True)
class Plan:
    """The matches to play: their game, agents, lineups, lengths and seed."""

    game: Game
    agents: Mapping[str, Agent]
    lineups: tuple[Lineup, ...]
    matches: tuple[int, ...]  # the number of fights of each match, for every lineup
    seed: int

    def play(self, processes: int | None, progress: Progress | None) -> dict[Lineup, Counts]:
        """Play the plan and return the outcomes of each lineup, (matches, teams, 3)."""
        counts: dict[Lineup, Counts] = {
            who: np.zeros((len(self.matches), len(who), 3), dtype=np.int64) for who in self.lineups
        }
        with closing(self.results(play, processes, progress)) as results:
            for (who, first, last), found in results:
                counts[who][first:last] = found
        return counts

    def results(
        self, job: Job[Found], processes: int | None, progress: Progress | None
    ) -> Generator[tuple[Piece, Found], None, None]:
        """Yield the results of a job, a module-level function, for each piece of work as it finishes.

        There is one process per core by default.
        """
        bounds = [*range(0, len(self.matches), MATCHES_TOGETHER), len(self.matches)]
        work = [(who, first, last) for who in self.lineups for first, last in pairwise(bounds)]
        processes = min(at_least_one("processes", cores() if processes is None else processes), len(work))
        self.game.batch(1).start([0], self.seed, [0])  # everything that needs compiling is compiled here, once
        done, total = 0, len(self.lineups) * sum(self.matches)
        if processes > 1:
            for agent in self.agents.values():
                _check_that_it_travels(agent)
        arguments = [self._arguments(*piece) for piece in work]
        with closing(in_processes(job, arguments, processes)) as found_pieces:
            for place, found in found_pieces:
                _, first, last = piece = work[place]
                yield piece, found
                done += sum(self.matches[first:last])
                if progress is not None:
                    progress(done, total)

    def _arguments(self, who: Lineup, first: int, last: int) -> tuple[Any, ...]:
        number = sum(self.matches[:first])
        return self.game, [self.agents[id] for id in who], self.matches[first:last], self.seed, number


def in_processes(
    job: Job[Found], work: Sequence[tuple[Any, ...]], processes: int
) -> Generator[tuple[int, Found], None, None]:
    """Yield the index of each tuple of arguments in `work`, and what `job`, a module-level callable, returns for it.

    With several processes, results are yielded as they finish.
    """
    if processes == 1:
        for place, arguments in enumerate(work):
            yield place, job(*arguments)
        return
    others = set(multiprocessing.active_children())
    context = multiprocessing.get_context("spawn")
    began = context.Event()
    pool = ProcessPoolExecutor(processes, context, _serve_the_parent, (began,))
    try:
        with _interrupted_later(), _one_thread_each():
            tasks = {pool.submit(job, *arguments): place for place, arguments in enumerate(work)}
        for task in as_completed(tasks):
            yield tasks[task], task.result()
    except BaseException as fault:  # Ctrl-C, an error, or a consumer that stops early
        pool.shutdown(wait=False, cancel_futures=True)
        for worker in set(multiprocessing.active_children()) - others:
            worker.terminate()
        if isinstance(fault, BrokenProcessPool):
            if not began.is_set():
                raise HeartRushError(NO_GUARD) from None
            raise HeartRushError(
                "A worker process was killed from outside, as a system short of memory does; run the command "
                "again, with fewer processes if memory is short."
            ) from None
        raise
    pool.shutdown()


def _check_that_it_travels(agent: Agent) -> None:
    """Raise AgentError if the agent cannot be sent to another process."""
    try:
        pickle.dumps(agent)
    except (pickle.PicklingError, AttributeError, TypeError) as fault:
        raise AgentError(
            f"The agent {agent.id!r} cannot be sent to other processes: its players must be made by a class or "
            "function of a module, or rate with processes=1."
        ) from fault


def _serve_the_parent(began: ProcessEvent) -> None:
    """Set up a worker: leave Ctrl-C to the parent, and exit with the parent, even if the parent is killed."""
    began.set()
    warnings.simplefilter("ignore", ScenarioWarning)  # the parent has issued it
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # not yet blocked on Windows, or in workers of a non-main thread
    threading.Thread(target=_end_with_the_parent, daemon=True).start()


def _end_with_the_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@contextmanager
def _interrupted_later() -> Iterator[None]:
    """Delay a Ctrl-C that comes during the block until the block's end; has no effect outside the main thread.

    Processes that are started in the block inherit the blocked signal, on systems that support it.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    noted: list[int] = []
    usual = signal.signal(signal.SIGINT, lambda number, _: noted.append(number))
    blocks = hasattr(signal, "pthread_sigmask")
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT]) if blocks else set()
    try:
        yield
    finally:
        if blocks:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)  # a pending signal is noted now
        signal.signal(signal.SIGINT, usual)
    if noted:
        signal.raise_signal(signal.SIGINT)


@contextmanager
def _one_thread_each() -> Iterator[None]:
    """Limit NumPy to one thread in each process started in the block, since each core has a process of its own."""
    before = {name: os.environ.get(name) for name in THREADS}
    os.environ.update(dict.fromkeys(THREADS, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.__setitem__(name, value)


def play(game: Game, agents: Sequence[Agent], matches: Sequence[int], seed: int, number: int) -> Counts:
    """Play matches and return each team's outcomes, (matches, teams, 3); the arguments are as in `fight_out`."""
    counts = np.zeros((len(matches), len(set(game.teams)), 3), dtype=np.int64)
    for ended in fight_out(game, agents, matches, seed, number):
        counts[ended.slots] += np.stack([ended.rewards > 0, ended.rewards == 0, ended.rewards < 0], axis=2)
    return counts


class Ended(NamedTuple):
    """Fights that ended in the same step."""

    slots: NDArray[np.intp]  # (ended,), their matches
    numbers: NDArray[np.int64]  # (ended,), the index of each fight in its match, from 0
    rewards: NDArray[np.float32]  # (ended, teams)
    batch: Batch  # the current state, with the final observations of these fights


def fight_out(
    game: Game, agents: Sequence[Agent], matches: Sequence[int], seed: int, number: int
) -> Generator[Ended, None, None]:
    """Play some matches in parallel, and yield the fights as they end.

    A match is a slot of a batch: slot s plays the fights number + s, number + s + slots, ... of the seed. A slot that
    has finished its match keeps running without being counted, so that short fights are not overrepresented.

    Args:
        game: The game.
        agents: The agent of each team.
        matches: Number of fights in each match.
        seed: Seed of all dice and choices.
        number: Number of the first fight.
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
    left = fights.copy()  # fights left in each slot, including the current one
    first_seats = [team_of.index(team) for team in range(len(teams))]
    while left.any():
        for player in players:
            player.act(observations, actions, asked=left > 0)
        batch.step(actions, autoreset=True)
        ended = np.flatnonzero(batch.ended & (left > 0))
        if len(ended):
            yield Ended(ended, (fights - left)[ended], batch.rewards[ended][:, first_seats], batch)
            left[ended] -= 1
            for player in players:
                player.new_fight(ended[left[ended] > 0])
