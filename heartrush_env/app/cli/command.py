"""The modules of commands. Each has the strings ABOUT and EXAMPLES, and USAGE if the generated line would mislead.

`add_arguments` of the module adds the command's arguments to its parser, and `run` runs the command with the parsed
arguments and returns the exit code.
"""

from __future__ import annotations

import argparse
from typing import Any, Final

# The commands whose modules know Heart Rush.
HEART_RUSH: Final = (
    "abilities", "compare", "solve", "exploit", "analyse", "bench", "list", "sheet", "check", "page",
)  # fmt: skip


def module_of(name: str) -> str:
    """Return the dotted name of a command's module."""
    package = "heart_rush.commands" if name in HEART_RUSH else "cli"
    return f"heartrush_env.app.{package}.{'listings' if name == 'list' else name}"


def fill(parser: argparse.ArgumentParser, module: Any) -> None:
    """Add the help texts and the arguments of a command's module to the command's parser."""
    parser.usage, parser.description, parser.epilog = getattr(module, "USAGE", None), module.ABOUT, module.EXAMPLES
    module.add_arguments(parser)
    parser.set_defaults(run=module.run)
