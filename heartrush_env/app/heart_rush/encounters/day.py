"""An adventuring day: fights in a row with rests in between; hit points, heart dice and wounds carry over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
from heartrush_agents.tournament.play import Progress

from heartrush_env.app.encounters.amounts import Amount, play
from heartrush_env.app.encounters.answers import silent
from heartrush_env.app.encounters.findings import Finding, several, share
from heartrush_env.app.encounters.players import ONE
from heartrush_env.app.encounters.sides import Encounter
from heartrush_env.app.encounters.simulator import watch
from heartrush_env.app.encounters.tally import together
from heartrush_env.app.heart_rush.encounters.findings import findings, sheets
from heartrush_env.app.heart_rush.encounters.tally import Tally
from heartrush_env.games.heart_rush.game import as_heart_rush
from heartrush_env.games.heart_rush.rules.dice import distribution, new_pool
from heartrush_env.games.heart_rush.rules.resting import Traveller, take_long_rest, take_short_rest
from heartrush_env.games.heart_rush.rules.terms import DEAD, STANDING, UNCONSCIOUS
from heartrush_env.games.heart_rush.scenario.sheets import FighterSheet
from heartrush_env.tabletop.errors import ScenarioError
from heartrush_env.tabletop.files import parse_toml, read_file
from heartrush_env.tabletop.validate import join_or, list_of, one_of, read_table, table, text, whole

RESTS: Final = ("none", "short", "long", "bad_long")
APART: Final = 2**32  # between the numbers of a day's fights
DAYS_TOGETHER: Final = 250  # in a piece of work
LARGEST_DAY: Final = 2**16  # bytes of a file
MOST_RANK: Final = 20  # in medicine


@dataclass(frozen=True)
class Stage:
    """A fight of a day, and the rest before it."""

    encounter: Encounter
    rest: str  # of RESTS


@dataclass(frozen=True)
class Plan:
    """A day as described in its file."""

    name: str
    fights: tuple[tuple[str, str], ...]  # the scenario, and the rest before it
    medicine: Mapping[str, int]  # ranks by agent


def read_day(path: str | Path) -> Plan:
    """Read a day's file; it names scenarios by shipped name, or by path relative to the file's folder."""
    place = Path(path)
    content = read_file(place, LARGEST_DAY, ScenarioError, "a TOML file with a [[fight]] for each fight").decode()
    try:
        given = parse_toml(content)
    except ValueError as problem:
        raise ScenarioError(f"{place}: broken TOML: {problem}.") from None
    fields = {
        "name": text(),
        "medicine": table(),
        "fight": list_of(table(), "a list of tables, one per fight"),
    }
    day = read_table(given, fields, str(place), ScenarioError)
    fights = []
    for number, entry in enumerate(day.get("fight", ()), start=1):
        where = f"{place}, fight {number}"
        read = read_table(entry, {"scenario": text(), "rest": one_of(RESTS)}, where, ScenarioError)
        if "scenario" not in read:
            raise ScenarioError(f"{where}: scenario is missing; expected a scenario's name or file.")
        own = place.parent / read["scenario"]
        fights.append((str(own) if own.is_file() else read["scenario"], read.get("rest", "none")))
    if not fights:
        raise ScenarioError(f"{place}: fight is missing; expected [[fight]] with a scenario, once or more.")
    known = {key: whole(0, MOST_RANK, "ranks") for key in day.get("medicine", {})}
    ranks = read_table(day.get("medicine", {}), known, f"{place}, [medicine]", ScenarioError)
    return Plan(day.get("name", place.stem), tuple(fights), ranks)


def read_rests(text: str, fights: int) -> list[str]:
    """Return the rest before each fight, "none" before the first.

    The text has one word for all rests, or one word for each rest.
    """
    words = text.split(",")
    for word in words:
        if word not in RESTS:
            raise ScenarioError(f"--rest: expected {join_or(RESTS)}, got {word!r}.")
    if len(words) not in (1, fights - 1):
        raise ScenarioError(
            f"--rest: expected one rest for all, or {fights - 1} for {fights} fights, got {len(words)}."
        )
    return ["none", *(words * (fights - 1) if len(words) == 1 else words)]


def check_party(stages: Sequence[Stage], medicine: Mapping[str, int]) -> None:
    """Raise ScenarioError unless the same party fights all day and `medicine` names only its members."""
    for before, after in pairwise(stages):
        first, second = _party(before.encounter), _party(after.encounter)
        if first != second:
            found = [
                f"{join_or(sorted(party), 'and')} in {stage.encounter.game.scenario_name!r}"
                for party, stage in ((first, before), (second, after))
            ]
            raise ScenarioError(
                f"Expected one party with equal hit points and heart dice all day, got {found[0]} and {found[1]}."
            )
    for agent in medicine:
        if agent not in stages[0].encounter.heroes:
            allowed = join_or(stages[0].encounter.heroes)
            raise ScenarioError(f"medicine: expected members of the party ({allowed}), got {agent!r}.")


def _party(encounter: Encounter) -> dict[str, tuple[int, int]]:
    return {sheet.agent: (sheet.hp, sheet.heart) for sheet in sheets(encounter) if sheet.agent in encounter.heroes}


@dataclass
class DayTally:
    """The counts of some days.

    Attributes:
        fights: The tally of each fight, over the days that reached it.
        reached: Which days reached each fight, (fights, days).
        won: Which days were won to the end, (days,).
        ends: The party at the end of each day.
    """

    fights: list[Tally | None]
    reached: Any
    won: Any
    ends: list[list[Traveller]]


def days_together(parts: Sequence[DayTally]) -> DayTally:
    """Return the combined tally of several consecutive tallies."""
    return DayTally(
        [_joined([part.fights[k] for part in parts]) for k in range(len(parts[0].fights))],
        np.concatenate([part.reached for part in parts], axis=1),
        np.concatenate([part.won for part in parts]),
        [end for part in parts for end in part.ends],
    )


def _joined(tallies: Sequence[Tally | None]) -> Tally | None:
    known = [tally for tally in tallies if tally is not None]
    return together(known) if known else None


def play_days(stages: Sequence[Stage], days: int, seed: int, medicine: Mapping[str, int], first: int) -> DayTally:
    """Play the days numbered from `first`; the fights of all days step together."""
    parties = [new_party(stages[0].encounter, medicine) for _ in range(days)]
    up = np.ones((days, len(parties[0])), np.bool_)  # which members would stand in the next fight without a rest
    going, reached = np.ones(days, np.bool_), []
    fights: list[Tally | None] = []
    for number, stage in enumerate(stages):
        for day in np.flatnonzero(going):
            rest(parties[day], stage.rest, np.random.default_rng([seed, first + int(day), number]))
            if stage.rest != "none":
                up[day] = [member.awake for member in parties[day]]
        going &= up.any(axis=1)
        reached.append(going.copy())
        places = np.flatnonzero(going)
        if not len(places):
            fights.append(None)
            continue
        own = beginnings(stage.encounter, [parties[day] for day in places], up[places])
        counting = watch(stage.encounter, len(places), seed, first + number * APART, own)
        _carry_over(stage.encounter, counting.tally, counting.new_wounds, [parties[day] for day in places])
        up[places] = counting.tally.status[:, stage.encounter.in_party] == STANDING
        going[places] = counting.tally.result > 0
        fights.append(counting.tally)
    return DayTally(fights, np.array(reached), going, parties)


def new_party(encounter: Encounter, medicine: Mapping[str, int]) -> list[Traveller]:
    """Return the party at the start of the day, in agent order."""
    return [_traveller(sheet, medicine) for sheet in sheets(encounter) if sheet.agent in encounter.heroes]


def _traveller(sheet: FighterSheet, medicine: Mapping[str, int]) -> Traveller:
    return Traveller(
        sheet.hp,
        sheet.hp_now,
        sheet.heart,
        sheet.heart_now,
        sheet.cunning,
        medicine.get(sheet.agent, 0),
        untreated=list(sheet.wounds),
    )


def rest(party: Sequence[Traveller], kind: str, chance: np.random.Generator) -> None:
    """Apply a rest to the party, with dice from a generator."""

    def check(pool: Any) -> int:
        totals, shares = _odds(tuple(pool.sides[: pool.count].tolist()), int(pool.net), int(pool.flat_bonus))
        return int(chance.choice(totals, p=shares))

    if kind == "short":
        take_short_rest(party, check)
    elif kind != "none":
        take_long_rest(party, check, kind == "long", lambda sides: int(chance.integers(1, sides + 1)))


@cache
def _odds(sides: tuple[int, ...], net: int, flat: int) -> tuple[list[int], list[float]]:
    """Return the totals of a pool, and their probabilities."""
    found = distribution(new_pool(*sides, net=net, flat_bonus=flat))
    return list(found), [float(chance) for chance in found.values()]


def beginnings(encounter: Encounter, parties: Sequence[Sequence[Traveller]], up: Any) -> Any:
    """Return engine records, one for each party's fight; `up` marks standing members, (parties, members)."""
    records = np.repeat(as_heart_rush(encounter.game).new_template(True), len(parties))
    for k, i in enumerate(np.flatnonzero(encounter.in_party)):
        fighters = records["fighters"][:, i]
        members = [party[k] for party in parties]
        fighters["hp"] = [member.hp for member in members]
        fighters["heart"] = fighters["phase_heart"] = [member.heart for member in members]
        fighters["wounds"] = [member.wounds for member in members]
        fighters["wound_count"] = [len(member.untreated) + len(member.treated) for member in members]
        lying = np.where([member.dead for member in members], DEAD, UNCONSCIOUS)
        fighters["status"] = np.where(up[:, k], STANDING, lying)
        for place, member in enumerate(members):
            if member.tired is not None:
                fighters["levels"][place, member.tired] = max(1, fighters["levels"][place, member.tired])
                fighters["afflicted"][place] |= 1 << member.tired
    return records


