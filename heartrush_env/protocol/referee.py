"""Referees a match of two sides, each an agent of this package or a program that speaks the protocol.

Both sides play each team with the same dice. When a program is late, dead, malformed, refuses or makes an illegal
choice, the game's fallback is played (pass; take; the defensive stance) and the fault is counted under its name. Every
match finishes: a program that is late too often in a row is ended.
"""

from __future__ import annotations

import os
import shlex
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
from heartrush_agents import load
from heartrush_agents.base import Agent

from heartrush_env.core.errors import HeartRushError
from heartrush_env.core.game import Event, Game, Observation
from heartrush_env.envs.match_runner import Players
from heartrush_env.envs.parallel import ParallelFights
from heartrush_env.protocol.program import START_SECONDS, Program, ProgramError
from heartrush_env.protocol.requests import History, act_request
from heartrush_env.records.record import CUT_OFF, SUFFIX, Recorder, read_record

EXEC: Final = "exec:"
BUDGET_MS: Final = 1000
ON_THE_WAY_MS: Final = 50  # allowed for reading and writing, on top of the budget
MOST_LATE: Final = 10  # answers in a row, before a program is ended
MOST_REVEALS: Final = 500  # the latest ones, included in a request

Watch = Callable[[int, int], None]  # called with the number of finished fights and the total


@dataclass(frozen=True)
class Side:
    """One side of a match: an agent, or a program given by its command."""

    name: str
    agent: Agent | None = None
    command: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if (self.agent is None) == (not self.command):
            raise HeartRushError(f"The side {self.name!r} needs either an agent or the command of a program.")


def read_side(text: str) -> Side:
    """Parse a side: an agent's id, a trained agent's folder, or "exec:" and a command line, run without a shell."""
    if not text.startswith(EXEC):
        agent = load(text)
        return Side(agent.id, agent)
    line = text.removeprefix(EXEC)
    try:
        command = tuple(shlex.split(line, posix=os.name != "nt"))
    except ValueError as error:
        raise HeartRushError(f"{text!r} is not a command line ({error}), as in 'exec:node engine.mjs'.") from None
    if not command:
        raise HeartRushError(f"{text!r} names no program, as in 'exec:node engine.mjs'.")
    return Side(line.strip(), command=command)


@dataclass
class Fought:
    """One fight of a match."""

    fight: int  # number under the seed
    teams: Mapping[str, int]  # the side, 0 or 1, that played each team
    cause: str
    winner: int | None  # a side, or None for a draw
    rounds: int
    faults: Mapping[str, Mapping[str, int]]  # counts by seat, where the fallback was played
    record: Path | None = None


@dataclass
class Result:
    """The result of a match."""

    scenario: str
    seed: int
    budget_ms: float
    sides: tuple[Side, Side]
    fights: list[Fought] = field(default_factory=list)
    said: tuple[dict[str, str], dict[str, str]] = field(
        default_factory=lambda: ({}, {})
    )  # the first message of each fault

    def wins(self, side: int) -> int:
        """The number of fights that a side has won."""
        return sum(fought.winner == side for fought in self.fights)

    @property
    def draws(self) -> int:
        """The number of drawn fights."""
        return sum(fought.winner is None for fought in self.fights)

    def faults(self, side: int) -> dict[str, int]:
        """The number of fallbacks played for a side, by fault."""
        count: Counter[str] = Counter()
        for fought in self.fights:
            for seat, faults in fought.faults.items():
                if fought.teams[seat] == side:
                    count.update(faults)
        return dict(count)


class _Seats:
    """An agent of this package in a match: a player for each of the two matches and each seat."""

    def __init__(self, agent: Agent, game: Game) -> None:
        self._agent, self._game = agent, game
        self._players: dict[int, Players] = {}  # by match

    def begin(self, match: int, seats: Sequence[str], key: tuple[int, int]) -> None:
        """Start a fight."""
        if match not in self._players:
            self._players[match] = Players(self._game, {seat: self._agent.seat(self._game) for seat in seats})
            self._players[match].new_match()
        self._players[match].new_fight(key)

    def hear(self, match: int, seats: Sequence[str], events: Sequence[Event]) -> None:
        """Pass events to the players."""
        self._players[match].observe(events)

    def choose(self, match: int, seat: str, seen: Observation, _: _Moment) -> str:
        """The name of the chosen action."""
        return self._game.action_names[self._players[match].act(seat, seen)]

    def end(self, match: int, result: Mapping[str, Any]) -> None:
        """Note that a match is over."""

    def close(self) -> None:
        """Nothing to close."""


