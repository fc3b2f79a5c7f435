"""Plays as many fights as fit into a given time. Several jobs share the time equally."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import Final, TypeVar

from heartrush_agents.tournament.play import Progress, cores, in_processes

from heartrush_env.app.heart_rush.encounters.simulator import SLOTS, cut_short

Found = TypeVar("Found")
Play = Callable[[int, int], Found]  # plays this many fights, starting with this fight number

TRIED: Final = 0.1  # fraction of a job's time that is spent on measuring its speed
WORTH_WORKERS: Final = 10.0  # seconds of work; with more than this, worker processes are started


def as_many_as_fit(
    jobs: Sequence[Play[Found]],
    seconds: float,
    most: int,
    processes: int | None = None,
    progress: Progress = lambda done, total: None,
    clock: Callable[[], float] = time.monotonic,
) -> list[list[Found]]:
    """Play the fights 0, 1, ... of each job until about `seconds` have passed.

    Each job is first tried in this process, with twice as many fights each time, to measure how long a fight takes.
    The number of further fights is fixed at that point, so that long fights count as much as short ones.

    Args:
        jobs: Each plays a given number of fights, starting with a given fight number.
        seconds: The time for all jobs together. Loading and compiling before the first fights are not counted.
        most: The maximum number of fights of a job.
        processes: The number of worker processes; one per core by default.
        progress: Called with the number of finished fights and the number planned so far.
        clock: Returns the time in seconds.

    Returns:
        The results of each job, in the order of its fights.

    Raises:
        CutShort: Ctrl-C interrupted the run; the exception holds the results of each job so far.
    """
    found: list[list[Found]] = [[] for _ in jobs]
    with cut_short(lambda: found):
        _fit(found, jobs, seconds, most, processes or cores(), progress, clock)
    return found


def _fit(
    found: list[list[Found]],
    jobs: Sequence[Play[Found]],
    seconds: float,
    most: int,
    processes: int,
    progress: Progress,
    clock: Callable[[], float],
) -> None:
    """Play as many fights as fit, and append each job's results to its list as soon as they are known."""
    for k, job in enumerate(jobs):
        found[k].append(job(1, 0))
    done, speed = [1] * len(jobs), [0.0] * len(jobs)  # fights of each job, and its fights per second
    until = clock() + seconds
    for k, job in enumerate(jobs):
        size, tried = 1, 0.0
        while done[k] < most and tried < TRIED * seconds / len(jobs):
            size, begun = min(2 * size, most - done[k], SLOTS), clock()
            found[k].append(job(size, done[k]))
            took = max(clock() - begun, 1e-6)
            done[k], tried, speed[k] = done[k] + size, tried + took, size / took
            progress(sum(done), len(jobs) * most)
    left = max(0.0, until - clock())
    workers = processes if left > WORTH_WORKERS else 1
    share = left * workers / len(jobs)
    work: list[tuple[int, int, int]] = []  # job, fights, number of the first fight
    for k in range(len(jobs)):
        last = min(most, done[k] + int(share * speed[k]))
        size = min(SLOTS, max(1, -(-(last - done[k]) // workers)))
        work += [(k, min(size, last - first), first) for first in range(done[k], last, size)]
    total, ready = sum(done) + sum(fights for _, fights, _ in work), sum(done)
    results: dict[int, Found] = {}
    try:
        with closing(in_processes(_play, [(jobs[k], *piece) for k, *piece in work], workers)) as pieces:
            for place, result in pieces:
                results[place] = result
                ready += work[place][1]
                progress(ready, total)
    finally:
        for place in sorted(results):
            found[work[place][0]].append(results[place])
    progress(total, total)


def _play(job: Play[Found], fights: int, first: int) -> Found:
    """Play some fights of a job."""
    return job(fights, first)
