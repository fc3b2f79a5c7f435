"""`heartrush rate`: plays every agent against every other for a cross table, or tournaments on several scenarios."""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from heartrush_agents import available, load, quick
from heartrush_agents.base import AgentError

from heartrush_env.app.cli.arguments import (
    add_game,
    add_number,
    add_simulation,
    agent_ids,
    game_words,
    needing,
    opened,
    read_rules,
    scenarios,
    seed_of,
)
from heartrush_env.app.cli.terminal import Count
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.game import Game
from heartrush_env.tabletop.registry import usual_scenario

if TYPE_CHECKING:
    from heartrush_agents.tournament.pairing import Executor
    from heartrush_agents.tournament.tournament import Tournament

ABOUT = (
    "Plays every agent against every other, on all teams of a scenario in turn and with the same dice for all. The "
    "table shows the share of fights that the row's agent wins, with 95 % intervals. Agents: "
    f"{', '.join(available())}. Several scenarios, --out or --ray make a tournament: a cross table of each scenario, "
    "and ranks by maximal lotteries. The extra `rank` adds OpenSkill ratings, the extra `plots` pictures to the "
    "folder."
)
EXAMPLES = """examples:
  heartrush rate
  heartrush rate brawl --agents uniform,might,random --fights 1000
  heartrush rate duel --agents uniform --against might,agility,cunning
  heartrush rate my_scenario.toml --rule profile=plain --json
  heartrush rate duel brawl skirmish --agents uniform,tactician,turtle --fights 200 --match 10 --out runs/rated"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("scenario", nargs="*", default=[], metavar="SCENARIO", help=f"{scenarios()} (default: duel)")
    add_game(parser)
    says = "agents to rate (default: all that play and decide at once)"
    parser.add_argument("--agents", type=agent_ids, metavar="A,B,...", help=says)
    parser.add_argument("--against", type=agent_ids, metavar="A,B,...", help="their opponents (default: each other)")
    says = "the only team that the rated agents command (default: each in turn)"
    parser.add_argument("--side", metavar="TEAM", help=says)
    add_number(parser, "--fights", "fights per pair", 4000)
    add_number(parser, "--match", "fights after which players forget their opponents", 20)
    says = "keep finished pairings in this folder, from which the same command resumes, and write ratings.json there"
    parser.add_argument("--out", type=Path, metavar="FOLDER", help=says)
    where = "on the cluster that RAY_ADDRESS names or on this machine (extra `ray`)"
    says = f"play the pairings as Ray tasks, --processes of them at a time, {where}"
    parser.add_argument("--ray", action="store_true", help=says)
    add_simulation(parser, markdown=True)


def run(arguments: argparse.Namespace) -> int:
    """Rate the agents and print the table."""
    arguments.scenario = arguments.scenario or [usual_scenario(arguments.game)]
    if len(arguments.scenario) > 1 or arguments.out is not None or arguments.ray:
        return _run_tournament(arguments)
    from heartrush_agents.tournament.cross_table import rate  # loads compiled code, so only when needed

    game = opened(arguments, arguments.scenario[0])
    agents = arguments.agents or who_plays(game)
    count = Count("fights")
    with count.or_too_soon("rate", "a table"):
        table = rate(
            agents,
            game,
            against=arguments.against,
            fights=arguments.fights,
            match=arguments.match,
            seed=seed_of(arguments),
            side=arguments.side,
            processes=arguments.processes,
            progress=count,
        )
    if arguments.json:
        print(json.dumps(table.as_dict()))
    else:
        print(table.as_markdown() if arguments.markdown else table.as_text())
    return 0


def _run_tournament(arguments: argparse.Namespace) -> int:
    """Play a tournament, print it, and write it to the folder if one is given."""
    from heartrush_agents.tournament.play import in_processes
    from heartrush_agents.tournament.tournament import tournament

    for name in ("against", "side", "markdown"):
        if getattr(arguments, name):
            raise HeartRushError(f"--{name}: expected a single scenario without --out and --ray, got a tournament.")
    named: list[str] = arguments.scenario
    count = Count("fights")
    with count.or_too_soon("rate", "a table" if arguments.out is None else "a table; the same command goes on"):
        found = tournament(
            arguments.agents or _who_play(arguments),
            named,
            game=arguments.game,
            rules=read_rules(arguments.rule),
            fights=arguments.fights,
            match=arguments.match,
            seed=seed_of(arguments),
            processes=arguments.processes,
            folder=arguments.out,
            progress=count,
            executor=_on_ray() if arguments.ray else in_processes,
        )
    if not found.skills:
        print("No OpenSkill ratings: pip install 'heartrush-env[rank]' installs openskill.", file=sys.stderr)
    if arguments.out is not None:
        _write(arguments.out, found, _command(arguments, named))
    print(json.dumps(found.as_dict()) if arguments.json else found.as_text())
    return 0


def _on_ray() -> Executor:
    """Return the function that plays pairings as Ray tasks."""
    with needing("ray", "--ray, in an environment of its own,"):
        from heartrush_train.on_ray import in_tasks
    return in_tasks


def _write(folder: Path, found: Tournament, command: str) -> None:
    """Write ratings.json and, with the extra `plots`, the pictures."""
    from heartrush_agents.tournament.pictures import write_pictures
    from heartrush_agents.tournament.tournament import RATINGS

    from heartrush_env.tabletop.writing import replace_file

    facts = {"command": command, **found.as_dict()}
    replace_file(folder / RATINGS, (json.dumps(facts, indent=1) + "\n").encode())
    if find_spec("matplotlib") is None:
        print("No pictures: pip install 'heartrush-env[plots]' installs matplotlib.", file=sys.stderr)
    else:
        write_pictures(facts, folder)


def _command(arguments: argparse.Namespace, named: list[str]) -> str:
    """Return the command line that reproduces the results, without the folder."""
    words = ["heartrush", "rate", *named, *game_words(arguments)]
    words += ["--agents", ",".join(arguments.agents)] if arguments.agents else []
    words += ["--fights", str(arguments.fights), "--match", str(arguments.match)]
    words += ["--seed", str(arguments.seed)] if arguments.seed is not None else []
    return shlex.join(words)


def _who_play(arguments: argparse.Namespace) -> list[str]:
    """Return the agents that play at least one of the scenarios."""
    able = {id for scenario in arguments.scenario for id in who_plays(opened(arguments, scenario))}
    return [id for id in available() if id in able]


def who_plays(game: Game) -> list[str]:
    """Return the agents that play a game and need no thinking time."""
    ids = [id for id in quick() if load(id).plays(game) is None]
    if not ids:
        raise AgentError(
            f"Expected an agent that plays {game.scenario_name!r}, but none of {', '.join(available())} does."
        )
    return ids
