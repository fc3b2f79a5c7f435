"""`heartrush conform`: whether a program keeps the engine protocol, and which sentence it breaks where."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from heartrush_env.cli.arguments import at_least
from heartrush_env.core.errors import HeartRushError

if TYPE_CHECKING:
    from heartrush_env.protocol.conformance import Report

KEPT, BROKEN = 0, 1
USUAL_SECONDS = 10
EXAMPLES = """examples:
  heartrush conform -- python clients/python/engine.py
  heartrush conform -- node clients/javascript/engine.mjs
  heartrush conform --json -- heartrush engine uniform

exit codes: 0 where all is kept, 1 where something is broken, 2 for bad input"""


def add_command(commands: Any) -> None:
    """Add `conform` to the command line."""
    parser = commands.add_parser(
        "conform",
        help="check a program that speaks the engine protocol",
        usage="heartrush conform [options] -- PROGRAM [ARGUMENTS ...]",
        description="Golden transcripts are read to a program, and each of its answers is held to a sentence of "
        "docs/protocol.md: which line broke which sentence is told.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("program", nargs="*", metavar="PROGRAM", help="the program and its arguments, after --")
    parser.add_argument(
        "--seconds",
        type=at_least(1),
        default=USUAL_SECONDS,
        metavar="N",
        help=f"what it is given for an answer, usually {USUAL_SECONDS}; a minute for the first",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Check and print."""
    if not arguments.program:
        raise HeartRushError("conform needs a program after --, as in heartrush conform -- node engine.mjs.")
    from heartrush_env.protocol.conformance import conform

    report = conform(arguments.program, seconds=arguments.seconds)
    print(json.dumps(as_dict(report)) if arguments.json else as_text(report))
    return BROKEN if report.findings else KEPT


def as_dict(report: Report) -> dict[str, Any]:
    """What came of it, for programs."""
    findings = [
        {"file": one.line.file, "line": one.line.number, "says": one.line.says, "found": one.found}
        for one in report.findings
    ]
    return {"identity": report.identity, "kept": report.kept, "skipped": report.skipped, "broken": findings}


def as_text(report: Report) -> str:
    """What came of it, for people."""
    lines = [str(finding) for finding in report.findings]
    who = "It never said who it is" if report.identity is None else str(report.identity.get("name"))
    skipped = f", {report.skipped} left out" if report.skipped else ""
    return "\n".join([*lines, f"{who}: {report.kept} lines kept, {len(lines)} broken{skipped}."])
