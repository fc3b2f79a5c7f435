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
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from importlib import import_module
from textwrap import wrap
from typing import Any, Final, NoReturn

from heartrush_env import __version__
from heartrush_env.app.cli.command import fill, module_of
from heartrush_env.app.cli.signals import INTERRUPTED, Ended, ended_by_signals
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
  heartrush exploit duelist --seconds 60
  heartrush match duelist "exec:node engine.mjs"
  heartrush list monsters
  heartrush rules hinder
  heartrush machine bench
  heartrush machine warm
  heartrush machine doctor"""


class OneSentence(argparse.ArgumentParser):
    """A parser that reports errors in one sentence, without the usage text.

    The parser of a command gets its arguments from the command's module, which is imported when they are parsed.
    """

    module = ""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse arguments; the parser of a command first gets the command's arguments."""
        if self.module:
            fill(self, import_module(self.module))
            self.module = ""
        return super().parse_known_args(args, namespace)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Refuse a value that is not among the choices, and suggest similar ones."""
        choices = [] if action.choices is None else [str(each) for each in action.choices]
        known = {name: name for name in choices}
        if action.dest == "command":
            known |= {part: f"{family} {part}" for family, parts in FAMILIES.items() for part in parts}
        like = [known[name] for name in get_close_matches(str(value), known)]
        if like and str(value) not in choices:
            raise argparse.ArgumentError(action, f"invalid choice: {show(value)} (did you mean {join_or(like)}?)")
        super()._check_value(action, value)

    def error(self, message: str) -> NoReturn:
        """Report the error and exit."""
        said = f"{self.prog}: {escaped(message.rstrip('.?'))}; see {self.prog} --help."
        self.exit(BAD_INPUT, f"{said}\n")


# The commands with their descriptions, by the titles and in the order in which `heartrush --help` lists them.
GROUPS: Final[Mapping[str, Mapping[str, str]]] = {
    "play and watch fights": {
        "play": "fight an agent yourself",
        "fight": "watch agents fight each other",
        "replay": "show a recorded fight",
        "match": "play a timed match between two agents or programs",
    },
    "find scenarios, enemies and rules": {
        "list": "list fighters, monsters, weapons and everything else with a name",
        "rules": "find the functions that implement a rule",
        "sheet": "print the stat block of a fighter or monster",
        "check": "check your own fighters against the creation rules",
    },
    "plan encounters and study duels": {
        "encounter": "simulate and balance encounters, compare editions, weigh abilities",
        "duel": "solve duels exactly, exploit agents, analyse play",
    },
    "train and rate agents": {
        "train": "train an enemy",
        "rate": "print a cross table of agents",
        "exploit": "measure how far an agent can be exploited, exactly or by training against it",
        "arena": "the mind-game arena: matches of many duels against a population of bots",
        "agent": "show, measure, calibrate, tune or export an agent",
    },
    "use agents in other programs": {
        "serve": "serve agents over HTTP and WebSocket",
        "host": "host fights for other programs",
        "engine": "serve an agent to other programs",
        "conform": "check that a program conforms to the engine protocol",
    },
    "look after this installation": {
        "machine": "check this installation, compile the rules or measure speed",
    },
}
# The sub-commands of commands such as `heartrush duel solve`.
FAMILIES: Final[Mapping[str, Mapping[str, str]]] = {
    "encounter": {
        "simulate": "how hard an encounter is for a party",
        "balance": "find monsters for an encounter of the wished difficulty",
        "compare": "compare editions of the rules",
        "abilities": "measure what each ability is worth",
    },
    "agent": {
        "card": "show or measure the card of an agent",
        "calibrate": "calibrate an agent's levels easy, normal and hard",
        "tune": "search for better values of an agent's numbers",
        "export": "write an agent as ONNX, JavaScript or GDScript",
    },
    "duel": {
        "solve": "solve a duel exactly",
        "exploit": "measure how far an agent can be exploited",
        "analyse": "judge a state, an agent or recorded fights by the solution of a duel",
    },
    "machine": {
        "doctor": "show what is installed and how much space compiled code takes, for bug reports",
        "warm": "compile the rules ahead of the first start",
        "wasm": "compile the rules to WebAssembly, for programs without Python",
        "page": "write a page that plays fights in any browser, without a server",
        "bench": "measure speed on this machine",
    },
}


def make_parser() -> argparse.ArgumentParser:
    """Make the parser of all commands."""
    parser = OneSentence(
        prog="heartrush",
        usage="heartrush [-h] [--version] COMMAND ...",
        description="Heart Rush fights for people and for learning agents. "
        "`heartrush COMMAND --help` describes a command.",
        epilog="\n\n".join([*(_listed(title, members) for title, members in GROUPS.items()), EXAMPLES]),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"heartrush-env {__version__}")
    _add_commands(parser, "heartrush", "command", [name for members in GROUPS.values() for name in members])
    return parser


def _add_commands(parser: OneSentence, prog: str, dest: str, names: Iterable[str]) -> None:
    """Add commands to a parser, whose epilog lists them; the module of a command is imported when it is called."""
    commands = parser.add_subparsers(prog=prog, metavar="COMMAND", dest=dest, required=True, help=argparse.SUPPRESS)
    for name in names:
        command = commands.add_parser(name, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
        if name not in FAMILIES:
            command.module = module_of(name)
            continue
        command.usage = f"heartrush {name} [-h] COMMAND ..."
        command.description = f"`heartrush {name} COMMAND --help` describes a command."
        command.epilog = _listed("commands", FAMILIES[name])
        _add_commands(command, f"heartrush {name}", "part", FAMILIES[name])


def _listed(title: str, members: Mapping[str, str]) -> str:
    """Return a title, followed by one or more lines for each command."""
    lines = [f"{title}:"]
    for name, help in members.items():
        for number, line in enumerate(wrap(help, HELP_WIDTH - HELP_COLUMN)):
            lines.append(f"  {'' if number else name:<{HELP_COLUMN - 2}}{line}")
    return "\n".join(lines)


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
                from heartrush_env.app.cli.fight import split_teams

                given, teams = split_teams(given)
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
