"""`heartrush conform`: checks whether a program conforms to the engine protocol, and reports each violation."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from heartrush_env.app.cli.arguments import at_least
from heartrush_env.tabletop.errors import HeartRushError

if TYPE_CHECKING:
    from heartrush_env.app.conformance import Report

KEPT, BROKEN = 0, 1
USUAL_SECONDS = 10
USAGE = "heartrush conform [options] -- PROGRAM [ARGUMENTS ...]"
ABOUT = (
    "Sends golden transcripts to a program, checks each answer against a sentence of docs/protocol.md, and reports "
    "each line that violates one."
)
EXAMPLES = """examples:
  heartrush conform -- python clients/python/engine.py
  heartrush conform -- node clients/javascript/engine.mjs
  heartrush conform --json -- heartrush engine uniform

exit codes: 0 if the program conforms, 1 if it does not, 2 for bad input"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("program", nargs="*", metavar="PROGRAM", help="the program and its arguments, after --")
    says = f"time limit for an answer (default: {USUAL_SECONDS}); the first may take a minute"
    parser.add_argument("--seconds", type=at_least(1), default=USUAL_SECONDS, metavar="N", help=says)
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Check the program and print the report."""
    if not arguments.program:
        raise HeartRushError("conform needs a program after --, as in heartrush conform -- node engine.mjs.")
    from heartrush_env.app.conformance import conform

    report = conform(arguments.program, seconds=arguments.seconds)
    print(json.dumps(as_dict(report)) if arguments.json else as_text(report))
    return BROKEN if report.findings else KEPT


def as_dict(report: Report) -> dict[str, Any]:
    """Return the report as JSON-able data."""
    findings = [
        {"file": one.line.file, "line": one.line.number, "says": one.line.says, "found": one.found}
        for one in report.findings
    ]
    return {"identity": report.identity, "kept": report.kept, "skipped": report.skipped, "broken": findings}


def as_text(report: Report) -> str:
    """Format the report as text."""
    lines = [str(finding) for finding in report.findings]
    who = "It never sent its identity" if report.identity is None else str(report.identity.get("name"))
    skipped = f", {report.skipped} skipped" if report.skipped else ""
    return "\n".join([*lines, f"{who}: {report.kept} lines passed, {len(lines)} failed{skipped}."])
