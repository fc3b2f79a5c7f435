"""The commands of the command line: each is a module with its help texts, its arguments and what it does."""

from __future__ import annotations

import argparse
from typing import Any, Protocol


class Command(Protocol):
    """The module of a command; a command with another name than its module's has it in NAME."""

    __name__: str
    HELP: str  # for the list of commands
    ABOUT: str
    EXAMPLES: str

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add the arguments of the command."""

    def run(self, arguments: argparse.Namespace) -> int:
        """Run the command with its parsed arguments, and return the exit code."""


def name_of(command: Command) -> str:
    """Return the name by which a command is called."""
    return getattr(command, "NAME", command.__name__.rpartition(".")[2])


def add_command(commands: Any, command: Command) -> None:
    """Add a command to the sub-parsers or to the group `commands`."""
    parser = commands.add_parser(
        name_of(command),
        help=command.HELP,
        usage=getattr(command, "USAGE", None),
        description=command.ABOUT,
        epilog=command.EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    command.add_arguments(parser)
    parser.set_defaults(run=command.run)