@dataclass(frozen=True)
class _Moment:
    """The part of a request that is not in the observation."""

    key: tuple[int, int]
    step: int
    history: History


class _Asked:
    """A program in a match."""

    def __init__(self, command: Sequence[str], game: Game, name: str, budget_ms: float, start_seconds: float) -> None:
        self._game, self._name, self._budget_ms = game, name, budget_ms
        self._program = Program(command)
        self._late = 0
        self._over: ProgramError | None = None
        try:
            self._program.hello(start_seconds)
        except ProgramError as error:
            self._give_up(f"It never said that it is ready: {error}")

    def _give_up(self, why: str) -> None:
        self._over = ProgramError("dead", why)
        self._program.close()

    def begin(self, match: int, seats: Sequence[str], key: tuple[int, int]) -> None:
        """Nothing to send: requests name the fight."""

    def hear(self, match: int, seats: Sequence[str], events: Sequence[Event]) -> None:
        """Nothing to send: requests hold the events' results."""

    def choose(self, match: int, seat: str, seen: Observation, moment: _Moment) -> str:
        """The name of the chosen action; ProgramError if the program gives none that can be played."""
        if self._over:
            raise self._over
        seed, fight = moment.key
        place = self._game.agents.index(seat)
        draw = np.random.SeedSequence([seed, fight, place, moment.step]).generate_state(1, np.uint64)[0]
        request = act_request(
            self._game,
            seat,
            seen,
            moment.history.reveals[-MOST_REVEALS:],
            id=f"{match}.{fight}.{moment.step}.{seat}"[:128],
            seed=int(draw >> np.uint64(11)),  # the largest integers that every language reads exactly
            budget_ms=self._budget_ms,
            match=str(match),
            fight=fight,
        )
        try:
            answer = self._program.ask(request, "choice", (self._budget_ms + ON_THE_WAY_MS) / 1000)
        except ProgramError as error:
            self._count(error)
            raise
        self._late = 0
        choice = answer.get("choice")
        if choice not in request["legal"]:
            shown = (
                choice if isinstance(choice, str) and len(choice) < 40 and choice.isprintable() else "something else"
            )
            legal = ", ".join(request["legal"][:6])
            raise ProgramError("illegal", f"It chose {shown}, which is not legal; legal were {legal}, among others.")
        return str(choice)

    def _count(self, error: ProgramError) -> None:
        self._late = self._late + 1 if error.fault == "late" else 0
        if error.fault == "dead":
            self._give_up(str(error))
        elif self._late >= MOST_LATE:
            self._give_up(f"It was ended after {MOST_LATE} late answers in a row.")

    def end(self, match: int, result: Mapping[str, Any]) -> None:
        """Note that a match is over."""
        if not self._over:
            try:
                self._program.send({"type": "end", "match": str(match), "result": dict(result)}, 1.0)
            except ProgramError as error:
                self._count(error)

    def close(self) -> None:
        """End the program."""
        self._program.close()


def match(
    first: Side,
    second: Side,
    game: Game,
    *,
    fights: int = 2,
    seed: int = 0,
    budget_ms: float = BUDGET_MS,
    record: Path | None = None,
    watch: Watch | None = None,
    start_seconds: float = START_SECONDS,
) -> Result:
    """Play a match between two sides.

    Fights come in pairs that share a number under the seed, and so the dice; the sides swap teams in between. A seat
    with one legal action is not asked.

    Args:
        first: The side that plays the scenario's first team in the first fight.
        second: The other side.
        game: The game, which must have two teams.
        fights: Number of fights.
        seed: Seed of all dice and choices.
        budget_ms: Time limit for each answer of a program, in milliseconds, not counting ON_THE_WAY_MS.
        record: Folder for a record of each fight; records of the same match in it are replaced.
        watch: Called after each fight with the number of fights finished and the total.
        start_seconds: Time limit for a program to get ready, in seconds.
    """
    teams = tuple(dict.fromkeys(game.teams))
    if len(teams) != 2:
        what = f"A match is between two teams, but {game.scenario_name!r} has {len(teams)}"
        raise HeartRushError(f"{what}: {', '.join(teams)}.")
    if record is not None:
        _check_folder(record, game, fights, seed, (first, second))
    sides, result = (first, second), Result(game.scenario_name, seed, budget_ms, (first, second))
    env = ParallelFights(game)
    tables: list[_Seats | _Asked] = []
    try:
        for side in sides:
            if side.agent:
                tables.append(_Seats(side.agent, game))
            else:
                tables.append(_Asked(side.command, game, side.name, budget_ms, start_seconds))
        for number in range(fights):
            path = None if record is None else record / _file_name(number)
            result.fights.append(_fight(env, result, tables, number, teams, path))
            if watch:
                watch(number + 1, fights)
        summary = {"wins": [result.wins(0), result.wins(1)], "draws": result.draws}
        for table in tables:
            for place in range(min(2, fights)):
                table.end(place, summary)
    finally:
        for table in tables:
            table.close()
    return result


