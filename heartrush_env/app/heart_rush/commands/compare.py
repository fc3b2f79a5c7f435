"""`heartrush encounter compare`: plays the same fighters under several editions of the rules."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from heartrush_env.app.cli.arguments import add_number, add_own_game, add_simulation, read_rules, scenarios, seed_of
from heartrush_env.app.cli.terminal import aligned, progress
from heartrush_env.games.heart_rush.scenario.settings import EDITIONS
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.text import show

if TYPE_CHECKING:
    from heartrush_env.app.heart_rush.editions import Summary

USUAL_AGENT = "tactician"
ABOUT = (
    "Plays the same fighters, with one agent on all teams and the same seed, under several editions of the rules. The "
    "table shows what fights of each are like: their length, how much is declared and decided, the damage of a round, "
    "what acting first is worth, how often a fighter never attacks, and how mixed stances are."
)
EXAMPLES = """examples:
  heartrush encounter compare duel
  heartrush encounter compare brawl --editions june2025,classic --fights 400
  heartrush encounter compare duel --agent equilibrium --rule profile=plain
  heartrush encounter compare duel skirmish --plot editions.png --markdown"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("scenario", nargs="+", metavar="SCENARIO", help=scenarios())
    add_own_game(parser)
    says = f"of {', '.join(EDITIONS)}"
    parser.add_argument("--editions", type=_editions, default=list(EDITIONS), metavar="A,B,...", help=says)
    parser.add_argument("--agent", default=USUAL_AGENT, help=f"agent of all teams (default: {USUAL_AGENT})")
    add_number(parser, "--fights", "fights of each edition", 200, least=2)
    parser.add_argument("--plot", metavar="FILE", help="write a picture, as .png, .svg or .pdf")
    add_simulation(parser, markdown=True)


def _editions(text: str) -> list[str]:
    """Parse a comma-separated list of edition names."""
    names = text.split(",")
    for name in names:
        if name not in EDITIONS or names.count(name) > 1:
            raise argparse.ArgumentTypeError(f"{text!r} is not a list of editions such as {','.join(EDITIONS)}")
    return names


def run(arguments: argparse.Namespace) -> int:
    """Play the fights, and print the table."""
    from heartrush_env.app.heart_rush.editions import compare  # loads compiled code, so only when needed
    from heartrush_env.games.heart_rush.game import as_heart_rush
    from heartrush_env.research import plots
    from heartrush_env.tabletop.registry import open_game

    if arguments.plot is not None:
        plots.check_picture(arguments.plot)
    rules = read_rules(arguments.rule)
    if "edition" in rules:
        raise HeartRushError(
            f"--rule: expected any setting but edition, which --editions sets, got edition={show(rules['edition'])}."
        )
    games = {
        scenario: {
            name: as_heart_rush(open_game({"scenario": scenario, "rules": {**rules, "edition": name}}, ""))
            for name in arguments.editions
        }
        for scenario in arguments.scenario
    }
    found = {
        scenario: compare(
            by_edition,
            arguments.agent,
            fights=arguments.fights,
            seed=seed_of(arguments),
            processes=arguments.processes,
            progress=lambda done, total: progress(done, total, "fights"),
        )
        for scenario, by_edition in games.items()
    }
    if arguments.json:
        print(json.dumps({scenario: [asdict(summary) for summary in each] for scenario, each in found.items()}))
    else:
        print(table(found, markdown=arguments.markdown))
    if arguments.plot is not None:
        picture = plots.bars(measured(found), list(found), f"Editions, all teams played by {arguments.agent}")
        plots.write(picture, arguments.plot)
    return 0


def measured(found: Mapping[str, Sequence[Summary]]) -> dict[str, dict[str, list[Any]]]:
    """Return the values of each measure by edition, one value for each scenario."""
    from heartrush_env.app.heart_rush.editions import MEASURES

    editions = [summary.edition for summary in next(iter(found.values()))]
    return {
        measure: {edition: [read(each[place]) for each in found.values()] for place, edition in enumerate(editions)}
        for measure, read in MEASURES.items()
    }


def table(found: Mapping[str, Sequence[Summary]], *, markdown: bool) -> str:
    """Format the summaries as a table with a row for each scenario and edition."""
    from heartrush_env.app.heart_rush.editions import MEASURES

    rows = [["scenario", "edition", *MEASURES]]
    for scenario, each in found.items():
        rows += [[scenario, summary.edition, *(_cell(read(summary)) for read in MEASURES.values())] for summary in each]
    if markdown:
        lines = [f"| {' | '.join(row)} |" for row in rows]
        return "\n".join([lines[0], "|---" * len(rows[0]) + "|", *lines[1:]])
    return "\n".join(aligned(rows, left=len(rows[0])))


def _cell(found: tuple[float, float, float] | None) -> str:
    """Format a number with half the width of its interval."""
    if found is None:
        return "-"
    number, low, high = found
    return f"{number:.2f}" if low == high else f"{number:.2f} \N{PLUS-MINUS SIGN} {(high - low) / 2:.2f}"
