"""The number of fights to play: given, or as many as fit into a given time. Several jobs may share that time."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Final, TypeVar

from heartrush_agents.tournament.play import Progress, cores, in_processes

from heartrush_env.tabletop.arguments import at_least_one

Found = TypeVar("Found")
Play = Callable[[int, int], Found]  # plays this many fights, starting with this fight number
Piece = tuple[int, int, int]  # the index of a job, the number of fights, the number of the first fight

FIGHTS_TOGETHER: Final = 100  # in a piece of work; a constant, so that results do not depend on the machine
FIGHTS_AT_ONCE: Final = 256  # fights that step together, at most
MOST: Final = 1000  # fights or days of a job under a time limit
SECONDS: Final = 60.0  # for all jobs together
TRIED: Final = 0.1  # fraction of a job's time that is spent on measuring its speed
WORTH_WORKERS: Final = 10.0  # seconds of work; with more than this, worker processes are started


@dataclass(frozen=True)
class Amount:
    """The number of fights to play, and how to play them.

    Attributes:
        seed: The seed of all dice and choices.
        fights: The number of fights or days of each player; by default as many as fit into the time limit.
        seconds: The time limit for all players together; ignored if `fights` is given.
        processes: The number of worker processes; one per core by default.
    """

    seed: int
    fights: int | None = None
    seconds: float = SECONDS
    processes: int | None = None

    @property
    def fitted(self) -> float | None:
        """The seconds that decided the number of fights, or None if the number was given."""
        return None if self.fights is not None else self.seconds


def play(
    jobs: Sequence[Play[Found]],
    amount: Amount,
    size: int,
    progress: Progress = lambda done, total: None,
    clock: Callable[[], float] = time.monotonic,
) -> tuple[list[list[Found]], bool]:
    """Play the fights 0, 1, ... of each job; a given number of them does not depend on the number of processes.

    Args:
        jobs: Each plays a given number of fights, starting with a given fight number.
        amount: The number of fights of each job, or the time for all jobs together.
        size: The number of fights in a piece of work, if the number of fights is given.
        progress: Called with the number of finished fights and the number planned so far.
        clock: Returns the time in seconds.

    Returns:
        The results of each job, in the order of its fights, and whether Ctrl-C cut the work short.

    Raises:
        KeyboardInterrupt: Ctrl-C came before each job had a result.
    """
    found: list[list[Found]] = [[] for _ in jobs]
    workers = at_least_one("processes", cores() if amount.processes is None else amount.processes)
    try:
        if amount.fights is None:
            _play_as_many_as_fit(found, jobs, amount.seconds, workers, progress, clock)
        else:
            fights = at_least_one("fights", amount.fights)
            firsts = range(0, fights, size)
            work = [(k, min(size, fights - first), first) for k in range(len(jobs)) for first in firsts]
            _play_pieces(found, jobs, work, workers, progress)
    except KeyboardInterrupt as stop:
        if type(stop) is not KeyboardInterrupt or not all(found):
            raise
        return found, True
    return found, False


def _play_as_many_as_fit(
    found: list[list[Found]],
    jobs: Sequence[Play[Found]],
    seconds: float,
    workers: int,
    progress: Progress,
    clock: Callable[[], float],
) -> None:
    """Play fights until about `seconds` have passed, and append each job's results to its list.

    Each job is first tried in this process, with twice as many fights each time, to measure how long a fight takes.
    The number of further fights is fixed at that point, so that long fights count as much as short ones. Loading and
    compiling before the first fights are not counted.
    """
    for k, job in enumerate(jobs):
        found[k].append(job(1, 0))
    done, speed = [1] * len(jobs), [0.0] * len(jobs)  # fights of each job, and its fights per second
    until = clock() + seconds
    for k, job in enumerate(jobs):
        size, tried = 1, 0.0
        while done[k] < MOST and tried < TRIED * seconds / len(jobs):
            size, begun = min(2 * size, MOST - done[k], FIGHTS_AT_ONCE), clock()
            found[k].append(job(size, done[k]))
            took = max(clock() - begun, 1e-6)
            done[k], tried, speed[k] = done[k] + size, tried + took, size / took
            progress(sum(done), len(jobs) * MOST)
    left = max(0.0, until - clock())
    workers = workers if left > WORTH_WORKERS else 1
    share = left * workers / len(jobs)
    work: list[Piece] = []
    for k in range(len(jobs)):
        last = min(MOST, done[k] + int(share * speed[k]))
        size = min(FIGHTS_AT_ONCE, max(1, -(-(last - done[k]) // workers)))
        work += [(k, min(size, last - first), first) for first in range(done[k], last, size)]
    _play_pieces(found, jobs, work, workers, progress, sum(done))
    total = sum(done) + sum(fights for _, fights, _ in work)
    progress(total, total)


def _play_pieces(
    found: list[list[Found]],
    jobs: Sequence[Play[Found]],
    work: Sequence[Piece],
    workers: int,
    progress: Progress,
    done: int = 0,
) -> None:
    """Play pieces of work, and append each job's results to its list in order; `done` fights are finished already."""
    results: dict[int, Found] = {}
    total = done + sum(fights for _, fights, _ in work)
    pieces = in_processes(_play, [(jobs[k], *piece) for k, *piece in work], max(1, min(workers, len(work))))
    try:
        with closing(pieces):
            for place, result in pieces:
                results[place] = result
                done += work[place][1]
                progress(done, total)
    finally:
        for place in sorted(results):
            found[work[place][0]].append(results[place])


def _play(job: Play[Found], fights: int, first: int) -> Found:
    """Play some fights of a job."""
    return job(fights, first)
