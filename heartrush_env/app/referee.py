"""The referee of a match between two sides, each an agent of this package or a program that implements the protocol.

Both sides play each team with the same dice. When a program is late, dead, malformed, refuses or makes an illegal
choice, the game's fallback is played (pass; take; the defensive stance) and the fault is counted under its name. Every
match finishes: a program with too many late answers in a row is stopped.
"""

from __future__ import annotations

import os
import shlex
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any, Final

import numpy as np
from heartrush_agents import load
from heartrush_agents.base import Agent

from heartrush_env.envs.match_runner import Chooser, Players, play_fight
from heartrush_env.envs.parallel import ParallelFights
from heartrush_env.protocol.program import START_SECONDS, Message, Program, ProgramError
from heartrush_env.protocol.requests import History, act_request
from heartrush_env.records.record import CUT_OFF, SUFFIX, read_record
from heartrush_env.records.recorder import Recorder
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.game import MISSING, Event, Game, Observation
from heartrush_env.tabletop.registry import open_game
from heartrush_env.tabletop.writing import check_folder

EXEC: Final = "exec:"
BUDGET_MS: Final = 1000
ON_THE_WAY_MS: Final = 50  # extra time for reading and writing, on top of the budget
MOST_LATE: Final = 10  # late answers in a row before a program is stopped
NAMED: Final = 6  # the most legal choices that a fault names
MOST_REVEALS: Final = 500  # maximum in a request; the latest are kept

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
        raise HeartRushError(
            f"Expected a command line such as 'exec:node engine.mjs', got {text!r} ({error})."
        ) from None
    if not command:
        raise HeartRushError(f"Expected a program, as in 'exec:node engine.mjs', got {text!r}.")
    return Side(line.strip(), command=command)


@dataclass
class Fought:
    """One fight of a match."""

    fight: int  # its number under the seed
    teams: Mapping[str, int]  # the side, 0 or 1, that played each seat's team
    cause: str
    winner: int | None  # a side, or None for a draw
    rounds: int
    faults: Mapping[str, Mapping[str, int]]  # by seat: how often each fault led to the fallback
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
        """Return the number of fights that a side has won."""
        return sum(fought.winner == side for fought in self.fights)

    @property
    def draws(self) -> int:
        """The number of drawn fights."""
        return sum(fought.winner is None for fought in self.fights)

    def faults(self, side: int) -> dict[str, int]:
        """Return the number of fallbacks played for a side, by fault."""
        count: Counter[str] = Counter()
        for fought in self.fights:
            for seat, faults in fought.faults.items():
                if fought.teams[seat] == side:
                    count.update(faults)
        return dict(count)


class _Running:
    """The program of a side: one process for all its seats."""

    def __init__(self, command: Sequence[str], budget_ms: float, start_seconds: float) -> None:
        self.budget_ms = budget_ms
        self.said: dict[str, str] = {}  # the first message of each fault
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

    def ask(self, request: Mapping[str, Any]) -> Message:
        """Return the program's choice; raise ProgramError if it gives none."""
        if self._over:
            raise self._over
        try:
            answer = self._program.ask(request, "choice", (self.budget_ms + ON_THE_WAY_MS) / 1000)
        except ProgramError as error:
            self._count(error)
            raise
        self._late = 0
        return answer

    def _count(self, error: ProgramError) -> None:
        self._late = self._late + 1 if error.fault == "late" else 0
        if error.fault == "dead":
            self._give_up(str(error))
        elif self._late >= MOST_LATE:
            self._give_up(f"It was ended after {MOST_LATE} late answers in a row.")

    def end(self, match: int, result: Mapping[str, Any]) -> None:
        """Notify the program that a match is over."""
        if not self._over:
            try:
                self._program.send({"type": "end", "match": str(match), "result": dict(result)}, 1.0)
            except ProgramError as error:
                self._count(error)

    def close(self) -> None:
        """Stop the program."""
        self._program.close()