def _file_name(number: int) -> str:
    """The file name of a fight's record."""
    return f"{number:04d}{SUFFIX}"


def _check_folder(record: Path, game: Game, fights: int, seed: int, sides: tuple[Side, Side]) -> None:
    """Make the folder; refuse one that holds records of another match. An interrupted match may be repeated."""
    try:
        record.mkdir(parents=True, exist_ok=True)
        taken = sorted(record.glob(f"*{SUFFIX}"))
    except OSError as error:
        raise HeartRushError(f"{record}: records cannot be written there ({error.strerror}).") from None
    teams = tuple(dict.fromkeys(game.teams))
    numbers = {_file_name(number): number for number in range(fights)} if taken else {}
    for path in taken:
        number, same = numbers.get(path.name), False
        if number is not None:
            found = read_record(path)
            seated = {seat: (facts["agent"], facts.get("side")) for seat, facts in found.seats.items()}
            wanted = {seat: (sides[side].name, side) for seat, side in _side_of(game, teams, number).items()}
            key = found.game.digest, found.seed, found.fight
            same = key == (game.digest, seed, number // 2) and seated == wanted
        if not same:
            raise HeartRushError(
                f"{record}: it already holds records ({path.name}), needed: a folder without records, or with those of "
                "this match."
            )


def _side_of(game: Game, teams: tuple[str, ...], number: int) -> dict[str, int]:
    """The side that plays each seat in a fight; the sides swap teams after every fight."""
    return {seat: teams.index(team) ^ (number % 2) for seat, team in zip(game.agents, game.teams, strict=True)}


def _fight(
    env: ParallelFights,
    result: Result,
    tables: Sequence[_Seats | _Asked],
    number: int,
    teams: tuple[str, ...],
    path: Path | None,
) -> Fought:
    """Play one fight of a match to its end."""
    game, pair, place = env.game, number // 2, number % 2
    names = game.action_names
    side_of = _side_of(game, teams, number)
    seats = [[seat for seat in game.agents if side_of[seat] == side] for side in (0, 1)]
    observations, _ = env.reset(seed=result.seed, options={"fight": pair})
    key, history, step, rounds = (result.seed, pair), History(), 0, 0
    faults: dict[str, Counter[str]] = {}
    rewards = dict.fromkeys(game.agents, 0.0)
    recorder = None
    if path is not None:
        recorder = Recorder(
            game, key, {seat: {"agent": result.sides[side].name, "side": side} for seat, side in side_of.items()}
        )
        recorder.begin(env.events)
    for side, table in enumerate(tables):
        table.begin(place, seats[side], key)
    while True:
        happened = env.events
        history.observe(happened)
        rounds += sum(event["type"] == "round" for event in happened)
        for side, table in enumerate(tables):
            table.hear(place, seats[side], happened)
        if not env.agents:
            break
        alone: dict[str, int] = {}  # seats with one legal action are not asked
        chosen: dict[str, int] = {}
        failed: list[str] = []
        for seat, seen in observations.items():
            side, legal = side_of[seat], np.flatnonzero(seen["action_mask"])
            if len(legal) == 1:
                alone[seat] = int(legal[0])
                continue
            try:
                chosen[seat] = names.index(tables[side].choose(place, seat, seen, _Moment(key, step, history)))
            except ProgramError as error:
                failed.append(seat)
                faults.setdefault(seat, Counter())[error.fault] += 1
                result.said[side].setdefault(error.fault, str(error))
        observations, paid, _, _, _ = env.step({**alone, **chosen})
        rewards = {seat: rewards[seat] + paid[seat] for seat in rewards}
        if recorder:
            recorder.step(chosen, env.events, failed)
        step += 1
    if recorder and path:
        for seat, counted in faults.items():
            recorder.seats[seat]["faults"] = dict(counted)
        recorder.end(rewards)
        recorder.write(path)
    end: Event = happened[-1] if happened[-1]["type"] == "end" else {"cause": CUT_OFF, "winners": []}
    winners = {side_of[seat] for seat, team in zip(game.agents, game.teams, strict=True) if team in end["winners"]}
    counts = {seat: dict(counted) for seat, counted in faults.items()}
    winner = winners.pop() if len(winners) == 1 else None
    return Fought(pair, side_of, end["cause"], winner, rounds, counts, path)
