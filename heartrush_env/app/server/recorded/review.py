"""Reviews of recorded fights: their judgement by `research.analysis.judging`.

This module is also a program: `python -m heartrush_env.app.server.recorded.review` reads a record from standard input
and writes its review as JSON. Solving is slow before the solvers are compiled, so a server runs it as a subprocess
that it can kill.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from heartrush_env.records import Record, parse_record, replay
from heartrush_env.records.record import CUT_OFF, PERSON
from heartrush_env.research.analysis.judging import Reveal, judged
from heartrush_env.tabletop.errors import HeartRushError


def reviewed(content: bytes) -> dict[str, Any]:
    """Return the review of a recorded fight as JSON-able data; raise HeartRushError for an invalid record."""
    record = parse_record(content)
    people = [seat for seat in record.game.agents if record.seats[seat]["agent"] == PERSON]
    return judged(record.game, _reveals(record), None if record.cause == CUT_OFF else replay(record), people)


def _reveals(record: Record) -> list[Reveal]:
    """Return each reveal with the state of the fighters before it."""
    found: list[Reveal] = []
    seen: list[dict[str, Any]] = []
    for moment in replay(record, lambda env: seen.append(env.public)):
        before = seen[-2] if len(seen) > 1 else seen[-1]
        for event in moment.events:
            if event["type"] == "reveal" and "stances" in event:
                found.append((before["round"], before["fighters"], event["stances"]))
    return found


def main() -> int:
    """Read the record on standard input, and print its review or an error in the protocol's format."""
    try:
        found = reviewed(sys.stdin.buffer.read())
    except HeartRushError as problem:
        found = {"type": "error", "id": None, "code": "bad_record", "message": str(problem)}
    print(json.dumps(found, allow_nan=False))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
