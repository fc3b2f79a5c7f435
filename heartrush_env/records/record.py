"""The record of a fight: JSON lines with everything needed to replay it.

The first line has the game, the players and the dice; each further line is one window with its choices and events;
the last line has the ending and a checksum of all bytes before the checksum itself. The checksum reveals damage, not
forgery, so the whole content of a file is validated anyway. `records.replay` replays records.
"""

from __future__ import annotations

import hashlib
import re
from codecs import BOM_UTF8
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from io import BytesIO
from os import PathLike
from pathlib import Path
from typing import Any, BinaryIO, Final

from heartrush_env import __version__
from heartrush_env.tabletop.arguments import LARGEST_SEED
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.files import open_file, parse_json
from heartrush_env.tabletop.game import LARGEST_FIGHT, Event, Game, tables_digest
from heartrush_env.tabletop.registry import as_read_before, open_game
from heartrush_env.tabletop.text import show
from heartrush_env.tabletop.validate import Field, check_value, is_whole, join_or, read_table, table, whole

FORMAT: Final = "heartrush-record"
FORMAT_VERSION: Final = 1
SUFFIX: Final = ".hrr"
MAX_LINE: Final = 2**20  # bytes, including the line break
MAX_FILE: Final = 64 * 2**20  # bytes
MAX_NAME: Final = 1_000  # characters of an agent's name
BEGINNING: Final = -1  # the number of the step that starts a fight
PERSON: Final = "person"  # the agent at the seat of a human player
CUT_OFF: Final = "max_cycles"  # the cause of an ending without an event

_CLOSING: Final = re.compile(rb'"sha256":"([0-9a-f]{64})"\}\n')  # the end of a record
_CLOSING_LENGTH: Final = len('"sha256":""}\n') + 64
SUM_LENGTH: Final = len('"}\n') + 64  # bytes outside the checksum: itself and the end of its line


class RecordError(HeartRushError):
    """An error for a file that is not a valid record, or for a fight that does not replay as recorded."""


@dataclass(frozen=True)
class Step:
    """One window of a recorded fight, or its start."""

    number: int  # from 0; -1 for the start of the fight
    line: int  # in the file, from 1
    actions: Mapping[str, str]  # by seat; seats with one legal action may be missing
    events: Sequence[Event]
    fallback: tuple[str, ...] = ()  # seats for which the fallback was played


@dataclass(frozen=True)
class Record:
    """A fight read from a file. It is self-consistent; only a replay shows whether it follows the rules."""

    path: Path
    game: Game
    seed: int
    fight: int
    dice: tuple[int, ...] | None  # given results of the first rolls
    seats: Mapping[str, Mapping[str, Any]]  # the player of each seat
    started: str | None
    written_by: str  # the version of this package that wrote the record
    steps: Sequence[Step] = field(repr=False)  # the start of the fight first
    cause: str
    winners: tuple[str, ...]
    rewards: Mapping[str, float]
    sha256: str

    @property
    def lines(self) -> int:
        """The number of lines in the file."""
        return len(self.steps) + 2


def read_record(path: str | PathLike[str]) -> Record:
    """Read a record.

    Raises:
        RecordError: The file is not a record, or it is damaged, cut off, or of a different version or game. The
            message names the file and the line.
    """
    path = Path(path)
    try:
        with open_file(path, MAX_FILE, RecordError, "a record") as file:
            return _read(path, file)
    except OSError as error:
        raise RecordError(f"{path}: it cannot be read ({error.strerror}).") from None


def parse_record(content: bytes, name: str = "The record") -> Record:
    """Read a record from the content of its file; no file is opened.

    Raises:
        RecordError: The content is not a valid record; the message has `name` in place of the file's name.
    """
    return _read(Path(name), BytesIO(content))


