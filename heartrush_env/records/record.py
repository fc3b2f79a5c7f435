"""The record of a fight: JSON lines that hold all it takes to play it again.

The first line says what was played, by whom and with which dice; each further line is a window with what was chosen
and what happened; the last one says how it ended, and sums up all bytes before its own sum. A sum shows damage, not
forgery: whatever a file says is checked all the same. Not here: playing it again (`records.replay`).
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from heartrush_env import __version__
from heartrush_env.core.errors import HeartRushError
from heartrush_env.core.files import open_file, parse_json
from heartrush_env.core.game import LARGEST_FIGHT, Event, Game, tables_digest
from heartrush_env.core.text import show
from heartrush_env.core.validate import Field, check_value, is_whole, read_table, table, whole
from heartrush_env.core.writing import replace_file
from heartrush_env.envs.parallel import LARGEST_SEED, read_dice, unknown_agents, whole_number
from heartrush_env.records.tables import as_heart_rush, game_table, read_game

if TYPE_CHECKING:
    from heartrush_env.heart_rush.game import HeartRush

FORMAT: Final = "heartrush-record"
FORMAT_VERSION: Final = 1
SUFFIX: Final = ".hrr"
MAX_LINE: Final = 2**20  # bytes, line break included
MAX_FILE: Final = 64 * 2**20  # bytes
MAX_NAME: Final = 1_000  # characters of an agent's name
BEGINNING: Final = -1  # the step that a fight begins with
CUT_OFF: Final = "max_cycles"  # the cause of an end that is in no event

Route = Sequence[Sequence[int]]  # squares, each a column and a row

_CLOSING: Final = re.compile(rb'"sha256":"([0-9a-f]{64})"\}\n')  # how a record ends
_CLOSING_LENGTH: Final = len('"sha256":""}\n') + 64
_SUM_LENGTH: Final = len('"}\n') + 64  # bytes that the sum is not over: itself and what closes the line


class RecordError(HeartRushError):
    """A file is no record that can be read, or a fight does not go as its record says."""


# -- writing ---------------------------------------------------------------------------------------------------------


class Recorder:
    """Writes down one fight: `begin`, a `step` for each window, `end`, and `write` puts it into a file."""

    def __init__(
        self,
        game: Game,
        key: tuple[int, int],
        seats: Mapping[str, Mapping[str, Any]],
        dice: Sequence[int] | None = None,
        *,
        started: datetime | None = None,
    ) -> None:
        """Open a record.

        Args:
            game: What is played.
            key: The seed and the number of the fight, as the environment's `key` has them.
            seats: Who plays each seat, as in {"knight_0": {"agent": "duelist"}}; more JSON-able facts may stand beside.
            dice: What the first rolls were told to show. Who learns it only later sets `dice` before `end`.
            started: When the fight began; a record without a time is the same bytes each time it is written.
        """
        self.game = as_heart_rush(game)
        self.key = key
        self.seats = {agent: dict(facts) for agent, facts in seats.items()}
        self.dice = dice
        self.started = started
        self._actions = frozenset(game.action_names)
        self._lines: list[bytes] = []
        self._size = 0
        self._end_event: Event | None = None
        self._content: bytes | None = None
        self._head()  # whatever is wrong with it is said now

    def begin(self, events: Sequence[Event]) -> None:
        """Write down what the fight began with."""
        if self._lines:
            raise HeartRushError("begin() was called twice, allowed: once for a fight.")
        self._add({"step": BEGINNING, "events": list(events)})

    def step(
        self,
        actions: Mapping[str, int | str | None],
        events: Sequence[Event],
        fallback: Iterable[str] = (),
        routes: Mapping[str, Route] | None = None,
    ) -> None:
        """Write down a window.

        Args:
            actions: What each seat chose, as the action's number or name. A seat with one legal action may be left out.
            events: What happened.
            fallback: The seats that chose nothing that could be played, so that the game's stand-in was played; what
                `actions` says of them is left out.
            routes: The squares that were given to `give_route`, of seats that dashed along them.
        """
        if not self._lines or self._content is not None:
            raise HeartRushError("step() was called out of turn, allowed: after begin() and before end().")
        stood_in = set(fallback)
        agents = self.game.agents
        given = {} if routes is None else {agent: _squares(route) for agent, route in routes.items()}
        if strangers := [agent for agent in (*actions, *stood_in, *given) if agent not in agents]:
            raise HeartRushError(unknown_agents(strangers, agents))
        chosen = {agent: actions[agent] for agent in agents if agent in actions and agent not in stood_in}
        line: dict[str, Any] = {
            "step": len(self._lines) - 1,
            "actions": {agent: self._named(action) for agent, action in chosen.items() if action is not None},
            "events": list(events),
        }
        if stood_in:
            line["fallback"] = [agent for agent in agents if agent in stood_in]
        if given:
            line["routes"] = {agent: given[agent] for agent in agents if agent in given}
        self._add(line)
        if events and events[-1]["type"] == "end":
            self._end_event = events[-1]

    def end(self, rewards: Mapping[str, float]) -> None:
        """Close the record.

        Args:
            rewards: What each seat was paid over the whole fight.
        """
        if not self._lines or self._content is not None:
            raise HeartRushError("end() was called out of turn, allowed: once, after begin().")
        end = self._end_event or {"cause": CUT_OFF, "winners": []}
        paid = {agent: float(rewards[agent]) for agent in self.game.agents}
        told = {"cause": end["cause"], "winners": list(end["winners"]), "rewards": paid}
        last = _line({"end": told, "steps": len(self._lines) - 1, "sha256": "0" * 64})
        before = self._head() + b"".join(self._lines) + last[:-_SUM_LENGTH]
        self._content = before + hashlib.sha256(before).hexdigest().encode() + b'"}\n'

    @property
    def content(self) -> bytes:
        """The whole file."""
        if self._content is None:
            raise HeartRushError("The record has no end yet, needed: end().")
        return self._content

    def write(self, path: str | PathLike[str]) -> Path:
        """Write the file: under its name there is only ever the whole of it, or what was there before."""
        replace_file(path, self.content, RecordError)
        return Path(path)

    def _head(self) -> bytes:
        """The first line, checked as a reader checks it."""
        if strangers := [agent for agent in self.seats if agent not in self.game.agents]:
            raise HeartRushError(unknown_agents(strangers, self.game.agents))
        header = {
            "format": FORMAT,
            "version": FORMAT_VERSION,
            "heartrush_env": __version__,
            "game": game_table(self.game),
            "digest": self.game.digest,
            "tables": tables_digest(self.game),
            "seed": whole_number("The seed", self.key[0]),
            "fight": whole_number("The fight's number", self.key[1]),
            "dice": None if self.dice is None else read_dice(self.dice),
            "seats": {agent: self.seats[agent] for agent in self.game.agents if agent in self.seats},
            "started": None if self.started is None else self.started.isoformat(),
        }
        _read_header(header, "record")
        return _line(header)

    def _named(self, action: int | str) -> str:
        """The action's name."""
        if not isinstance(action, str):
            number = whole_number("An action", action)
            names = self.game.action_names
            if not 0 <= number < len(names):
                raise HeartRushError(f"An action is {number}, allowed: 0 to {len(names) - 1}.")
            return names[number]
        if action not in self._actions:
            raise HeartRushError(f"An action is {show(action)}, allowed: a name of the game's actions.")
        return action

    def _add(self, value: dict[str, Any]) -> None:
        line = _line(value)
        self._size += len(line)
        if self._size > MAX_FILE - 2 * MAX_LINE:  # room for the first and the last line
            raise RecordError(f"The fight is too long for a record, allowed: {MAX_FILE // 2**20} MiB.")
        self._lines.append(line)


