"""A judged record: each choice compared with the equilibrium's mix, with its cost, and people's habits.

This module is also a program: `python -m heartrush_env.research.analysis.judging` reads a record from standard input
and writes the judgement as JSON. Solving is slow before the solvers are compiled, so a server runs it as a subprocess
that it can kill.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from heartrush_env.games.heart_rush.game import HeartRush, as_heart_rush
from heartrush_env.games.heart_rush.rules.stances import MAY_ATTACK
from heartrush_env.games.heart_rush.rules.terms import STANCES
from heartrush_env.games.heart_rush.scenario.settings import Settings
from heartrush_env.games.heart_rush.words.habits import Habits, habit_lines
from heartrush_env.games.heart_rush.words.words import beats_by
from heartrush_env.records import Record, parse_record, replay
from heartrush_env.records.record import CUT_OFF, PERSON
from heartrush_env.research.duel import EXCHANGE, why_unsupported
from heartrush_env.tabletop.errors import HeartRushError

if TYPE_CHECKING:
    from heartrush_env.research.analysis.played_rounds import Round
    from heartrush_env.research.tablebase import Tablebase

MEMORY: Final = 256 * 2**20  # bytes that a solution may take
LEAST_STANCES: Final = 20  # fewer cannot distinguish habit from luck
RARE: Final = 0.05  # fraction of shuffled orders that are foreseen as well
SAME_DUEL: Final = "The equilibrium is that of this duel, exactly."
LIKE_IT: Final = (
    "This fight has no exact solution here. The equilibrium is that of the same fighters under the rules profile "
    "plain, without abilities, conditions, maneuvers and wounds. It approximates that of this fight, so only stances "
    "are judged."
)
HOW: Final = (
    "A cost is the chance to win that a choice gives away on average, against an enemy that plays the equilibrium "
    "from there on. A point is one fight in a hundred."
)

Reveal = tuple[int, Mapping[str, Any], Mapping[str, str | None]]  # round, fighters before it, stances


def judged(content: bytes) -> dict[str, Any]:
    """Return the judgement of a recorded fight, JSON-able; raise HeartRushError for an invalid record."""
    record = parse_record(content)
    reveals = _reveals(record)
    people = [seat for seat in record.game.agents if record.seats[seat]["agent"] == PERSON]
    judged: dict[str, Any] = {"type": "review", "basis": None, "why_not": None, "how": HOW, "seats": {}}
    try:
        table, judged["basis"] = _solution(as_heart_rush(record.game))
    except HeartRushError as reason:
        table, judged["why_not"] = None, f"There is no equilibrium to compare with: {reason}"
    for seat in people or record.game.agents:
        choices = []
        if table is not None:
            choices = _stances(table, record, seat, reveals)
        if table is not None and judged["basis"] == SAME_DUEL:
            choices = sorted(choices + _attacks_and_shrugs(table, record, seat), key=lambda each: each["round"])
        judged["seats"][seat] = {
            "choices": choices,
            "cost": sum(each["cost"] for each in choices),
            "habits": _habits(record, seat, reveals) if seat in people else [],
        }
    return judged


def _reveals(record: Record) -> list[Reveal]:
    """Return each reveal with the state of the fighters before it."""
    found: list[Reveal] = []
    seen: list[dict[str, Any]] = []
    for moment in replay(record, lambda env: seen.append(env.public)):
        before = seen[-2] if len(seen) > 1 else seen[-1]
        for event in moment.events:
            if event["type"] == "reveal":
                found.append((before["round"], before["fighters"], event["stances"]))
    return found


def _solution(game: HeartRush) -> tuple[Tablebase, str]:
    """Solve a duel under the plain rules, and return the solution with its relation to the recorded fight."""
    settings = Settings.parse({"profile": "plain"}, base=game.scenario.settings)
    same = settings == game.scenario.settings and not game.scenario.has_abilities
    fighters = tuple(replace(sheet, abilities=()) for sheet in game.scenario.fighters)
    scenario = replace(game.scenario, settings=settings, fighters=fighters)
    plain = HeartRush(scenario, memory=0, decisions=game.decisions if same else "full")
    why = why_unsupported(plain)
    if why is not None:
        raise HeartRushError(f"{why}.")
    from heartrush_env.research.solve import solve  # loads compiled code

    return solve(plain, memory=MEMORY), SAME_DUEL if same else LIKE_IT


# -- choices ---------------------------------------------------------------------------------------------------------


def _stances(table: Tablebase, record: Record, seat: str, reveals: Sequence[Reveal]) -> list[dict[str, Any]]:
    """Return a seat's stance choices, judged."""
    from heartrush_env.research.analysis.stance_values import stance_values

    place, agents = record.game.agents.index(seat), record.game.agents
    found = []
    for number, fighters, stances in reveals:
        stance, state = stances.get(seat), tuple(fighters[each][what] for what in ("hp", "heart") for each in agents)
        if stance is None or None in stances.values():
            continue
        try:
            values = stance_values(table, state, place, rounds_left=_left(table, number))
        except HeartRushError:  # the fight's rules led to a state that the plain rules lack
            continue
        worth, mix = (dict(zip(STANCES, each.tolist(), strict=True)) for each in (values.worth, values.mix))
        found.append(_choice(number, "stance", stance, str(stances[agents[1 - place]]), mix, worth))
    return found


