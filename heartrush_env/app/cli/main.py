"""`heartrush`: the package's command line.

Exit codes: 0 for success, 2 for bad input or a full disk (one sentence on standard error), 130 when interrupted by
Ctrl-C, and 128 plus the signal number when terminated by another signal.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
import warnings
from collections.abc import Sequence
from difflib import get_close_matches
from textwrap import wrap
from typing import Any, Final, NoReturn

from heartrush_env import __version__
from heartrush_env.app.cli import (
    arena,
    calibrate,
    card,
    conform,
    doctor,
    engine,
    export,
    fight,
    host,
    match,
    play,
    rate,
    replay,
    rules,
    serve,
    train,
    warm,
)
from heartrush_env.app.cli.command import Command, add_command, name_of
from heartrush_env.app.cli.signals import INTERRUPTED, Ended, ended_by_signals
from heartrush_env.app.heart_rush.commands import (
    analyse,
    balance,
    bench,
    check,
    compare,
    exploit,
    listings,
    sheet,
    simulate,
    solve,
)
from heartrush_env.tabletop.errors import HeartRushError, ScenarioWarning
from heartrush_env.tabletop.text import escaped, show
from heartrush_env.tabletop.validate import join_or

BAD_INPUT = 2
HELP_WIDTH, HELP_COLUMN = 100, 14  # layout of the command list, in characters

EXAMPLES = """examples:
  heartrush fight duel --red uniform --blue random
  heartrush play duel --enemy duelist
  heartrush encounter simulate dragon
  heartrush train duel --id mine
  heartrush rate duel --agents uniform,might,random
  heartrush match duelist "exec:node engine.mjs"
  heartrush list monsters
  heartrush rules hinder
  heartrush machine bench
  heartrush machine warm
  heartrush machine doctor"""


class OneSentence(argparse.ArgumentParser):
    """A parser that reports errors in one sentence, without the usage text."""

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Refuse a value that is not among the choices, and suggest similar ones."""
        choices = [] if action.choices is None else [str(each) for each in action.choices]
        known = {name: name for name in choices}
        if action.dest == "command":
            known |= {part: f"{family.name} {part}" for family in FAMILIES for part in family.parts}
        like = [known[name] for name in get_close_matches(str(value), known)]
        if like and str(value) not in choices:
            raise argparse.ArgumentError(action, f"invalid choice: {show(value)} (did you mean {join_or(like)}?)")
        super()._check_value(action, value)

    def error(self, message: str) -> NoReturn:
        """Report the error and exit."""
        said = f"{self.prog}: {escaped(message.rstrip('.?'))}; see {self.prog} --help."
        self.exit(BAD_INPUT, f"{said}\n")


