"""One person's fights, one after another: each is set up, played and recorded, and a command to repeat it is shown."""

from __future__ import annotations

import argparse
import shlex
import tempfile
from pathlib import Path
from typing import TextIO

from heartrush_env.app.cli.arguments import game_words
from heartrush_env.app.cli.fight import check_place
from heartrush_env.app.cli.playing.fight import Fight
from heartrush_env.app.cli.playing.person import Leaves, Person
from heartrush_env.app.cli.playing.screen import Screen
from heartrush_env.app.cli.playing.setup import Setup, enemies_at, enemies_of
from heartrush_env.app.cli.playing.table import Table, session_of
from heartrush_env.app.cli.replay import film
from heartrush_env.app.cli.signals import INTERRUPTED
from heartrush_env.records.record import PERSON, SUFFIX, read_record
from heartrush_env.records.recorder import Recorder
from heartrush_env.tabletop.render.film import SUFFIXES
from heartrush_env.tabletop.words import words_of


def play(arguments: argparse.Namespace, person: Person, stream: TextIO | None = None) -> int:
    """Set up and play fights, print the summaries, and return the exit code.

    Args:
        arguments: The parsed arguments.
        person: The source of answers.
        stream: Stream for all output; standard output by default.
    """
    screen = Screen(stream)
    if arguments.record is not None:
        check_place(arguments.record)
    setup = Setup(arguments, person, screen)
    again, code, finished = "", 0, 0
    try:
        table: Table | None = setup.first()
        while table is not None:
            recorder = None if arguments.record is None else new_recorder(table)
            again = command_again(arguments, table)
            session = session_of(arguments.game)(table, person, stream)
            name = words_of(table.env.game).names[table.seat]
            screen.say(f"You are {name}. {opposition(table)}", indent=0)
            session.introduce()
            session.play()
            finished += 1
            if recorder is not None:
                place = numbered(arguments.record, finished)
                write = write_film if place.suffix in SUFFIXES else write_record
                screen.show_command("Recorded:", str(write(place, recorder, session.fight)))
            table = setup.another(table) if person.watched else None
    except Leaves:
        screen.say("You leave.", indent=0)
    except EOFError:
        screen.say()
        screen.say("The input has ended, so the fight stops here.", indent=0)
    except KeyboardInterrupt:
        screen.say()
        screen.say("Interrupted.", indent=0)
        code = INTERRUPTED
    if again:
        screen.show_command("The same dice and enemies again:", again)
    return code


def opposition(table: Table) -> str:
    """Describe your allies and enemies with their agents in one sentence."""
    names, foes = words_of(table.env.game).names, enemies_of(table.env.game, table.seat)
    sides: dict[bool, list[str]] = {False: [], True: []}
    for agent, who in table.agents.items():
        sides[agent not in foes].append(f"{names[agent]} ({who.id})")
    allies = f" with {', '.join(sides[True])}" if sides[True] else ""
    return f"You fight{allies} against {', '.join(sides[False])}."


def command_again(arguments: argparse.Namespace, table: Table) -> str:
    """Return the command line that sets up the same fight."""
    words = ["heartrush", "play", arguments.scenario or table.env.game.scenario_name]
    words += ["--seat", table.seat]
    enemies = enemies_at(table)
    same = len({enemy.id for enemy in enemies.values()}) == 1
    for agent, enemy in list(enemies.items())[: 1 if same else None]:
        words += ["--enemy", enemy.id if same else f"{agent}={enemy.id}"]
    words += ["--ally", arguments.ally] if arguments.ally else []
    words += game_words(arguments)
    words += ["--dice"] * arguments.dice
    return shlex.join([*words, "--seed", str(table.seed)])


def numbered(path: Path, fight: int) -> Path:
    """Return the path for recording fight 1, 2, ... of a session: fight.hrr, fight-2.hrr."""
    return path if fight == 1 else path.with_name(f"{path.stem}-{fight}{path.suffix}")


def new_recorder(table: Table) -> Recorder:
    """Return a recorder for the fight at the table; raise HeartRushError if the fight cannot be recorded."""
    seats = {agent: {"agent": who.id} for agent, who in table.agents.items()}
    return Recorder(table.env.game, (table.seed, 0), {**seats, table.seat: {"agent": PERSON}})


def write_record(path: Path, recorder: Recorder, fight: Fight) -> Path:
    """Write the record of a finished fight, and return its path."""
    recorder.dice = fight.dice or None
    recorder.begin(fight.opening)
    for actions, events in fight.steps:
        recorder.step(actions, events)
    recorder.end(fight.rewards)
    return recorder.write(path)


def write_film(path: Path, recorder: Recorder, fight: Fight) -> Path:
    """Write the film of a finished fight, and return its path."""
    with tempfile.TemporaryDirectory() as folder:
        film(read_record(write_record(Path(folder) / f"fight{SUFFIX}", recorder, fight)), path)
    return path
