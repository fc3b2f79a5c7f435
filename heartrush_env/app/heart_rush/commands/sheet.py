"""`heartrush sheet`: prints the stat block of a fighter, a monster or a random character as text or as JSON."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from heartrush_env.app.cli.arguments import add_number
from heartrush_env.games.heart_rush.scenario import catalog
from heartrush_env.games.heart_rush.scenario.abilities import LISTS
from heartrush_env.games.heart_rush.scenario.advancement import random_character
from heartrush_env.games.heart_rush.scenario.homebrew import ABILITY, declarations_in, table_of
from heartrush_env.games.heart_rush.scenario.stat_blocks import KINDS, as_data, read_sheet, sheet_of, stat_block
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.text import escaped, show

ABOUT = (
    "Prints the stat block of a fighter or monster. A scenario can name a file with such a text "
    'or JSON: `from = "knight.txt"`. Its talents and abilities come along; those of a fighter or '
    "monster named by its id come with `with_abilities = true`. The word `random` makes a character that has spent its "
    "experience points at random, within the creation rules."
)
EXAMPLES = """examples:
  heartrush sheet queen_rat
  heartrush sheet knight > knight.txt
  heartrush sheet knight.txt --json > knight.json
  heartrush sheet random --xp 50 --seed 7 > hero.txt"""

RANDOM = "random"
USUAL_XP = 30  # experience points of a random character


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "sheet", metavar="ID|FILE", help="a fighter, a monster, a sheet's .txt, .json or .toml file, or random"
    )
    add_number(parser, "--xp", f"experience points of a random character (default: {USUAL_XP})", least=0)
    add_number(parser, "--seed", "seed of a random character (default: 0)", least=0)
    parser.add_argument("--homebrew", metavar="FILE", help="homebrew abilities that a random character may own, too")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Print one sheet."""
    given: str = arguments.sheet
    if given == RANDOM:
        made = declarations_in(Path(arguments.homebrew)) if arguments.homebrew else {}
        sheet = random_character(arguments.seed or 0, USUAL_XP if arguments.xp is None else arguments.xp, made)
        owned = [table_of(made[id]) for id in sheet["abilities"] if id in made]
        sheet |= {ABILITY: owned} if owned else {}
    elif (arguments.xp, arguments.seed, arguments.homebrew) != (None, None, None):
        raise HeartRushError(
            f"sheet: expected --xp, --seed and --homebrew only for {RANDOM!r}, got them for {show(given)}."
        )
    else:
        sheet = read_sheet(given) if given.endswith(KINDS) else sheet_of(given)
    if arguments.json:
        print(json.dumps(as_data(sheet), indent=1))
    else:
        print("\n".join(map(escaped, stat_block(sheet).splitlines())))
        if given != RANDOM and not given.endswith(KINDS) and any(sheet.get(key) for key in LISTS):
            id = catalog.stat_block(given)["id"]
            print(
                f'In a scenario, from = "{id}" leaves its abilities out; with_abilities = true beside it brings them.',
                file=sys.stderr,
            )
    return 0
