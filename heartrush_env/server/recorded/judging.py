"""A record judged: what the equilibrium would have done in each stance choice, what each cost, and people's habits.

It is a program: `python -m heartrush_env.server.recorded.judging` reads a record from standard input and writes the
judgement as JSON. Solving takes long where nothing is compiled yet, so a server runs it beside itself and can end it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from heartrush_env.core.errors import HeartRushError
from heartrush_env.heart_rush.game import HeartRush
from heartrush_env.heart_rush.narration.habits import Habits, habit_lines
from heartrush_env.heart_rush.narration.words import beats_by
from heartrush_env.heart_rush.rules.terms import STANCES
from heartrush_env.heart_rush.scenario.settings import Settings
from heartrush_env.heart_rush.solver.duel import why_unsupported
from heartrush_env.records import Record, parse_record, replay
from heartrush_env.records.record import PERSON
from heartrush_env.server.recorded.showing import NAME

if TYPE_CHECKING:
    from heartrush_env.heart_rush.solver.tablebase import Tablebase

MEMORY: Final = 256 * 2**20  # bytes that a solution may take
SAME_DUEL: Final = "The equilibrium is that of this duel."
LIKE_IT: Final = (
    "This fight has no exact solution here. The equilibrium is that of the same fighters under the rules profile "
    "plain, without conditions, maneuvers and wounds, and approximates that of this fight."
)
HOW: Final = (
    "A cost is the chance to win that a stance gives away on average, against an enemy that plays the equilibrium "
    "from there on."
)

Reveal = tuple[int, Mapping[str, Any], Mapping[str, str | None]]  # round, fighters before it, stances


def judged(content: bytes) -> dict[str, Any]:
    """The judgement of a recorded fight, JSON-able; HeartRushError if it is not one."""
    record = parse_record(content, NAME)
    reveals = _reveals(record)
    people = [seat for seat in record.game.agents if record.seats[seat]["agent"] == PERSON]
    judged: dict[str, Any] = {"type": "review", "basis": None, "why_not": None, "how": HOW, "seats": {}}
    try:
        table, judged["basis"] = _solution(record.game)
    except HeartRushError as reason:
        table, judged["why_not"] = None, f"There is no equilibrium to compare with: {reason}"
    for seat in people or record.game.agents:
        choices = [] if table is None else _choices(table, record, seat, reveals)
        judged["seats"][seat] = {
            "choices": choices,
            "cost": sum(each["cost"] for each in choices),
            "habits": _habits(record, seat, reveals) if seat in people else [],
        }
    return judged


def _reveals(record: Record) -> list[Reveal]:
    """Each reveal with the fighters as they stood before it."""
    found: list[Reveal] = []
    seen: list[dict[str, Any]] = []
    for moment in replay(record, lambda env: seen.append(env.public)):
        before = seen[-2] if len(seen) > 1 else seen[-1]
        for event in moment.events:
            if event["type"] == "reveal":
                found.append((before["round"], before["fighters"], event["stances"]))
    return found


def _solution(game: HeartRush) -> tuple[Tablebase, str]:
    """The solution of a duel under the plain rules, and what it is of the duel that was fought."""
    settings = Settings.parse({"profile": "plain"}, base=game.scenario.settings)
    plain = HeartRush(replace(game.scenario, settings=settings), memory=0)
    why = why_unsupported(plain)
    if why is not None:
        raise HeartRushError(f"{why}.")
    from heartrush_env.heart_rush.solver.solve import solve  # loads compiled code

    same = settings == game.scenario.settings
    return solve(plain, memory=MEMORY), SAME_DUEL if same else LIKE_IT


def _choices(table: Tablebase, record: Record, seat: str, reveals: Sequence[Reveal]) -> list[dict[str, Any]]:
    """Each choice of a stance of a seat with the mix of the equilibrium and its cost."""
    from heartrush_env.heart_rush.solver.analysis.stance_values import stance_values

    place, agents = record.game.agents.index(seat), record.game.agents
    found = []
    for number, fighters, stances in reveals:
        stance, state = stances.get(seat), tuple(fighters[each][what] for what in ("hp", "heart") for each in agents)
        if stance is None or None in stances.values():
            continue
        left = None if table.rounds is None else max(1, table.rounds - number + 1)
        try:
            values = stance_values(table, state, place, rounds_left=left)
        except HeartRushError:  # the other rules have led to a state that the plain ones do not know
            continue
        worth = dict(zip(STANCES, values.worth.tolist(), strict=True))
        found.append(
            {
                "round": number,
                "stance": stance,
                "against": stances[agents[1 - place]],
                "mix": dict(zip(STANCES, values.mix.tolist(), strict=True)),
                "cost": max(0.0, max(worth.values()) - worth[stance])
                / 2,  # values go from -1 to 1, chances from 0 to 1
            }
        )
    return found


def _habits(record: Record, seat: str, reveals: Sequence[Reveal]) -> list[str]:
    """The habits of a person, in sentences."""
    teams = dict(zip(record.game.agents, record.game.teams, strict=True))
    enemies = [other for other in teams if teams[other] != teams[seat]]
    habits = Habits(beats_by(record.game.scenario.settings))
    for _, _, stances in reveals:
        own = stances.get(seat)
        if own:
            habits.add(own, next((stances[enemy] for enemy in enemies if stances.get(enemy)), None))
    return habit_lines(habits)


def main() -> int:
    """Judge the record at standard input; a refusal is an error in the protocol's form."""
    try:
        found = judged(sys.stdin.buffer.read())
    except HeartRushError as problem:
        found = {"type": "error", "id": None, "code": "bad_record", "message": str(problem)}
    print(json.dumps(found, allow_nan=False))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