def _squares(route: Route) -> list[list[int]]:
    """A route as it stands in a record; the environment has said whether it may be gone."""
    if not (isinstance(route, list | tuple) and all(isinstance(square, list | tuple) for square in route)):
        raise HeartRushError(f"A route is {show(route)}, allowed: a list of squares, each as [column, row].")
    return [[whole_number("A column or row of a route", number) for number in square] for square in route]


def _line(value: Any) -> bytes:
    try:
        line = json.dumps(value, separators=(",", ":"), allow_nan=False).encode() + b"\n"
    except (TypeError, ValueError) as error:
        raise RecordError(f"A line of the record cannot be written as JSON ({error}).") from None
    if len(line) > MAX_LINE:
        raise RecordError(f"A line of the record has {len(line)} bytes, allowed: {MAX_LINE}.")
    return line


# -- reading ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Step:
    """One window of a recorded fight, or its beginning."""

    number: int  # from 0; -1 for the beginning
    line: int  # of the file
    actions: Mapping[str, str]  # by seat; who had one legal action may be left out
    events: Sequence[Event]
    fallback: tuple[str, ...] = ()  # seats for which the stand-in was played
    routes: Mapping[str, Route] = field(default_factory=dict)  # the ways that seats gave for their dashes


@dataclass(frozen=True)
class Record:
    """A fight that was read from a file: sound in itself, though only playing it again shows whether it is true."""

    path: Path
    game: HeartRush
    seed: int
    fight: int
    dice: tuple[int, ...] | None  # what the first rolls were told to show
    seats: Mapping[str, Mapping[str, Any]]  # who played each seat
    started: str | None
    written_by: str  # the version of this package
    steps: Sequence[Step] = field(repr=False)  # the beginning first
    cause: str
    winners: tuple[str, ...]
    rewards: Mapping[str, float]
    sha256: str

    @property
    def lines(self) -> int:
        """How many lines the file has."""
        return len(self.steps) + 2


