"""`heartrush`: the package's command line.

Exit codes: 0 for success, 2 for bad input or a full disk (one sentence on standard error), 130 when interrupted by
Ctrl-C, 128 and its number when ended by another signal.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
import warnings
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any, NoReturn

from heartrush_env import __version__
from heartrush_env.cli import (
    analyse,
    arena,
    balance,
    bench,
    calibrate,
    card,
    check,
    compare,
    conform,
    docs,
    doctor,
    enemies,
    engine,
    exploit,
    export,
    fight,
    host,
    listings,
    match,
    play,
    rate,
    replay,
    rules,
    serve,
    sheet,
    simulate,
    solve,
    train,
    warm,
)
from heartrush_env.cli.signals import INTERRUPTED, Ended, ended_by_signals
from heartrush_env.core.errors import HeartRushError, ScenarioWarning
from heartrush_env.core.text import escaped, show
from heartrush_env.core.validate import join_or

BAD_INPUT = 2

EXAMPLES = """examples:
  heartrush fight duel --red uniform --blue random
  heartrush play duel --enemy duelist
  heartrush simulate dragon
  heartrush train duel --id mine
  heartrush rate duel --agents uniform,might,random
  heartrush match duelist "exec:node engine.mjs"
  heartrush list monsters
  heartrush rules hinder
  heartrush bench
  heartrush warm
  heartrush doctor"""


class OneSentence(argparse.ArgumentParser):
    """A parser that reports errors in one sentence, without the usage."""

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Refuse a value that is not among the choices, and name those that are like it."""
        known = [] if action.choices is None else [str(each) for each in action.choices]
        like = get_close_matches(str(value), known)
        if like and str(value) not in known:
            raise argparse.ArgumentError(action, f"found {show(value)}; did you mean {join_or(like)}")
        super()._check_value(action, value)

    def error(self, message: str) -> NoReturn:
        """Report the error and exit."""
        said = f"{self.prog}: {escaped(message.rstrip('.?'))}; {self.prog} --help lists what is allowed."
        self.exit(BAD_INPUT, f"{said}\n")


def make_parser() -> argparse.ArgumentParser:
    """The parser of all subcommands."""
    parser = OneSentence(
        prog="heartrush",
        description="Heart Rush fights for people and for learning agents.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"heartrush-env {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", dest="command", required=True)
    for module in (
        fight, simulate, balance, play, enemies, listings, match, replay, train, rate, card, calibrate, arena, compare,
        solve,
        exploit, analyse, engine, host, serve, export, conform, bench, warm, doctor, rules, sheet, check, docs,
    ):  # fmt: skip
        module.add_command(commands)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    given = list(sys.argv[1:] if argv is None else argv)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a name outside the console's code page is escaped
    with warnings.catch_warnings():
        warnings.simplefilter("once", ScenarioWarning)
        warnings.showwarning = _show_warning
        return _run(given)


def _show_warning(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
    """Print a warning about a scenario on one line, and any other warning as Python does."""
    if issubclass(category, ScenarioWarning):
        print(escaped(f"heartrush: {message}"), file=sys.stderr)
    else:
        sys.stderr.write(warnings.formatwarning(message, category, *place[:2]))


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
    except BrokenPipeError:  # the reader of our output has closed it
        _print_no_more()
        return 0
    except OSError as problem:  # a file or folder that cannot be made, read or written
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