def _read(path: Path, file: BinaryIO) -> Record:
    """Read a record from an open file."""
    summed = hashlib.sha256()
    number = 1
    content = _next_line(file, path, number)
    header, game = read_header(_parse(content, f"{path}, line 1"), f"{path}, line 1")
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
        raise RecordError(f"{path}, line {number + 1}: expected nothing after the end, got more content.")
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
    """Return the next line with its line break; raise an error if the record breaks off here.

    Editors and mail may have added a byte-order mark before the record and carriage returns before its line breaks, or
    removed the last line break. The original lines are restored.
    """
    content = file.readline(MAX_LINE + 1)
    if number == 1:
        content = content.removeprefix(BOM_UTF8)
    if content.endswith(b"\r\n"):
        content = content[:-2] + b"\n"
    elif _CLOSING.fullmatch(content[1 - _CLOSING_LENGTH :] + b"\n"):
        content += b"\n"
    if len(content) > MAX_LINE:
        raise RecordError(f"{path}, line {number}: expected at most {MAX_LINE} bytes, got more.")
    if not content.endswith(b"\n"):
        if number == 1:
            raise RecordError(f"{path}, line 1: expected the first line of a record, with format {FORMAT!r}.")
        raise RecordError(f"{path}, line {number}: expected all lines up to the record's end, got only a part.")
    return content


def _parse(content: bytes, where: str) -> dict[str, Any]:
    """Parse the JSON object of a line."""
    try:
        value = parse_json(content)
    except ValueError as error:
        raise RecordError(f"{where}: expected a line that a recorder wrote, got invalid JSON ({error}).") from None
    if not isinstance(value, dict):
        raise RecordError(f"{where}: expected a JSON object, got {show(value)}.")
    return value


# -- the content of lines ----------------------------------------------------------------------------------------------


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


def _are_dice(value: object) -> bool:
    return value is None or (isinstance(value, list) and all(is_whole(die) and die >= 1 for die in value))


_NAME: Final = Field(_is_name, f"a line of text of at most {MAX_NAME} characters")
_TEXT: Final = Field(lambda value: isinstance(value, str), "text")
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
    "started": Field(_is_time, "an ISO 8601 time, or null"),
}
_EVENTS: Final = Field(_are_events, "a list of events, each with a type")
_STEP: Final = {
    "step": Field(is_whole, "a whole number"),
    "actions": table(),
    "events": _EVENTS,
    "fallback": Field(lambda value: isinstance(value, list), "a list of seats"),
}
_LAST: Final = {"end": table(), "steps": Field(is_whole, "a whole number"), "sha256": _TEXT}
_NUMBER: Final = Field(lambda value: is_whole(value) or isinstance(value, float), "a number")
_END: Final = {
    "cause": _NAME,
    "winners": Field(lambda value: isinstance(value, list) and all(map(_is_name, value)), "a list of teams"),
    "rewards": table(),
}


def _all_of(given: Mapping[str, Any], fields: Mapping[str, Field], where: str) -> dict[str, Any]:
    """Check the fields of a table, all of which are required, and return them."""
    value = read_table(given, fields, where, RecordError)
    for key in fields:
        if key not in value:
            raise RecordError(f"{where}: {key} is missing; expected {join_or(fields, 'and')}.")
    return value


