"""`heartrush replay`: shows a recorded fight, checks it against the rules, or converts records to a dataset."""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from codecs import getincrementaldecoder
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from heartrush_env.app.cli.terminal import codes, painted, progress
from heartrush_env.records.dataset import write_dataset
from heartrush_env.records.record import MAX_FILE, SUFFIX, Record, read_record
from heartrush_env.records.replay import check, replay
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.files import open_file
from heartrush_env.tabletop.game import Event
from heartrush_env.tabletop.render.film import check_film, film_of
from heartrush_env.tabletop.words import words_of
from heartrush_env.tabletop.writing import check_folder

LONGEST_PAUSE = 3600.0  # seconds
FIRST_LOOK = 64  # bytes of a file, enough to see whether it is text
ABOUT = (
    "Replays a recorded fight by the rules, compares every event with the record, and shows the fight, or films it "
    "with --record."
)
EXAMPLES = """examples:
  heartrush fight duel --seed 7 --record duel.hrr
  heartrush replay duel.hrr --pause 1
  heartrush replay duel.hrr --rounds --step
  heartrush replay duel.hrr --record duel.gif
  heartrush replay --check duel.hrr
  heartrush replay --dataset duels.parquet duels/*.hrr"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="a record, as written by heartrush fight --record")
    parser.add_argument("--rounds", action="store_true", help="show each round in one line")
    wait = parser.add_mutually_exclusive_group()
    wait.add_argument("--step", action="store_true", help="wait for Enter after each window, on a terminal")
    wait.add_argument("--pause", type=_seconds, default=0.0, metavar="SECONDS", help="wait after each window")
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument(
        "--check", action="store_true", help="only compare the records with the rules; takes many files"
    )
    instead.add_argument("--dataset", metavar="OUT", help="write the decisions of many files as Parquet")
    instead.add_argument("--record", metavar="FILE", help="film the fight: FILE.gif or FILE.mp4")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _seconds(text: str) -> float:
    """Parse a number of seconds, for argparse."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds <= LONGEST_PAUSE:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds from 0 to {LONGEST_PAUSE:.0f}")
    return seconds


def run(arguments: argparse.Namespace) -> int:
    """Show or film one fight, compare many, or write their decisions."""
    files = [Path(file) for file in arguments.files]
    if arguments.dataset is None and not arguments.check and len(files) > 1:
        raise HeartRushError(f"Expected one file, or several with --check or --dataset, got {len(files)} files.")
    if arguments.record is not None:
        check_film_place(Path(arguments.record))
    for file in files:
        refuse_other_files(file)
    if arguments.dataset is not None:
        rows = write_dataset(arguments.dataset, _watched(files))
        result = {"dataset": arguments.dataset, "fights": len(files), "decisions": rows}
        text = f"{arguments.dataset}: {rows} decisions of {_fights(len(files))}."
        print(json.dumps(result) if arguments.json else text)
    elif arguments.check:
        windows = [compare(file) for file in _watched(files)]
        if arguments.json:
            print(json.dumps({"fights": len(files), "windows": sum(windows), "same": True}))
        else:
            print(f"{_fights(len(files))}, {sum(windows)} windows: every event agrees with the rules.")
    elif arguments.record is not None:
        filmed = film(read_record(files[0]), Path(arguments.record))
        result = {"film": arguments.record, "windows": filmed}
        print(json.dumps(result) if arguments.json else f"{arguments.record}: {filmed} windows of {files[0]}.")
    else:
        record = read_record(files[0])
        moments = [moment.events for moment in replay(record)]  # compare the whole record before showing any of it
        if arguments.json:
            print(json.dumps(summary(record, moments)))
        else:
            tell(record, moments, arguments)
    return 0


def refuse_other_files(file: Path) -> None:
    """Refuse a picture, a film or any other file that is not text; the record reader checks the rest."""
    try:
        with open_file(file, MAX_FILE, HeartRushError, "a record") as opened:
            getincrementaldecoder("utf-8")().decode(opened.read(FIRST_LOOK))
    except UnicodeDecodeError:
        needed = f"a record, FILE{SUFFIX} as written by heartrush fight --record"
        raise HeartRushError(
            f"{file}: expected {needed}, got a picture, a film or another file that is not text."
        ) from None


def check_film_place(place: Path) -> None:
    """Check the path for a film before any work is done."""
    if not place.absolute().parent.is_dir():
        raise HeartRushError(f"--record: expected an existing folder, got {str(place.parent)!r}.")
    check_film(place)
    check_folder(place.absolute().parent)


def film(record: Record, place: Path) -> int:
    """Film a recorded fight, and return its number of windows."""
    made = film_of(record.game, place)
    for done, _ in enumerate(replay(record, made.watch), 1):
        progress(done, len(record.steps), "windows")
    made.write()
    return len(record.steps) - 1


def _fights(count: int) -> str:
    return "1 fight" if count == 1 else f"{count} fights"


def _watched(files: Sequence[Path]) -> Any:
    """Yield the files one by one, with progress on a terminal."""
    for done, file in enumerate(files, 1):
        yield file
        progress(done, len(files), "fights")


def compare(file: Path) -> int:
    """Replay a record to check it against the rules, and return its number of windows."""
    record = read_record(file)
    check(record)
    return len(record.steps) - 1


def summary(record: Record, moments: Sequence[Sequence[Event]]) -> dict[str, Any]:
    """Return the fight as JSON-able data."""
    game, events = record.game, [event for events in moments for event in events]
    return {
        "scenario": game.scenario_name,
        "digest": game.scenario_digest,
        "seed": record.seed,
        "fight": record.fight,
        "dice": record.dice,
        "seats": {agent: facts["agent"] for agent, facts in record.seats.items()},
        "fighters": dict(zip(game.agents, game.teams, strict=True)),
        "rounds": sum(event["type"] == "round" for event in events),
        "cause": record.cause,
        "winners": record.winners,
        "rewards": record.rewards,
        "events": events,
    }


def tell(record: Record, moments: Sequence[Sequence[Event]], arguments: argparse.Namespace) -> None:
    """Print the fight window by window or round by round, waiting in between if requested."""
    words = words_of(record.game)
    print("\n".join(words.introduction(players(record))))
    if arguments.rounds:
        print()
        events = [event for events in moments for event in events]
        parts = [[line] for line in words.by_round(events)]
    else:
        teller, color = words.teller(), codes()
        parts = [painted(told, color) for events in moments if (told := teller.tell(events))]
    waits = arguments.step and sys.stdin.isatty() and sys.stdout.isatty()
    for place, lines in enumerate(parts):
        if place and waits:
            _enter()
        elif place:
            time.sleep(arguments.pause)
        print("\n".join(lines), flush=True)
    print(f"As recorded: seed {record.seed}, fight {record.fight}.")


def _enter() -> None:
    """Wait for Enter; once the input is closed, return at once."""
    with suppress(EOFError):
        input()


def players(record: Record) -> dict[str, str]:
    """Return the name of each team's player."""
    named: dict[str, dict[str, None]] = {}
    for agent, team in zip(record.game.agents, record.game.teams, strict=True):
        named.setdefault(team, {})[record.seats[agent]["agent"]] = None
    return {team: " and ".join(agents) for team, agents in named.items()}
