"""Findings for one player of the party or several, from a number of fights or days each, or as many as time allows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeVar

from heartrush_agents.tournament.play import Progress

from heartrush_env.app.heart_rush.encounters.day import (
    DayTally,
    Stage,
    day_findings,
    days_together,
    play_days,
    simulate_day,
)
from heartrush_env.app.heart_rush.encounters.findings import Finding, findings, several
from heartrush_env.app.heart_rush.encounters.in_time import Play, as_many_as_fit
from heartrush_env.app.heart_rush.encounters.players import ONE
from heartrush_env.app.heart_rush.encounters.sides import Encounter
from heartrush_env.app.heart_rush.encounters.simulator import CutShort, simulate, watch
from heartrush_env.app.heart_rush.encounters.tally import Tally, together

MOST: Final = 1000  # fights or days of a player under a time limit
SECONDS: Final = 60.0  # for all players together

Key = TypeVar("Key")
Result = TypeVar("Result")


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


def _silent(done: int, total: int) -> None:
    """Report nothing."""


def answers(encounters: Mapping[Key, Encounter], amount: Amount, progress: Progress = _silent) -> dict[Key, Finding]:
    """Return the findings from the fights of each encounter.

    Args:
        encounters: The encounters by any key.
        amount: How many fights of each.
        progress: Called with the number of finished fights and the number planned so far.
    """
    if amount.fights is None:
        jobs = [partial(_fights, encounter, amount.seed) for encounter in encounters.values()]
        tallies, cut = _fitted(jobs, together, amount, progress)
    else:
        fights = amount.fights
        ways = [partial(simulate, each, fights, amount.seed, amount.processes) for each in encounters.values()]
        tallies, cut = _counted(ways, fights, progress)
    about = {"seconds": amount.fitted, "interrupted": cut}
    return {
        key: {**findings(encounter, tally, amount.seed), **about}
        for (key, encounter), tally in zip(encounters.items(), tallies, strict=True)
    }


def _fitted(
    jobs: Sequence[Play[Result]], joined: Callable[[list[Result]], Result], amount: Amount, progress: Progress
) -> tuple[list[Result], bool]:
    """Return what each job finds within the time limit, and whether Ctrl-C cut it short."""
    cut = False
    try:
        parts = as_many_as_fit(jobs, amount.seconds, MOST, amount.processes, progress)
    except CutShort as stop:
        parts, cut = stop.found, True
        if not all(parts):
            raise
    return [joined(each) for each in parts], cut


def _counted(ways: Sequence[Callable[[Progress], Result]], each: int, progress: Progress) -> tuple[list[Result], bool]:
    """Return the findings from `each` fights or days of every player, and whether Ctrl-C cut the last player short."""
    found: list[Result] = []
    for place, way in enumerate(ways):

        def shifted(done: int, total: int, before: int = place * each) -> None:
            progress(before + done, len(ways) * each)

        try:
            found.append(way(shifted))
        except CutShort as stop:
            if stop.found is None or place + 1 < len(ways):
                raise
            return [*found, stop.found], True
    return found, False


def answer(encounters: Mapping[str, Encounter], amount: Amount, progress: Progress = _silent) -> Finding:
    """Return the findings of a single player, or of several: the range over them and each player's findings."""
    found = answers(encounters, amount, progress)
    return found[ONE] if ONE in found else several(found, "win")


def day_answer(
    name: str,
    stages: Mapping[str, Sequence[Stage]],
    medicine: Mapping[str, int],
    amount: Amount,
    progress: Progress = _silent,
) -> Finding:
    """Return the findings from a single player's days, or from several: the range over them and each player's findings.

    Args:
        name: The name of the day.
        stages: The fights of the day with the rests before them, by player.
        medicine: Ranks in medicine by agent; 0 for agents not listed.
        amount: How many days of each player.
        progress: Called with the number of finished days and the number planned so far.
    """
    if amount.fights is None:
        jobs = [partial(_days, each, amount.seed, medicine) for each in stages.values()]
        tallies, cut = _fitted(jobs, days_together, amount, progress)
    else:
        days = amount.fights
        ways = [partial(simulate_day, each, days, amount.seed, medicine, amount.processes) for each in stages.values()]
        tallies, cut = _counted(ways, days, progress)
    about = {"seconds": amount.fitted, "interrupted": cut}
    found = {
        player: {**day_findings(name, each, tally, amount.seed), **about}
        for (player, each), tally in zip(stages.items(), tallies, strict=True)
    }
    return found[ONE] if ONE in found else several(found, "won")


def _fights(encounter: Encounter, seed: int, fights: int, first: int) -> Tally:
    """Play some fights of an encounter."""
    return watch(encounter, fights, seed, first).tally


def _days(stages: Sequence[Stage], seed: int, medicine: Mapping[str, int], days: int, first: int) -> DayTally:
    """Play some days."""
    return play_days(stages, days, seed, medicine, first)
