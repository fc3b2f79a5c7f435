"""The record of a finished hosted fight."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from heartrush_env.app.server.hosting.fight import FIGHT_NUMBER, HostedFight
from heartrush_env.app.server.hosting.store import Chosen, StoredFight
from heartrush_env.records.record import PERSON
from heartrush_env.records.recorder import Recorder


def record_of(stored: StoredFight, fight: HostedFight, choices: Iterable[tuple[int, Mapping[str, Chosen]]]) -> str:
    """Return the record of a fight, built from its choices window by window."""
    seats = {
        seat: {"agent": held.agent} if held.agent else {"agent": PERSON, "name": held.name}
        for seat, held in stored.seats.items()
    }
    recorder = Recorder(fight.game, (stored.seed, FIGHT_NUMBER), seats)
    told = fight.told()
    recorder.begin([each.event for each in told if each.window < 0])
    for window, chosen in choices:
        recorder.step(
            {seat: each for seat, each in chosen.items() if each is not None},
            [each.event for each in told if each.window == window],
            [seat for seat, each in chosen.items() if each is None],
        )
    recorder.end(fight.rewards)
    return recorder.content.decode()
