"""`heartrush encounter simulate`: measures how hard an encounter is, from many fights of a party and its monsters."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from heartrush_env.app.cli.arguments import (
    add_game_of_scenario,
    add_number,
    add_simulation,
    at_least,
    game_of,
    read_rules,
    scenarios,
    seed_of,
)
from heartrush_env.app.cli.signals import INTERRUPTED
from heartrush_env.app.cli.terminal import Count
from heartrush_env.tabletop.errors import HeartRushError

if TYPE_CHECKING:
    from heartrush_env.app.encounters.amounts import Amount
    from heartrush_env.app.encounters.sides import Encounter

USUAL_SECONDS = 60
ABOUT = (
    "Plays many fights between a party and all other teams of any game, and reports how often the party wins, what "
    "that costs it, and what else the game tells, such as who deals which damage and a band of difficulty. The party "
    "is played by a beginner, by a practised player and by a reader of habits, as far as the game has them, unless "
    "--heroes names an agent, and the answer is their range. docs/encounters.md says what each number means."
)
EXAMPLES = """examples:
  heartrush encounter simulate dragon
  heartrush encounter simulate dragon --heroes commander -n 2000
  heartrush encounter simulate bandits.toml --heroes tactician --monsters uniform --json
  heartrush encounter simulate bandits.toml --sweep bandit.count=1,2,3 --sweep captain.hp=40,60
  heartrush encounter simulate examples/bandit_ambush.toml --report ambush.html
  heartrush encounter simulate brawl --party blue --rule zero_hp=all_out"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    says = f"{scenarios()}; several are the fights of one day"
    parser.add_argument("scenario", nargs="*", metavar="SCENARIO", help=says)
    parser.add_argument("--day", metavar="FILE.toml", help="the fights of a day from a file, in place of SCENARIO")
    kinds = "none, short, long or bad_long, one for all or one for each"
    says = f"the rests between the fights of a day: {kinds} (default: short)"
    parser.add_argument("--rest", metavar="REST,...", help=says)
    add_game_of_scenario(parser)
    add_sides(parser)
    says = "number of fights of each player of the party (default: as many as fit)"
    parser.add_argument("-n", "--fights", type=at_least(1), metavar="N", help=says)
    add_number(parser, "--seconds", f"the time for all fights, about (default: {USUAL_SECONDS})", name="S")
    says = (
        "simulate with each value of a field, as in orc.count=2,3,4, orc.hp=30,40 or rules.zero_hp=all_out; several "
        "sweeps are combined"
    )
    parser.add_argument("--sweep", action="append", default=[], metavar="FIELD=A,B,C", help=says)
    parser.add_argument("--report", metavar="FILE.html", help="also write the answer as a page to print")
    add_simulation(parser)


def add_sides(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that define the party and the agents of all teams."""
    parser.add_argument("--party", metavar="TEAM", help="the team that is the party (default: the scenario's heroes)")
    says = "agent that plays the party (default: a beginner, a practised player and a reader of habits in turn)"
    parser.add_argument("--heroes", metavar="AGENT", help=says)
    says = "agent that plays all other teams (default: the one for the temper of each team)"
    parser.add_argument("--monsters", metavar="AGENT", help=says)
    parser.add_argument("--agents", type=_by_team, default={}, metavar="TEAM=AGENT,...", help="agents of single teams")


def _by_team(text: str) -> dict[str, str]:
    """Parse comma-separated TEAM=AGENT pairs."""
    pairs = [pair.partition("=") for pair in text.split(",")]
    if not all(team and agent for team, _, agent in pairs):
        raise argparse.ArgumentTypeError(f"{text!r} is not a list such as red=tactician,green=uniform")
    return {team: agent for team, _, agent in pairs}


def seated_by(arguments: argparse.Namespace) -> Callable[[Mapping[str, Any]], dict[str, Encounter]]:
    """Return a function that builds the encounters of a scenario table of --game, keyed by the party's player."""
    from heartrush_env.app.encounters.players import seats  # loads compiled code, so only when needed

    rules = read_rules(arguments.rule)

    def seat(table: Mapping[str, Any]) -> dict[str, Encounter]:
        return seats(
            table,
            rules,
            game=arguments.game,
            party=arguments.party,
            heroes=arguments.heroes,
            monsters=arguments.monsters,
            agents=arguments.agents,
        )

    return seat


def _amount(arguments: argparse.Namespace) -> Amount:
    """Return the requested number of fights or seconds, with the seed and the number of processes."""
    from heartrush_env.app.encounters.amounts import Amount

    if arguments.fights is not None and arguments.seconds is not None:
        raise HeartRushError("simulate: expected -n or --seconds, got both.")
    return Amount(seed_of(arguments), arguments.fights, float(arguments.seconds or USUAL_SECONDS), arguments.processes)


def run(arguments: argparse.Namespace) -> int:
    """Play the fights and print the results."""
    from heartrush_env.app.encounters.answers import answer
    from heartrush_env.app.encounters.changes import read_sweep
    from heartrush_env.app.encounters.desk import desk_of
    from heartrush_env.app.encounters.sweeping import sweep, sweep_text
    from heartrush_env.app.encounters.text_report import as_text, range_text

    amount, named = _amount(arguments), arguments.scenario
    arguments.game = game_of(arguments, named[0] if named else None)
    desk, seat = desk_of(arguments.game), seated_by(arguments)
    if arguments.day is not None or len(named) > 1:
        found, text, count = desk.run_day(arguments, seat, amount)
        print(json.dumps(found) if arguments.json else text)
        return _ended(found["interrupted"], count)
    if arguments.rest is not None or not named:
        what = "--rest is given for one fight" if named else "no scenario is given"
        raise HeartRushError(f"simulate: expected a scenario, several with rests between them, or --day, but {what}.")
    page = None if arguments.report is None else desk.page(arguments.report)
    table, count = desk.table(named[0]), Count("fights")
    with count.or_too_soon("simulate", "answers"):
        if arguments.sweep:
            sweeps = [read_sweep(text) for text in arguments.sweep]
            each = sweep(table, sweeps, seat, amount, count, arguments.game)
            if page is not None:
                desk.write_page(page, each)
            print(json.dumps(each) if arguments.json else sweep_text(each))
            return _ended(each[0]["interrupted"], count)
        found = answer(seat(table), amount, count)
    if page is not None:
        desk.write_page(page, found)
    print(json.dumps(found) if arguments.json else (range_text if "players" in found else as_text)(found))
    return _ended(found["interrupted"], count)


def _ended(interrupted: bool, count: Count) -> int:
    """Return the exit code; if Ctrl-C has cut the fights or days short, say so on standard error."""
    if not interrupted:
        return 0
    count.clear()
    said = f"interrupted after {count.done} {count.what}; the answer is of those."
    print(f"heartrush encounter simulate: {said}", file=sys.stderr)
    return INTERRUPTED