def _carry_over(
    encounter: Encounter, tally: Tally, wounds: Sequence[Any], parties: Sequence[Sequence[Traveller]]
) -> None:
    """Write the results of a fight into the parties that fought it."""
    members = np.flatnonzero(encounter.in_party).tolist()
    for fight, party in enumerate(parties):
        for i, member in zip(members, party, strict=True):
            member.hp, member.heart = int(tally.hp[fight, i]), int(tally.heart[fight, i])
            member.dead = bool(tally.status[fight, i] == DEAD)
    for fight, i, rank in (row for rows in wounds for row in rows.tolist()):
        if i in members:
            parties[fight][members.index(i)].untreated.append(rank)


def day_findings(name: str, stages: Sequence[Stage], tally: DayTally, seed: int) -> Finding:
    """Return all findings from simulated days; docs/encounters.md explains each number."""
    ends = tally.ends
    return {
        "day": name,
        "days": len(ends),
        "seed": seed,
        "party": list(stages[0].encounter.heroes),
        "agents": sorted({stages[0].encounter.agents[team].id for team in stages[0].encounter.party}),
        "won": share(tally.won),
        "death": share(np.array([any(member.dead for member in party) for party in ends])),
        "fights": [
            {
                "rest": stage.rest,
                "reached": share(reached),
                "hp_before": _hp_before(stage.encounter, fought),
                "fight": None if fought is None else findings(stage.encounter, fought, seed),
            }
            for stage, reached, fought in zip(stages, tally.reached, tally.fights, strict=True)
        ],
        "fighters": {
            agent: _at_the_end([party[k] for party in ends]) for k, agent in enumerate(stages[0].encounter.heroes)
        },
    }


