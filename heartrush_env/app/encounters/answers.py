"""Findings for one or several players of the party, from a given number of fights or within a time limit."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final, TypeVar

from heartrush_agents.tournament.play import Progress

from heartrush_env.app.encounters.amounts import FIGHTS_TOGETHER, Amount, play
from heartrush_env.app.encounters.desk import desk_of
from heartrush_env.app.encounters.findings import Finding, several
from heartrush_env.app.encounters.players import ONE
from heartrush_env.app.encounters.sides import Encounter
from heartrush_env.app.encounters.simulator import watch
from heartrush_env.app.encounters.tally import Tally, together

PIECES: Final = 10  # of the work, at most

Key = TypeVar("Key")


def silent(done: int, total: int) -> None:
    """Report nothing."""


def answers(encounters: Mapping[Key, Encounter], amount: Amount, progress: Progress = silent) -> dict[Key, Finding]:
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
        key: {**desk_of(encounter.game.name).findings(encounter, together(each), amount.seed), **about}
        for (key, encounter), each in zip(encounters.items(), tallies, strict=True)
    }


def piece_of(fights: int) -> int:
    """Return the number of fights in a piece of work."""
    return FIGHTS_TOGETHER * max(1, fights // (PIECES * FIGHTS_TOGETHER))


def answer(encounters: Mapping[str, Encounter], amount: Amount, progress: Progress = silent) -> Finding:
    """Return a single player's findings; for several players, the range over all of them and each player's findings."""
    found = answers(encounters, amount, progress)
    return found[ONE] if ONE in found else several(found, "win")


def _fights(encounter: Encounter, seed: int, fights: int, first: int) -> Tally:
    """Play some fights of an encounter."""
    tally: Tally = watch(encounter, fights, seed, first).tally
    return tally