def read_record(path: str | PathLike[str]) -> Record:
    """Read a record.

    Raises:
        RecordError: it is no record, or damaged, cut off, of another version or another game; the one sentence names
            the file and the line.
    """
    path = Path(path)
    try:
        with open_file(path, MAX_FILE, RecordError, "a record") as file:
            return _read(path, file)
    except OSError as error:
        raise RecordError(f"{path}: it cannot be read ({error.strerror}).") from None


def _read(path: Path, file: BinaryIO) -> Record:
    """The record in an open file."""
    summed = hashlib.sha256()
    number = 1
    content = _next_line(file, path, number)
    header, game = _read_header(_parse(content, f"{path}, line 1"), f"{path}, line 1")
    steps: list[Step] = []
    names = frozenset(game.action_names)
    while True:
        summed.update(content)
        number += 1
        where = f"{path}, line {number}"
        content = _next_line(file, path, number)
        value = _parse(content, where)
        if "end" in value:
            break
        steps.append(_read_step(value, where, number, game.agents, names))
    end, sha256 = _read_end(value, where, content, summed, steps, game)
    if file.read(1):
        raise RecordError(f"{path}, line {number + 1}: something stands after the end, allowed: nothing.")
    dice = header["dice"]
    return Record(
        path=path,
        game=game,
        seed=header["seed"],
        fight=header["fight"],
        dice=None if dice is None else tuple(dice),
        seats=header["seats"],
        started=header["started"],
        written_by=header["heartrush_env"],
        steps=steps,
        cause=end["cause"],
        winners=tuple(end["winners"]),
        rewards=end["rewards"],
        sha256=sha256,
    )


def _next_line(file: BinaryIO, path: Path, number: int) -> bytes:
    """The next line with its line break; a record that has none here breaks off."""
    content = file.readline(MAX_LINE + 1)
    if len(content) > MAX_LINE:
        raise RecordError(f"{path}, line {number}: it is too long, allowed: {MAX_LINE} bytes.")
    if not content.endswith(b"\n"):
        if number == 1:
            raise RecordError(f"{path}, line 1: it is not the first line of a record, needed: format {FORMAT!r}.")
        raise RecordError(f"{path}, line {number}: the record breaks off, needed: all lines up to its end.")
    return content


def _parse(content: bytes, where: str) -> dict[str, Any]:
    """The JSON object of a line."""
    try:
        value = parse_json(content)
    except ValueError as error:
        raise RecordError(f"{where}: it is not JSON ({error}), needed: a line that a recorder wrote.") from None
    if not isinstance(value, dict):
        raise RecordError(f"{where}: found {show(value)}, needed: a JSON object.")
    return value


# -- what a line may say -----------------------------------------------------------------------------------------------


def _is_name(value: object) -> bool:
    return isinstance(value, str) and value.isprintable() and 0 < len(value) <= MAX_NAME


def _is_time(value: object) -> bool:
    if value is None:
        return True
    try:
        return isinstance(value, str) and datetime.fromisoformat(value) is not None
    except ValueError:
        return False


def _are_events(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(event, dict) and isinstance(event.get("type"), str) for event in value
    )


def _is_route(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(square, list) and len(square) == 2 and all(map(is_whole, square)) for square in value
    )


def _are_dice(value: object) -> bool:
    return value is None or (isinstance(value, list) and all(is_whole(die) and die >= 1 for die in value))


_NAME: Final = Field(_is_name, f"a line of text of at most {MAX_NAME} characters")
_TEXT: Final = Field(lambda value: isinstance(value, str), "a text")
_HEADER: Final = {
    "format": _TEXT,
    "version": whole(1, FORMAT_VERSION),
    "heartrush_env": _NAME,
    "game": table(),
    "digest": _TEXT,
    "tables": _TEXT,
    "seed": whole(0, LARGEST_SEED),
    "fight": whole(0, LARGEST_FIGHT),
    "dice": Field(_are_dice, "a list of whole numbers of at least 1, or null"),
    "seats": table(),
    "started": Field(_is_time, "a time as ISO 8601 writes it, or null"),
}
_EVENTS: Final = Field(_are_events, "a list of events, each with a type")
_STEP: Final = {
    "step": Field(is_whole, "a whole number"),
    "actions": table(),
    "events": _EVENTS,
    "fallback": Field(lambda value: isinstance(value, list), "a list of seats"),
    "routes": table(),
}
_ROUTE: Final = Field(_is_route, "a list of squares, each as [column, row]")
_LAST: Final = {"end": table(), "steps": Field(is_whole, "a whole number"), "sha256": _TEXT}
_NUMBER: Final = Field(lambda value: is_whole(value) or isinstance(value, float), "a number")
_END: Final = {
    "cause": _NAME,
    "winners": Field(lambda value: isinstance(value, list) and all(map(_is_name, value)), "a list of teams"),
    "rewards": table(),
}


