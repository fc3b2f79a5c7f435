"""`heartrush agent tune`: searches for better values of an agent's numbers, and tests them on other scenarios."""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path
from typing import Any

from heartrush_agents import load

from heartrush_env.app.cli.arguments import add_game, add_number, game_of, needing, seed_of
from heartrush_env.app.cli.terminal import note
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.text import show

MANY = re.compile(r"(.*:)(\d{1,9})-(\d{1,9})", re.ASCII)
ABOUT = (
    "Searches for better values of the numbers that an agent takes, by CMA-ES in fights against the agent with its "
    "usual values, on both sides of all scenarios. The result is tested on scenarios that the search has not seen. An "
    "interrupted search goes on when the same command is run again. This needs the `tune` extra."
)
EXAMPLES = """examples:
  heartrush agent tune tactician random:1000-1049 --held random:2000-2049 --seconds 3600
  heartrush agent tune tactician my_map.toml --names nearer,fear --generations 20
  heartrush fight my_map.toml --blue tactician@nearer=0.03 --red tactician"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("agent", metavar="AGENT", help="an agent's id")
    says = "shipped scenarios, TOML files, or a range such as random:1000-1049"
    parser.add_argument("scenarios", nargs="+", metavar="SCENARIO", help=says)
    parser.add_argument("--held", action="append", default=[], metavar="SCENARIO", help="test on these scenarios, too")
    parser.add_argument(
        "--names", type=lambda text: text.split(","), default=(), metavar="NAME,...", help="the numbers"
    )
    add_game(parser)
    add_number(parser, "--fights", "fights of a candidate on each scenario and side", 1)
    add_number(parser, "--tests", "fights on each held scenario and side", 2)
    add_number(parser, "--generations", "generations of candidates", 50)
    add_number(parser, "--seconds", "end after the generation in which this time has passed", 10**6)
    add_number(parser, "--seed", "seed of all dice and of the search", least=0)
    add_number(parser, "--processes", "number of worker processes", 1)
    parser.add_argument("--out", type=Path, metavar="FILE", help="the file of the search (default: AGENT.json)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Search, test and print the result."""
    with needing("tune", "heartrush agent tune"):
        import cma  # noqa: F401
    from heartrush_train.tuning import Search, Tuning, measured, names_of

    agent, scenarios, held = load(arguments.agent), listed(arguments.scenarios), listed(arguments.held)
    names = names_of(agent, arguments.names)
    game = game_of(arguments, scenarios[0])
    search = Search(agent.id, names, scenarios, arguments.fights, seed_of(arguments), game)
    tuning = Tuning(search, arguments.out or Path(f"{agent.id}.json"), arguments.processes)
    tuning.run(arguments.generations, arguments.seconds, note)
    numbers, tests = tuning.numbers, {}
    for kind, where in (("searched", scenarios), ("held", held)):
        if where:
            tests[kind] = measured(search, numbers, where, arguments.tests, arguments.processes)
    if arguments.json:
        print(json.dumps({"numbers": numbers, "generations": tuning.generations, "tests": tests}))
        return 0
    print("\n".join(as_text(agent, numbers, tests)))
    return 0


def listed(given: list[str]) -> tuple[str, ...]:
    """Return names of scenarios in which ranges such as random:1-3 are written out; refuse an empty range."""
    names: list[str] = []
    for name in given:
        many = MANY.fullmatch(name)
        if many and int(many[2]) > int(many[3]):
            raise HeartRushError(f"SCENARIO: expected a range from low to high, got {show(name)}.")
        names += [f"{many[1]}{k}" for k in range(int(many[2]), int(many[3]) + 1)] if many else [name]
    return tuple(names)


def as_text(agent: Any, numbers: dict[str, float], tests: dict[str, Any]) -> list[str]:
    """Format the numbers and what they win as lines of text."""
    lines = [f"  {name:<10} {agent.arguments[name].usual:8.4g} -> {value:.4g}" for name, value in numbers.items()]
    for kind, found in tests.items():
        where = f"{len(found['scenarios'])} {kind} scenarios, {found['fights']} fights"
        lines.append(f"  wins {found['share']:.1%} [{found['low']:.1%}, {found['high']:.1%}] on {where}")
    words = ",".join(f"{name}={value:.4g}" for name, value in numbers.items())
    return [f"{agent.id}: usual and found numbers", *lines, f"  {agent.id}@{words}"]