def read_header(given: Mapping[str, Any], where: str) -> tuple[dict[str, Any], Game]:
    """Check the first line, and return it with its game."""
    if given.get("format") != FORMAT:
        raise RecordError(f"{where}: format: expected {FORMAT!r}, got {show(given.get('format'))}.")
    version = given.get("version")
    if not is_whole(version) or version != FORMAT_VERSION:
        raise RecordError(f"{where}: version: expected {FORMAT_VERSION}, got {show(version)}.")
    header = _all_of(given, _HEADER, where)
    try:
        game = _open_recorded(header["game"], f"{where}, game")
    except HeartRushError as error:
        raise RecordError(" ".join(str(error).split())) from None  # on one line, even with several faults
    if header["digest"] != game.digest:
        raise RecordError(
            f"{where}: digest: expected {game.digest!r}, as the game on this line has in heartrush-env "
            f"{__version__}, got {show(header['digest'])}."
        )
    if header["tables"] != tables_digest(game):
        raise RecordError(
            f"{where}: the tables of actions and features are not those of heartrush-env {__version__}; read the "
            f"record with {_named_version(header['heartrush_env'])}, which wrote it."
        )
    try:
        before = as_read_before(header["game"], game, where)
    except HeartRushError as error:
        wrote = show(header["heartrush_env"])
        raise RecordError(f"{where}: the record was written by heartrush-env {wrote}: {error}.") from None
    if before != header["game"]:
        game = _open_recorded(before, f"{where}, game")
    if set(header["seats"]) != set(game.agents):
        raise RecordError(
            f"{where}: seats: expected one each for {', '.join(game.agents)}, got {show(list(header['seats']))}."
        )
    for agent, facts in header["seats"].items():
        check_value(facts, table(), f"{where}: seats: {agent}", RecordError)
        check_value(facts.get("agent"), _NAME, f"{where}: seats: {agent}: agent", RecordError)
    return header, game


def _open_recorded(given: Mapping[str, Any], where: str) -> Game:
    """Return the game of a record; the game's table must be complete, because reading a record opens no other file."""
    if "scenario" in given:
        check_value(given["scenario"], table(), f"{where}: scenario", HeartRushError)
    game = open_game(given, where)
    _all_of(given, dict.fromkeys(game.as_table(), Field(lambda value: True, "any value")), where)
    return game


def _named_version(wrote: str) -> str:
    """Return the version that wrote a record, in words; a version between releases has the earlier release's number."""
    return f"{'an earlier ' if wrote == __version__ else ''}heartrush-env {show(wrote)}"


def _read_step(given: Mapping[str, Any], where: str, line: int, agents: Sequence[str], names: frozenset[str]) -> Step:
    """Check a line between the first and the last, and return its step."""
    number = line - 3  # the start of the fight is line 2
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
            raise RecordError(f"{where}: expected step and events at the start, got {show(list(value))}.")
        return Step(number, line, {}, value["events"])
    check_value(value.get("actions"), table(), f"{where}: actions", RecordError)
    stood_in = value.get("fallback", [])
    found = [*value["actions"], *stood_in]
    if not all(agent in agents for agent in found) or len(set(found)) < len(found):
        raise RecordError(f"{where}: expected each of {', '.join(agents)} at most once, got {show(found)}.")
    for agent, action in value["actions"].items():
        if not isinstance(action, str) or action not in names:
            raise RecordError(f"{where}: {agent}: expected the name of an action, got {show(action)}.")
    return Step(number, line, value["actions"], value["events"], tuple(stood_in))


def _read_end(
    given: Mapping[str, Any], where: str, content: bytes, summed: Any, steps: Sequence[Step], game: Game
) -> tuple[dict[str, Any], str]:
    """Check the last line and return the ending and the checksum."""
    last = _all_of(given, _LAST, where)
    summed.update(content[:-SUM_LENGTH])
    found = _CLOSING.fullmatch(content[-_CLOSING_LENGTH:])
    if found is None or found[1].decode() != summed.hexdigest():
        raise RecordError(f"{where}: the record was changed after it was written: its SHA-256 does not match.")
    end = _all_of(last["end"], _END, f"{where}, end")
    if not steps or last["steps"] != len(steps) - 1:
        raise RecordError(
            f"{where}: steps: expected {max(0, len(steps) - 1)}, as there are above, got {last['steps']}."
        )
    if set(end["rewards"]) != set(game.agents):
        raise RecordError(
            f"{where}: rewards: expected one each for {', '.join(game.agents)}, got {show(list(end['rewards']))}."
        )
    for agent, reward in end["rewards"].items():
        check_value(reward, _NUMBER, f"{where}: the reward of {agent}", RecordError)
    return end, last["sha256"]
