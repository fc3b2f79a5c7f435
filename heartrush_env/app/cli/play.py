"""`heartrush play`: lets a person fight against agents in the terminal."""

from __future__ import annotations

import argparse
from pathlib import Path

from heartrush_agents import available

from heartrush_env.app.cli.arguments import add_game, add_number, add_rules, add_thinking, needing, scenarios
from heartrush_env.tabletop.errors import HeartRushError

ABOUT = """You fight against agents and see every roll. Missing arguments are asked for; Enter takes the default.

Enemies with a character come first, each with its name and its strength in stars; @1 to @10 sets the level, as in
berserker@3. "more" lists bots, and "each" gives every enemy an agent of its own.

Answer a question with a number, a name or its unambiguous beginning; ? explains, h gives hints (the choice of the
duelist or the tactician, and the exact damage to expect), q quits. Your stance is not shown while you type it.

On a map each choice shows the map, with you as @ and a * behind each square that your dash can reach: dash 7,4 goes to
column 7, row 4.

If your side has two heroes or more, each may tell it before the stances which one it means to take; --rule talk=none
leaves that out."""

EXAMPLES = """real dice:
  With --dice you roll. Once everyone has chosen, the program plays up to the first roll and asks for its dice:
  "Dice: Knight attacks Duelist in cunning: heart d8, cunning d6, long sword d12". Answer with the numbers rolled, in
  that order, as in 5 3 11. The next roll follows, including those of your enemies; roll for them, or let the program
  roll with an empty line. Impossible results are asked for again.

examples:
  heartrush play
  heartrush play duel --seat knight_0 --enemy tactician
  heartrush play duel --enemy berserker@3
  heartrush play skirmish --seat knight_0 --enemy knight_1=guardian@5 --enemy archer_1=bandit@5
  heartrush play giant --ally modeller --seed 7 --record giant.hrr
  heartrush play skirmish --seat knight_0
  heartrush play random:7
  heartrush play duel --dice"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("scenario", nargs="?", metavar="SCENARIO", help=scenarios())
    add_game(parser)
    parser.add_argument("--seat", metavar="FIGHTER", help="the fighter that you play, as in knight_0")
    agents = f"{', '.join(available())}, or the folder of a trained agent"
    says = f"the agent of your enemies, or of one of them, as often as you like: {agents}"
    parser.add_argument("--enemy", action="append", default=[], metavar="[FIGHTER=]AGENT", help=says)
    parser.add_argument("--ally", metavar="AGENT", help="the agent of your allies (default: that of the first enemy)")
    add_number(parser, "--seed", "seed of all dice and of the agents' choices (default: random)", least=0)
    parser.add_argument("--dice", action="store_true", help="type in the results of real dice; see below")
    says = "record the finished fight for replay; FILE.gif or .mp4: film it"
    parser.add_argument("--record", type=Path, metavar="FILE", help=says)
    says = "take the answers from standard input, a line each, without a terminal; stances are then not hidden"
    parser.add_argument("--scripted", action="store_true", help=says)
    add_thinking(parser)
    add_rules(parser)


def run(arguments: argparse.Namespace) -> int:
    """Play at the terminal."""
    with needing("play", "`heartrush play`"):
        from heartrush_env.app.cli.playing.person import AtTerminal
        from heartrush_env.app.cli.playing.sitting import play  # imports rich

    person = AtTerminal()
    if not (person.watched or arguments.scripted):
        raise HeartRushError(
            f"heartrush play: expected a terminal as {person.missing}, got another file; with --scripted it "
            "reads the answers from standard input, one per line."
        )
    return play(arguments, person)
