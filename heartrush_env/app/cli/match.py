"""`heartrush match`: plays a match between two sides, either agents of the package or engine protocol programs."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from heartrush_agents import available

from heartrush_env.app.cli.arguments import add_game, add_number, add_thinking, opened, scenarios, with_time
from heartrush_env.app.cli.terminal import progress, share_rows
from heartrush_env.tabletop.arguments import random_seed
from heartrush_env.tabletop.intervals import share_of

if TYPE_CHECKING:
    from heartrush_env.app.referee import Result

USUAL_FIGHTS, USUAL_BUDGET = 20, 1000
ABOUT = (
    "Two sides play each team in turn with the same dice. A side is an agent's id, a trained agent's folder, or exec: "
    "and the command line of a program that speaks the engine protocol. When a program is late, dead, malformed, "
    "refuses or makes an illegal choice, the fallback is played (pass, take, the defensive "
    f"stance) and the fault is counted. Agents: {', '.join(available())}."
)
EXAMPLES = """examples:
  heartrush match uniform "exec:node clients/javascript/engine.mjs"
  heartrush match "exec:python engine.py" "exec:./engine" --fights 100 --budget-ms 50
  heartrush match runs/mine tactician --scenario brawl --record records --json"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("a", metavar="A", help="the side that plays the first team in the first fight")
    parser.add_argument("b", metavar="B", help="the other side")
    parser.add_argument("--scenario", metavar="S", help=f"{scenarios()} (default: duel)")
    add_game(parser)
    add_number(parser, "--fights", "fights", USUAL_FIGHTS)
    add_number(parser, "--seed", "seed of all dice and choices (default: random)", least=0)
    add_number(parser, "--budget-ms", "time limit for each answer of a program", USUAL_BUDGET)
    add_thinking(parser)
    parser.add_argument("--record", type=Path, metavar="DIR", help="folder for a record of each fight")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Play the match and print the result."""
    from heartrush_env.app.referee import match, read_side

    a, b = with_time([arguments.a, arguments.b], arguments.think_ms)
    sides = read_side(a), read_side(b)
    result = match(
        *sides,
        opened(arguments),
        fights=arguments.fights,
        seed=random_seed() if arguments.seed is None else arguments.seed,
        budget_ms=arguments.budget_ms,
        record=arguments.record,
        watch=lambda fought, of: progress(fought, of, "fights"),
    )
    print(json.dumps(as_dict(result)) if arguments.json else as_text(result))
    return 0


def as_dict(result: Result) -> dict[str, Any]:
    """Return the result of a match as JSON-able data."""
    total = len(result.fights)
    sides = []
    for k, side in enumerate(result.sides):
        won = share_of(result.wins(k), total)
        head = {"name": side.name, "kind": "agent" if side.agent else "program", "wins": won.pop("count")}
        sides.append({**head, **won, "faults": result.faults(k), "said": result.said[k]})
    fights = []
    for fought in result.fights:
        facts = {"seats" if name == "teams" else name: value for name, value in asdict(fought).items()}
        fights.append({**facts, "record": None if fought.record is None else str(fought.record)})
    about = {"scenario": result.scenario, "seed": result.seed, "budget_ms": result.budget_ms}
    return {**about, "sides": sides, "draws": result.draws, "fights": fights}


def as_text(result: Result) -> str:
    """Format the result of a match as text."""
    total = len(result.fights)
    head = f"{result.scenario}, fights: {total}, seed {result.seed}; 95 % intervals in brackets"
    names = [f"{letter} ({side.name}) wins" for letter, side in zip("AB", result.sides, strict=True)] + ["draws"]
    counts = (result.wins(0), result.wins(1), result.draws)
    lines = [head, *share_rows([(name, share_of(count, total)) for name, count in zip(names, counts, strict=True)])]
    for k, letter in enumerate("AB"):
        for fault, times in sorted(result.faults(k).items()):
            lines.append(f"  {letter} got the fallback, {fault}: {times} times; first: {result.said[k][fault]}")
    records = [fought.record for fought in result.fights if fought.record is not None]
    if records:
        lines.append(f"  Recorded in {records[0].parent}.")
    return "\n".join(lines)
