"""`heartrush machine page`: writes a page that plays fights in any browser, without a server."""

from __future__ import annotations

import argparse
import json
from typing import Final

from heartrush_env.app.cli.arguments import needing
from heartrush_env.app.cli.wasm import add_fights, chosen
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.registry import DEFAULT_GAME
from heartrush_env.tabletop.writing import check_folder, make_folder, replace_file

ONE_FILE: Final = ".html"
ABOUT = (
    "Writes the page of `heartrush serve` so that it plays in the browser itself: a folder for any web space, or one "
    "HTML file, which also opens from a disk. docs/page.md describes it."
)
EXAMPLES = """examples:
  heartrush machine page public                     # a folder with every shipped scenario; copy it to a web space
  heartrush machine page duel.html --for duel       # one file, to double-click or to send
  heartrush machine page public --scenario my_castle.toml
  heartrush machine page public --rule wounds=true"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    says = f"the folder to write, or one file, whose name ends in {ONE_FILE}; earlier files of the page are replaced"
    parser.add_argument("out", metavar="OUT", help=says)
    add_fights(parser)
    parser.add_argument("--json", action="store_true", help="print the names and the sizes of the files as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Write the page, and print the sizes of its files."""
    arguments.game = DEFAULT_GAME
    whole = arguments.out.endswith(ONE_FILE)
    games = {name: game for name, game in chosen(arguments)[0].items() if isinstance(game, HeartRush)}
    if not games:
        raise HeartRushError(
            f"--for: expected kinds with a scenario to play, got {arguments.kinds!r} and no --scenario."
        )
    if not whole:
        make_folder(arguments.out)
        check_folder(arguments.out)
    with needing("jit", "`heartrush machine page`"):
        from heartrush_env.app.heart_rush.alone.files import INDEX, page_files

        contents = page_files(games, whole=whole)
    if whole:
        contents = {arguments.out: contents[INDEX]}
    for name, content in contents.items():
        replace_file(name if whole else f"{arguments.out}/{name}", content)
    sizes = {name: len(content) for name, content in contents.items()}
    if arguments.json:
        print(json.dumps({"out": arguments.out, "scenarios": list(games), "files": sizes}))
    else:
        listed = ", ".join(f"{name} ({size / 1000:,.0f} kB)" for name, size in sizes.items())
        print(listed if whole else f"{arguments.out}: {listed}")
        print(f"scenarios: {', '.join(games)}")
    return 0
