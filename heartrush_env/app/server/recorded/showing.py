"""A record as a front end shows it: each window with its public facts, its events and their lines."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from typing import Any, Final

from heartrush_env.app.server.hosting.fight import picture_of
from heartrush_env.records import Record, parse_record, replay
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.words import words_of

NAME: Final = "The record"
SECONDS: Final = 30.0  # time limit for a record; a fight of eight against eight takes about ten
LARGEST_ANSWER: Final = 32 * 2**20  # bytes


def shown(content: bytes, clock: Callable[[], float] = time.monotonic) -> dict[str, Any]:
    """Return a recorded fight, window by window, as JSON-able data.

    `public` contains the ground and a fighter only if they have changed since the window before. `picture` shows the
    fight as lines of text, if the public facts name no fighter for each seat.

    Raises:
        HeartRushError: The content is not a record, breaks the rules, takes too long or produces too large an answer.
    """
    record, end = parse_record(content), clock() + SECONDS
    teller, windows, told, left = words_of(record.game).teller(), list[dict[str, Any]](), 0, LARGEST_ANSWER
    seen: list[dict[str, Any]] = []
    before: dict[str, Any] = {}
    for moment in replay(record, lambda env: seen.append(env.public)):
        if clock() > end:
            raise HeartRushError(
                f"{NAME} takes longer than {SECONDS:g} seconds to replay; `heartrush replay` shows it."
            )
        public, events = seen.pop(), []
        for event in moment.events:
            lines = [str(line) for line in teller.tell([event])]
            events.append({"number": told, "window": moment.step.number, "event": event, "lines": lines})
            told += 1
        windows.append({"public": _changed(public, before), "standing": teller.standing(), "events": events})
        if picture := picture_of(record.game, public):
            windows[-1]["picture"] = picture
        left -= len(json.dumps(windows[-1]))
        if left < 0:
            raise HeartRushError(
                f"{NAME} fills more than {LARGEST_ANSWER} bytes window by window; `heartrush replay` shows it."
            )
        before = public
    return {
        "type": "replay",
        "scenario": record.game.scenario_name,
        "seats": seats_of(record),
        "winners": list(record.winners),
        "windows": windows,
    }


def _changed(public: Mapping[str, Any], before: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts without the ground and the fighters that have not changed."""
    changed = dict(public)
    if isinstance(fighters := public.get("fighters"), Mapping):
        known = before.get("fighters", {})
        changed["fighters"] = {seat: facts for seat, facts in fighters.items() if facts != known.get(seat)}
    if public.get("battlefield") == before.get("battlefield"):
        changed.pop("battlefield", None)
    return changed


def seats_of(record: Record) -> list[dict[str, str]]:
    """Return each seat with its team, its player and the display name of its fighter."""
    names = words_of(record.game).names
    return [
        {
            "seat": seat,
            "team": team,
            "holder": facts["agent"],
            "name": str(facts.get("name", ""))[:80],
            "fighter": names.get(seat, seat),
        }
        for (seat, facts), team in zip(
            ((seat, record.seats[seat]) for seat in record.game.agents), record.game.teams, strict=True
        )
    ]
