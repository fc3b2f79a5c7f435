"""`heartrush rate`: the cross table of agents, every agent against every other."""

from __future__ import annotations

import argparse
import json
from typing import Any

from heartrush_agents import available, load
from heartrush_agents.base import AgentError

from heartrush_env.cli.arguments import add_scenario, add_tournament, agent_ids, at_least, read_rules
from heartrush_env.cli.terminal import Count
from heartrush_env.core.game import Game

EXAMPLES = """examples:
  heartrush rate
  heartrush rate brawl --agents uniform,might,random --fights 1000
  heartrush rate duel --agents uniform --against might,agility,cunning
  heartrush rate my_scenario.toml --rule profile=plain --json"""


def add_command(commands: Any) -> None:
    """Add `rate` to the command line."""
    parser = commands.add_parser(
        "rate",
        help="print a cross table of agents",
        description="Plays every agent against every other, on all teams of a scenario in turn and with the same dice "
        "for all. The table shows the share of fights that the row's agent wins, with 95 % intervals. Agents: "
        f"{', '.join(available())}.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add_scenario(parser)
    parser.add_argument(
        "--agents", type=agent_ids, metavar="A,B,...", help="agents to rate (default: all that can play)"
    )
    parser.add_argument("--against", type=agent_ids, metavar="A,B,...", help="their opponents (default: each other)")
    parser.add_argument("--fights", type=at_least(1), default=4000, metavar="N", help="fights per pair (default: 4000)")
    parser.add_argument(
        "--match", type=at_least(1), default=20, metavar="N", help="fights after which players forget (default: 20)"
    )
    add_tournament(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Rate the agents and print the table."""
    from heartrush_agents.tournament.cross_table import rate  # loads compiled code, so only when needed
    from heartrush_agents.tournament.play import SEED

    from heartrush_env.heart_rush.game import HeartRush

    game = HeartRush(arguments.scenario, read_rules(arguments.rule))
    agents = arguments.agents or who_plays(game)
    count = Count("fights")
    with count.or_too_soon("rate", "a table"):
        table = rate(
            agents,
            game,
            against=arguments.against,
            fights=arguments.fights,
            match=arguments.match,
            seed=SEED if arguments.seed is None else arguments.seed,
            processes=arguments.processes,
            progress=count,
        )
    if arguments.json:
        print(json.dumps(table.as_dict()))
    else:
        print(table.as_markdown() if arguments.markdown else table.as_text())
    return 0


def who_plays(game: Game) -> list[str]:
    """The agents that play a game."""
    ids = [id for id in available() if load(id).plays(game) is None]
    if not ids:
        raise AgentError(f"No agent plays {game.scenario_name!r}, of {', '.join(available())}.")
    return ids