def _all_of(given: Mapping[str, Any], fields: Mapping[str, Field], where: str) -> dict[str, Any]:
    """The fields of a table, of which none may be missing."""
    value = read_table(given, fields, where, RecordError)
    for key in fields:
        if key not in value:
            raise RecordError(f"{where}: {key} is missing, needed: {', '.join(fields)}.")
    return value


def _read_header(given: Mapping[str, Any], where: str) -> tuple[dict[str, Any], HeartRush]:
    """The checked first line and its game."""
    if given.get("format") != FORMAT:
        raise RecordError(f"{where}: found format {show(given.get('format'))}, needed: {FORMAT!r}.")
    version = given.get("version")
    if not is_whole(version) or version != FORMAT_VERSION:
        raise RecordError(f"{where}: found version {show(version)} of the format, allowed: {FORMAT_VERSION}.")
    header = _all_of(given, _HEADER, where)
    try:
        game = read_game(header["game"], f"{where}, game")
    except HeartRushError as error:
        raise RecordError(str(error)) from None
    if header["digest"] != game.digest:
        raise RecordError(
            f"{where}: the digest is {show(header['digest'])}, but the game beside it has {game.digest!r} "
            f"in heartrush-env {__version__}."
        )
    if header["tables"] != tables_digest(game):
        raise RecordError(
            f"{where}: the record is by other tables of actions and features than heartrush-env {__version__} has, "
            f"written by {show(header['heartrush_env'])}."
        )
    if set(header["seats"]) != set(game.agents):
        raise RecordError(
            f"{where}: seats are {show(list(header['seats']))}, needed: one each for {', '.join(game.agents)}."
        )
    for agent, facts in header["seats"].items():
        check_value(facts, table(), f"{where}: seats: {agent}", RecordError)
        check_value(facts.get("agent"), _NAME, f"{where}: seats: {agent}: agent", RecordError)
    return header, game


def _read_step(given: Mapping[str, Any], where: str, line: int, agents: Sequence[str], names: frozenset[str]) -> Step:
    """One of the lines between the first and the last."""
    number = line - 3  # the beginning stands in line 2
    value = read_table(given, _STEP, where, RecordError)
    check_value(
        value.get("step"),
        Field(lambda found: found == number, str(number)),
        f"{where}: step",
        RecordError,
    )
    check_value(value.get("events"), _EVENTS, f"{where}: events", RecordError)
    if number == BEGINNING:
        if len(value) != 2:
            raise RecordError(f"{where}: found {show(list(value))}, allowed at the beginning: step and events.")
        return Step(number, line, {}, value["events"])
    check_value(value.get("actions"), table(), f"{where}: actions", RecordError)
    stood_in = value.get("fallback", [])
    found = [*value["actions"], *stood_in]
    if not all(agent in agents for agent in found) or len(set(found)) < len(found):
        raise RecordError(f"{where}: it speaks of {show(found)}, allowed: each of {', '.join(agents)} once.")
    for agent, action in value["actions"].items():
        if not isinstance(action, str) or action not in names:
            raise RecordError(f"{where}: {agent} chose {show(action)}, allowed: the name of an action.")
    routes = value.get("routes", {})
    for agent, route in routes.items():
        if agent not in value["actions"]:
            raise RecordError(f"{where}: {show(agent)} has a route and no action, needed: the dash that takes it.")
        check_value(route, _ROUTE, f"{where}: the route of {agent}", RecordError)
    return Step(number, line, value["actions"], value["events"], tuple(stood_in), routes)


def _read_end(
    given: Mapping[str, Any], where: str, content: bytes, summed: Any, steps: Sequence[Step], game: HeartRush
) -> tuple[dict[str, Any], str]:
    """The checked end of the last line, and the sum that stands there."""
    last = _all_of(given, _LAST, where)
    summed.update(content[:-_SUM_LENGTH])
    found = _CLOSING.fullmatch(content[-_CLOSING_LENGTH:])
    if found is None or found[1].decode() != summed.hexdigest():
        raise RecordError(f"{where}: the record was changed after it was written: its SHA-256 does not fit.")
    end = _all_of(last["end"], _END, f"{where}, end")
    if not steps or last["steps"] != len(steps) - 1:
        raise RecordError(f"{where}: steps is {last['steps']}, but {max(0, len(steps) - 1)} stand above.")
    if set(end["rewards"]) != set(game.agents):
        raise RecordError(
            f"{where}: rewards are for {show(list(end['rewards']))}, needed: one each for {', '.join(game.agents)}."
        )
    for agent, reward in end["rewards"].items():
        check_value(reward, _NUMBER, f"{where}: the reward of {agent}", RecordError)
    return end, last["sha256"]
