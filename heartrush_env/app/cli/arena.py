"""`heartrush arena`: scores agents against a population of bots, on average and against their worst opponent."""

from __future__ import annotations

import argparse
import json
import math

from heartrush_agents import population
from heartrush_agents.registry import told

from heartrush_env.app.cli.arguments import (
    add_decisions,
    add_game,
    add_number,
    add_simulation,
    agent_ids,
    opened,
    seed_of,
)
from heartrush_env.app.cli.rate import who_plays
from heartrush_env.app.cli.terminal import Count
from heartrush_env.tabletop.registry import DEFAULT_GAME, scenario_names

YARDSTICK = "uniform"  # a reference row: the uniform mix should score about 0

ABOUT = (
    "Plays matches of many duels, in which players remember earlier duels, in both seats with the same dice. Reports "
    "the mean return against the population, the exploitability by its best member, and the difference of the two, as "
    "in the repeated rock-paper-scissors benchmark. "
    f"The population: {', '.join(population())}; if the duel is solved (rules profile 'plain'), also "
    f"{', '.join(told(DEFAULT_GAME, 'OF_SOLVED_DUELS'))}. In another game, the population consists of all agents that "
    "play it and decide at once."
)
EXAMPLES = """examples:
  heartrush arena duelist
  heartrush arena duelist modeller --population might,cycle_up,second_guesser --matches 50
  heartrush arena runs/mine --scenario mirror_duel --held-out 0.25 --splits 50
  heartrush arena --decisions stance --markdown
  heartrush arena tactician --rule profile=plain --decisions stance --exact"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    says = f"agents to measure, by id or folder, compared with {YARDSTICK} (default: all that decide at once)"
    parser.add_argument("agents", nargs="*", metavar="AGENT", help=says)
    says = f"a TOML file, or one of {', '.join(scenario_names())} (default: duel, or the game's first)"
    parser.add_argument("--scenario", metavar="SCENARIO", help=says)
    add_game(parser)
    says = "bots to play against (default: all those above)"
    parser.add_argument("--population", type=agent_ids, metavar="A,B,...", help=says)
    says = "also compute best responses to the bots, to show each agent's share of the possible winnings"
    parser.add_argument("--exact", action="store_true", help=says)
    says = "share of the population held out by each split"
    parser.add_argument("--held-out", type=_share, metavar="SHARE", help=says)
    add_number(parser, "--splits", "number of splits", 50)
    add_number(parser, "--duels", "duels per match", 26)
    add_number(parser, "--matches", "matches per pair in each seat", 20, least=2)
    add_decisions(parser, "choices left to the players; the default policy makes the others")
    add_simulation(parser, markdown=True)


def _share(text: str) -> float:
    """Parse a fraction strictly between 0 and 1."""
    try:
        share = float(text)
    except ValueError:
        share = math.nan
    if not 0 < share < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a share between 0 and 1 such as 0.25")
    return share


def run(arguments: argparse.Namespace) -> int:
    """Play the matches and print the standings."""
    from heartrush_agents.tournament.arena import arena  # loads compiled code, so only when needed

    game = opened(arguments, decisions=None if arguments.decisions == "full" else arguments.decisions)
    agents = arguments.agents or who_plays(game)
    if YARDSTICK not in agents:
        agents = [*agents, YARDSTICK]
    count = Count("duels")
    with count.or_too_soon("arena", "standings"):
        standings = arena(
            agents,
            game,
            population=arguments.population,
            duels=arguments.duels,
            matches=arguments.matches,
            seed=seed_of(arguments),
            processes=arguments.processes,
            progress=count,
            exact=arguments.exact,
        )
    held_out = standings.held_out(arguments.held_out, arguments.splits) if arguments.held_out else None
    if arguments.json:
        found = standings.as_dict() | ({"held_out": held_out.as_dict()} if held_out else {})
        print(json.dumps(found))
        return 0
    print(standings.as_markdown() if arguments.markdown else standings.as_text())
    if held_out:
        print(f"\n{held_out.as_text()}")
    return 0