def _attacks_and_shrugs(table: Tablebase, record: Record, seat: str) -> list[dict[str, Any]]:
    """Return a seat's judged choices to attack or pass, and to shrug off or take a hit, in this exact duel."""
    from heartrush_env.research.analysis.played_rounds import played

    if not table.duel.free or record.cause == CUT_OFF:
        return []
    place = record.game.agents.index(seat)
    return [
        each for now in played(as_heart_rush(record.game), replay(record)).rounds for each in _after(table, now, place)
    ]


def _after(table: Tablebase, now: Round, seat: int) -> Iterator[dict[str, Any]]:
    """Yield a seat's judged choices after a reveal."""
    from heartrush_env.research.analysis.aivat import RoundValues

    left, sign = _left(table, now.number), 1 - 2 * seat
    values = RoundValues(table.duel, table.values[0 if left is None else left - 1], table.place(now.state))
    stance, against = now.stances[seat], now.stances[1 - seat]
    if MAY_ATTACK[stance, against]:
        often = table.attacks(seat, now.state, stance, against, left)
        theirs = table.attacks(1 - seat, now.state, against, stance, left)
        worth = dict.fromkeys(("pass", "attack"), 0.0)
        for attacks, word in enumerate(worth):
            for enemy, share in enumerate((1 - theirs, theirs)):
                pair = (attacks, enemy)[::sign]
                worth[word] += sign * share * values.exchange(int(EXCHANGE[(*now.stances, *pair)]))
        chosen = "attack" if now.attacks[seat] else "pass"
        yield _choice(now.number, "attack", chosen, STANCES[against], {"attack": often, "pass": 1 - often}, worth)
    if now.hurt == seat and table.place(now.state)[2 + seat] > 0:
        taken, shrugged = values.choices(seat, now.damage)
        worth = {"take": sign * taken, "shrug": sign * shrugged}
        shrugs = float(worth["shrug"] > worth["take"])
        chosen = "shrug" if now.shrugged else "take"
        yield _choice(now.number, "shrug", chosen, f"{now.damage} damage", {"shrug": shrugs, "take": 1 - shrugs}, worth)


def _left(table: Tablebase, number: int) -> int | None:
    """Return the number of rounds left including this one, or None if the solution does not count rounds."""
    return None if table.rounds is None else max(1, table.rounds - number + 1)


def _choice(
    number: int, kind: str, chosen: str, facing: str, mix: Mapping[str, float], worth: Mapping[str, float]
) -> dict[str, Any]:
    """Return a choice with the equilibrium's mix; worths range from -1 to 1, the cost is a probability, 0 to 1."""
    cost = max(0.0, max(worth.values()) - worth[chosen]) / 2
    return {"round": number, "kind": kind, "choice": chosen, "facing": facing, "mix": dict(mix), "cost": cost}


# -- habits ----------------------------------------------------------------------------------------------------------


def _habits(record: Record, seat: str, reveals: Sequence[Reveal]) -> list[str]:
    """Return a person's habits, in sentences."""
    teams = dict(zip(record.game.agents, record.game.teams, strict=True))
    enemies = [other for other in teams if teams[other] != teams[seat]]
    habits = Habits(beats_by(as_heart_rush(record.game).scenario.settings))
    for _, _, stances in reveals:
        own = stances.get(seat)
        if own:
            habits.add(own, next((stances[enemy] for enemy in enemies if stances.get(enemy)), None))
    return [*habit_lines(habits), _order(habits.own)]


def _order(stances: Sequence[str]) -> str:
    """Return a sentence about whether the order of stances makes the next one predictable."""
    from heartrush_env.research.analysis.predictability import predictability

    if len(stances) < LEAST_STANCES:
        return f"Fewer than {LEAST_STANCES} stances do not tell habit from luck."
    found = predictability([stances])
    best, rare = found.orders[found.best], found.p_value <= RARE
    verdict = "gave you away" if rare else "did not give you away"
    share, often = 100 * best.hits, 100 * found.p_value
    return (
        f"Your order {verdict}: a guesser that looks back {best.order} of your stances foresees {share:.0f} % of the "
        f"next, and shuffled orders of the same stances are foreseen as well in {often:.0f} % of cases; up to "
        f"{100 * RARE:.0f} % is hardly luck."
    )


def main() -> int:
    """Judge the record on standard input, and print the judgement or an error in the protocol's format."""
    try:
        found = judged(sys.stdin.buffer.read())
    except HeartRushError as problem:
        found = {"type": "error", "id": None, "code": "bad_record", "message": str(problem)}
    print(json.dumps(found, allow_nan=False))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
