"""Findings for one or several players of the party, from a given number of fights or days or within a time limit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final, TypeVar

from heartrush_agents.tournament.play import Progress

from heartrush_env.app.heart_rush.encounters.amounts import FIGHTS_TOGETHER, Amount, play
from heartrush_env.app.heart_rush.encounters.day import DayTally, Stage, day_findings, days_together, play_days
from heartrush_env.app.heart_rush.encounters.findings import Finding, findings, several
from heartrush_env.app.heart_rush.encounters.players import ONE
from heartrush_env.app.heart_rush.encounters.sides import Encounter
from heartrush_env.app.heart_rush.encounters.simulator import watch
from heartrush_env.app.heart_rush.encounters.tally import Tally, together

PIECES: Final = 10  # of the work, at most
DAYS_TOGETHER: Final = 250  # in a piece of work

Key = TypeVar("Key")


def _silent(done: int, total: int) -> None:
    """Report nothing."""


def answers(encounters: Mapping[Key, Encounter], amount: Amount, progress: Progress = _silent) -> dict[Key, Finding]:
    """Return the findings from the fights of each encounter.

    Args:
        encounters: The encounters by any key.
        amount: The number of fights of each encounter, or the time for all encounters together.
        progress: Called with the number of finished fights and the number planned so far.

    Raises:
        KeyboardInterrupt: Ctrl-C came before each encounter had a result.
    """
    for encounter in encounters.values():
        encounter.compile()
    jobs = [partial(_fights, encounter, amount.seed) for encounter in encounters.values()]
    tallies, cut = play(jobs, amount, piece_of(amount.fights or 1), progress)
    about = {"seconds": amount.fitted, "interrupted": cut}
    return {
        key: {**findings(encounter, together(each), amount.seed), **about}
        for (key, encounter), each in zip(encounters.items(), tallies, strict=True)
    }


def piece_of(fights: int) -> int:
    """Return the number of fights in a piece of work."""
    return FIGHTS_TOGETHER * max(1, fights // (PIECES * FIGHTS_TOGETHER))


def answer(encounters: Mapping[str, Encounter], amount: Amount, progress: Progress = _silent) -> Finding:
    """Return a single player's findings; for several players, the range over all of them and each player's findings."""
    found = answers(encounters, amount, progress)
    return found[ONE] if ONE in found else several(found, "win")


def day_answer(
    name: str,
    stages: Mapping[str, Sequence[Stage]],
    medicine: Mapping[str, int],
    amount: Amount,
    progress: Progress = _silent,
) -> Finding:
    """Return the findings from one player's days; for several players, the range over all and each player's findings.

    Args:
        name: The name of the day.
        stages: The fights of the day with the rests before them, by player.
        medicine: Ranks in medicine by agent; 0 for agents not listed.
        amount: The number of days of each player, or the time for all players together.
        progress: Called with the number of finished days and the number planned so far.

    Raises:
        KeyboardInterrupt: Ctrl-C came before each player had a result.
    """
    for stage in (stage for each in stages.values() for stage in each):
        stage.encounter.compile()
    jobs = [partial(_days, each, amount.seed, medicine) for each in stages.values()]
    tallies, cut = play(jobs, amount, DAYS_TOGETHER, progress)
    about = {"seconds": amount.fitted, "interrupted": cut}
    found = {
        player: {**day_findings(name, stages[player], days_together(each), amount.seed), **about}
        for player, each in zip(stages, tallies, strict=True)
    }
    return found[ONE] if ONE in found else several(found, "won")


def _fights(encounter: Encounter, seed: int, fights: int, first: int) -> Tally:
    """Play some fights of an encounter."""
    return watch(encounter, fights, seed, first).tally


def _days(stages: Sequence[Stage], seed: int, medicine: Mapping[str, int], days: int, first: int) -> DayTally:
    """Play some days."""
    return play_days(stages, days, seed, medicine, first)