class _Asked:
    """A program at one seat of a match; if it gives no playable action, the fault is counted."""

    def __init__(self, program: _Running, env: ParallelFights, seat: str, match: int) -> None:
        self._program, self._env, self._seat, self._match = program, env, seat, match
        self._fight = -1

    def new_match(self) -> None:
        """Do nothing: requests name the match."""

    def new_fight(self) -> None:
        """Start the next fight."""
        self._fight, self._step, self._history = self._fight + 1, -1, History()
        self.faults: Counter[str] = Counter()

    def observe(self, events: Sequence[Event]) -> None:
        """Keep the revealed stances for the next request."""
        self._history.observe(events)
        self._step += 1

    def act(self, observation: Observation, rng: np.random.Generator) -> int:
        """Return the action that the program chooses, or MISSING."""
        request = act_request(
            self._env.game,
            self._seat,
            observation,
            self._history.reveals[-MOST_REVEALS:],
            id=f"{self._match}.{self._fight}.{self._step}.{self._seat}"[:128],
            seed=int(rng.integers(2**53)),  # the range of integers that every language reads exactly
            budget_ms=self._program.budget_ms,
            match=str(self._match),
            fight=self._fight,
        )
        try:
            return self._chosen(request["legal"], self._program.ask(request))
        except ProgramError as error:
            self.faults[error.fault] += 1
            self._program.said.setdefault(error.fault, str(error))
            return MISSING

    def _chosen(self, legal: Sequence[str], answer: Message) -> int:
        """Return the action of an answer."""
        choice = answer.get("choice")
        if choice not in legal:
            shown = (
                choice if isinstance(choice, str) and len(choice) < 40 and choice.isprintable() else "something else"
            )
            named, more = ", ".join(legal[:NAMED]), " and others" if len(legal) > NAMED else ""
            raise ProgramError(
                "illegal", f"It chose {shown}, which is not legal; the legal choices were {named}{more}."
            )
        return self._env.game.action_names.index(choice)


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

    Fights come in pairs that share a number under the seed, and therefore the dice; the sides swap teams in between. A
    seat with only one legal action is not queried.

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
        open_game(
            game.as_table(), "The game"
        )  # raises an error for a game that cannot be recorded, before a program starts
        _check_folder(record, game, fights, seed, (first, second))
    sides, result = (first, second), Result(game.scenario_name, seed, budget_ms, (first, second))
    env = ParallelFights(game)
    programs: dict[int, _Running] = {}  # by side
    try:
        for side, player in enumerate(sides):
            if player.command:
                programs[side] = _Running(player.command, budget_ms, start_seconds)
        matches = [_seated(env, result, programs, teams, place) for place in range(min(2, fights))]
        for number in range(fights):
            path = None if record is None else record / _file_name(number)
            result.fights.append(_fight(env, result, matches[number % 2], number, teams, path))
            if watch:
                watch(number + 1, fights)
        summary = {"wins": [result.wins(0), result.wins(1)], "draws": result.draws}
        for program, place in product(programs.values(), range(len(matches))):
            program.end(place, summary)
    finally:
        for program in programs.values():
            program.close()
    for side, program in programs.items():
        result.said[side].update(program.said)
    return result


def _seated(
    env: ParallelFights, result: Result, programs: Mapping[int, _Running], teams: tuple[str, ...], place: int
) -> Players:
    """Return the players of the even fights (`place` 0) or the odd fights (1); each set keeps its teams and memory."""
    at: dict[str, Chooser] = {}
    for seat, side in _side_of(env.game, teams, place).items():
        agent = result.sides[side].agent
        at[seat] = agent.seat(env.game) if agent else _Asked(programs[side], env, seat, place)
    players = Players(env.game, at)
    players.new_match()
    return players


def _file_name(number: int) -> str:
    """Return the file name of a fight's record."""
    return f"{number:04d}{SUFFIX}"


def _check_folder(record: Path, game: Game, fights: int, seed: int, sides: tuple[Side, Side]) -> None:
    """Make the folder; refuse one that has records of another match. An interrupted match may be repeated."""
    try:
        record.mkdir(parents=True, exist_ok=True)
        taken = sorted(record.glob(f"*{SUFFIX}"))
    except OSError as error:
        raise HeartRushError(f"{record}: cannot write records to this folder ({error.strerror}).") from None
    check_folder(record)
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
                f"{record}: expected a folder without records of other matches, got one with {path.name}."
            )


def _side_of(game: Game, teams: tuple[str, ...], number: int) -> dict[str, int]:
    """Return the side that plays each seat in a fight; the sides swap teams after every fight."""
    return {seat: teams.index(team) ^ (number % 2) for seat, team in zip(game.agents, game.teams, strict=True)}


def _fight(
    env: ParallelFights, result: Result, players: Players, number: int, teams: tuple[str, ...], path: Path | None
) -> Fought:
    """Play one fight of a match to its end."""
    game, key = env.game, (result.seed, number // 2)
    side_of = _side_of(game, teams, number)
    asked = {seat: player for seat, player in players.at.items() if isinstance(player, _Asked)}
    seats = {seat: {"agent": result.sides[side].name, "side": side} for seat, side in side_of.items()}
    recorder, rounds = None if path is None else Recorder(game, key, seats), 0
    rewards = dict.fromkeys(game.agents, 0.0)
    for step, window in enumerate(play_fight(env, players, *key)):
        rounds += sum(event["type"] == "round" for event in window.events)
        rewards = {seat: rewards[seat] + window.rewards[seat] for seat in rewards}
        if recorder and step:
            failed = [seat for seat, action in window.chosen.items() if action == MISSING]
            recorder.step(window.chosen, window.events, failed)
        elif recorder:
            recorder.begin(window.events)
    counts = {seat: dict(player.faults) for seat, player in asked.items() if player.faults}
    if recorder and path:
        for seat, counted in counts.items():
            recorder.seats[seat]["faults"] = counted
        recorder.end(rewards)
        recorder.write(path)
    last = window.events[-1]
    end: Event = last if last["type"] == "end" else {"cause": CUT_OFF, "winners": []}
    winners = {side_of[seat] for seat, team in zip(game.agents, game.teams, strict=True) if team in end["winners"]}
    winner = winners.pop() if len(winners) == 1 else None
    return Fought(key[1], side_of, end["cause"], winner, rounds, counts, path)