def _hp_before(encounter: Encounter, tally: Tally | None) -> float | None:
    """Return the party's mean fraction of maximum hit points at the start of a fight, or None without fights."""
    if tally is None:
        return None
    most = sum(sheet.hp for sheet in sheets(encounter) if sheet.agent in encounter.heroes)
    return float(np.maximum(0, tally.hp_before[:, encounter.in_party]).sum(axis=1).mean() / most)


def _at_the_end(members: Sequence[Traveller]) -> Finding:
    """Return the state of a party member at the end of an average day."""
    return {
        "dead": float(np.mean([member.dead for member in members])),
        "awake": float(np.mean([member.awake for member in members])),
        "hp_left": float(np.mean([max(0, member.hp) for member in members])),
        "untreated_ranks": float(np.mean([sum(member.untreated) for member in members])),
        "treated_ranks": float(np.mean([sum(member.treated) for member in members])),
    }


def day_answer(
    name: str,
    stages: Mapping[str, Sequence[Stage]],
    medicine: Mapping[str, int],
    amount: Amount,
    progress: Progress = silent,
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


def _days(stages: Sequence[Stage], seed: int, medicine: Mapping[str, int], days: int, first: int) -> DayTally:
    """Play some days."""
    return play_days(stages, days, seed, medicine, first)