class Family:
    """A command with sub-commands, such as `heartrush duel solve`."""

    def __init__(self, name: str, help: str, *commands: Command) -> None:
        self.name = name
        self._help = help
        self._commands = commands

    def add_to(self, commands: Group) -> None:
        """Add the command and its sub-commands to a group."""
        parser = commands.add_parser(
            self.name,
            help=self._help,
            usage=f"heartrush {self.name} [-h] COMMAND ...",
            description=f"`heartrush {self.name} COMMAND --help` describes a command.",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        parts = parser.add_subparsers(
            prog=f"heartrush {self.name}", metavar="COMMAND", dest="part", required=True, help=argparse.SUPPRESS
        )
        group = Group("commands", parts)
        for command in self._commands:
            add_command(group, command)
        parser.epilog = str(group)

    @property
    def parts(self) -> list[str]:
        """The names of the sub-commands."""
        return [name_of(command) for command in self._commands]


FAMILIES: Final = (
    Family("encounter", "simulate and balance encounters, or compare editions", simulate, balance, compare),
    Family("agent", "show, measure, calibrate or export an agent", card, calibrate, export),
    Family("duel", "solve duels exactly, exploit agents, analyse play", solve, exploit, analyse),
    Family("machine", "check this installation, compile the rules or measure speed", doctor, warm, bench),
)
ENCOUNTER, AGENT, DUEL, MACHINE = FAMILIES

# The commands in the order in which `heartrush --help` lists them.
GROUPS: Final[Sequence[tuple[str, Sequence[Command | Family]]]] = (
    ("play and watch fights", (play, fight, replay, match)),
    ("find scenarios, enemies and rules", (listings, rules, sheet, check)),
    ("plan encounters and study duels", (ENCOUNTER, DUEL)),
    ("train and rate agents", (train, rate, arena, AGENT)),
    ("use agents in other programs", (serve, host, engine, conform)),
    ("look after this installation", (MACHINE,)),
)


class Group:
    """A group of commands that are listed under a title of their own."""

    def __init__(self, title: str, commands: Any) -> None:
        self._commands = commands
        self._lines = [f"{title}:"]

    def add_parser(self, name: str, *, help: str = "", **words: Any) -> argparse.ArgumentParser:
        """Add a command with its description in the list; a command without help is not listed."""
        for number, line in enumerate(wrap(help, HELP_WIDTH - HELP_COLUMN)):
            self._lines.append(f"  {'' if number else name:<{HELP_COLUMN - 2}}{line}")
        parser: argparse.ArgumentParser = self._commands.add_parser(name, **words)
        return parser

    def __str__(self) -> str:
        """Return the title, followed by one or more lines for each command."""
        return "\n".join(self._lines)


def make_parser() -> argparse.ArgumentParser:
    """Make the parser of all commands."""
    parser = OneSentence(
        prog="heartrush",
        usage="heartrush [-h] [--version] COMMAND ...",
        description="Heart Rush fights for people and for learning agents. "
        "`heartrush COMMAND --help` describes a command.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"heartrush-env {__version__}")
    commands = parser.add_subparsers(
        prog="heartrush", metavar="COMMAND", dest="command", required=True, help=argparse.SUPPRESS
    )
    listed = []
    for title, members in GROUPS:
        group = Group(title, commands)
        for command in members:
            if isinstance(command, Family):
                command.add_to(group)
            else:
                add_command(group, command)
        listed.append(str(group))
    parser.epilog = "\n\n".join([*listed, EXAMPLES])
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    given = list(sys.argv[1:] if argv is None else argv)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # escape names that the console's code page cannot encode
    shown: set[str] = set()  # Python's "once" filter forgets what it has shown when any code changes the filters

    def show_warning(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
        """Print a scenario warning once and on one line, and any other warning in Python's format."""
        if not issubclass(category, ScenarioWarning):
            sys.stderr.write(warnings.formatwarning(message, category, *place[:2]))
        elif str(message) not in shown:
            shown.add(str(message))
            print(escaped(f"heartrush: {message}"), file=sys.stderr)

    with warnings.catch_warnings():
        warnings.simplefilter("always", ScenarioWarning)
        warnings.showwarning = show_warning
        return _run(given)


def _run(given: list[str]) -> int:
    """Run one command, turning every error into one sentence and an exit code."""
    teams: dict[str, str] = {}
    try:
        with ended_by_signals():
            if given[:1] == ["fight"]:
                given, teams = fight.split_teams(given)
            arguments = make_parser().parse_args(given)
            arguments.teams = teams
            code: int = arguments.run(arguments)
            sys.stdout.flush()
    except HeartRushError as refusal:
        print("\n".join(map(escaped, f"heartrush: {refusal}".split("\n"))), file=sys.stderr)
        return BAD_INPUT
    except BrokenPipeError:  # the reader of our output closed the pipe
        _print_no_more()
        return 0
    except OSError as problem:  # a file or folder that cannot be created, read or written
        named = "" if problem.filename is None else f"{problem.filename}: "
        print(escaped(f"heartrush: {named}it cannot be used ({problem.strerror or problem})."), file=sys.stderr)
        _print_no_more()  # output may be what failed
        return BAD_INPUT
    except Ended as end:
        return 128 + end.number
    except KeyboardInterrupt:
        return INTERRUPTED
    return code


def _print_no_more() -> None:
    """Discard all further output."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
