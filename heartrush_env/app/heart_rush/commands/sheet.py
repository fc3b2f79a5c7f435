"""`heartrush sheet`: prints the stat block of a fighter or monster as text or as JSON."""

from __future__ import annotations

import argparse
import json
import sys

from heartrush_env.games.heart_rush.scenario import catalog
from heartrush_env.games.heart_rush.scenario.abilities import LISTS
from heartrush_env.games.heart_rush.scenario.stat_blocks import KINDS, as_data, read_sheet, sheet_of, stat_block
from heartrush_env.tabletop.text import escaped

ABOUT = (
    "Prints the stat block of a fighter or monster. A scenario can name a file with such a text "
    'or JSON: `from = "knight.txt"`. Its talents and abilities come along; those of a fighter or '
    "monster named by its id come with `with_abilities = true`."
)
EXAMPLES = """examples:
  heartrush sheet queen_rat
  heartrush sheet knight > knight.txt
  heartrush sheet knight.txt --json > knight.json"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("sheet", metavar="ID|FILE", help="a fighter or monster, or a sheet's .txt, .json or .toml file")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Print one sheet."""
    given: str = arguments.sheet
    sheet = read_sheet(given) if given.endswith(KINDS) else sheet_of(given)
    if arguments.json:
        print(json.dumps(as_data(sheet), indent=1))
    else:
        print("\n".join(map(escaped, stat_block(sheet).splitlines())))
        if not given.endswith(KINDS) and any(sheet.get(key) for key in LISTS):
            id = catalog.stat_block(given)["id"]
            print(
                f'In a scenario, from = "{id}" leaves its abilities out; with_abilities = true beside it brings them.',
                file=sys.stderr,
            )
    return 0
