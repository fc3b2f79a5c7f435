"""A record as a front end shows it: each window with the facts that everybody saw, its events and their lines."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

from heartrush_env.core.errors import HeartRushError
from heartrush_env.heart_rush.narration.narrator import Narrator
from heartrush_env.records import Record, parse_record, replay

NAME: Final = "The record"
SECONDS: Final = 30.0  # for a record; a fight of eight against eight takes about ten


def shown(content: bytes, clock: Callable[[], float] = time.monotonic) -> dict[str, Any]:
    """A recorded fight, window by window, JSON-able; `battlefield` stands only where the ground has changed.

    Raises:
        HeartRushError: It is not a record, does not follow the rules, or takes too long.
    """
    record, end = parse_record(content, NAME), clock() + SECONDS
    narrator, windows, told, field = Narrator(record.game.scenario), list[dict[str, Any]](), 0, None
    seen: list[dict[str, Any]] = []
    for moment in replay(record, lambda env: seen.append(env.public)):
        if clock() > end:
            raise HeartRushError(
                f"{NAME} takes longer than {SECONDS:g} seconds to replay; `heartrush replay` shows it."
            )
        public, events = dict(seen.pop()), []
        if public.get("battlefield") == field:
            public.pop("battlefield", None)
        else:
            field = public["battlefield"]
        for event in moment.events:
            lines = [str(line) for line in narrator.tell([event])]
            events.append({"number": told, "window": moment.step.number, "event": event, "lines": lines})
            told += 1
        windows.append({"public": public, "standing": narrator.standing(), "events": events})
    return {
        "type": "replay",
        "scenario": record.game.scenario_name,
        "seats": seats_of(record),
        "winners": list(record.winners),
        "windows": windows,
    }


def seats_of(record: Record) -> list[dict[str, str]]:
    """Each seat with its team and who played it."""
    return [
        {"seat": seat, "team": team, "holder": facts["agent"], "name": str(facts.get("name", ""))[:80]}
        for (seat, facts), team in zip(
            ((seat, record.seats[seat]) for seat in record.game.agents), record.game.teams, strict=True
        )
    ]
