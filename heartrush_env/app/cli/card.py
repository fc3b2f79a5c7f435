"""`heartrush agent card`: shows the card of an agent, or measures it."""

from __future__ import annotations

import argparse
import json
import sys
import time
from typing import Any

from heartrush_agents import available
from heartrush_agents.cards import card_file, ratings, read_measured, thinks_by_the_clock

from heartrush_env.app.cli.arguments import add_game, add_number, at_least, seed_of
from heartrush_env.app.cli.card_page import as_markdown, listed
from heartrush_env.app.cli.terminal import note
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.writing import make_folder, replace_file

ABOUT = (
    "Shows what was measured of an agent: speed, win rates against a fixed panel, how far it can be exploited, habits, "
    "weaknesses, and how it was trained. With --measure the figures are measured and the card is written. An "
    "interrupted run over all agents goes on with those that are left."
)
EXAMPLES = """examples:
  heartrush agent card duelist
  heartrush agent card runs/mine --measure            writes runs/mine/measured.json
  heartrush agent card runs/mine --measure --seconds 60  with what a learner wins from it after a minute
  heartrush agent card --measure                      all agents of the package whose card is missing or out of date"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("agents", nargs="*", metavar="AGENT", help="ids, or folders of trained agents")
    add_game(parser)
    parser.add_argument("--measure", action="store_true", help="measure the agents and write their cards")
    add_number(parser, "--seed", "seed of all dice and choices", least=0)
    says = "also train a learner against the agent on this many samples, for a lower bound (default: none)"
    parser.add_argument("--total-samples", type=at_least(1024), default=0, metavar="N", help=says)
    parser.add_argument("--seconds", type=at_least(1), default=0, metavar="N", help="train that learner for a time")
    parser.add_argument("--device", default="cpu", help="train that learner on a GPU such as cuda (default: cpu)")
    parser.add_argument("--json", action="store_true", help="print the card as JSON, and write nothing")


def run(arguments: argparse.Namespace) -> int:
    """Show the cards, or measure and write them."""
    if not arguments.agents and not arguments.measure:
        raise HeartRushError(
            "card: expected an agent's id or folder, or --measure to measure all that need it, got neither."
        )
    ids = arguments.agents or [id for id in available() if not (listed(id) or thinks_by_the_clock(id))]
    for id in ids:
        path = card_file(id)  # raises for an unknown id
        if not arguments.measure:
            card = read_measured(id)
            print(json.dumps(card) if arguments.json else as_markdown(card, ratings()).rstrip("\n"))
            continue
        card = _measured(id, arguments)
        if arguments.json:
            print(json.dumps(card))
        else:
            make_folder(path.parent)
            replace_file(path, (json.dumps(card, indent=1) + "\n").encode())
    return 0


def _measured(id: str, arguments: argparse.Namespace) -> dict[str, Any]:
    """Measure an agent, and print the elapsed time to standard error."""
    from heartrush_train.cards import measure

    begun, used = time.monotonic(), time.process_time()
    card = measure(
        id,
        game=arguments.game,
        seed=seed_of(arguments),
        samples=arguments.total_samples,
        seconds=arguments.seconds,
        device=arguments.device,
        report=lambda part: note(f"{id}: {part} ..."),
    )
    took = f"{time.monotonic() - begun:.0f} s, {time.process_time() - used:.0f} s of them computing"
    print(f"{id}: measured in {took}.", file=sys.stderr, flush=True)
    return card
