"""`heartrush machine wasm`: compiles the rules of a game to WebAssembly, for programs without Python."""

from __future__ import annotations

import argparse
import json

from heartrush_env.app.cli.arguments import add_game, add_rules, needing, read_rules
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.game import Game
from heartrush_env.tabletop.portable.files import engine_files
from heartrush_env.tabletop.registry import open_game, scenario_names, usual_games
from heartrush_env.tabletop.text import show
from heartrush_env.tabletop.validate import join_or
from heartrush_env.tabletop.writing import check_folder, make_folder, replace_file

EVERYTHING = "all"
ABOUT = (
    "Writes the rules as one WebAssembly module, with a description of the shipped scenarios and a JavaScript host "
    "that plays them. The module plays as the Python engine does, byte for byte. docs/webassembly.md describes the "
    "files."
)
EXAMPLES = """examples:
  heartrush machine wasm web                          # every shipped scenario
  heartrush machine wasm web --for duel               # duels alone: a smaller module
  heartrush machine wasm web --for duel,team,map
  heartrush machine wasm c --for duel --header        # with duel.h, for programs in C
  heartrush machine wasm web --for map --scenario my_castle.toml
  heartrush machine wasm web --rule edition=classic"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("folder", metavar="FOLDER", help="the folder to write; earlier files of it are replaced")
    add_fights(parser)
    says = "also write a C header for each scenario, with its records as structures (clients/c has a program)"
    parser.add_argument("--header", action="store_true", help=says)
    add_game(parser)
    parser.add_argument("--json", action="store_true", help="print the folder and the sizes of its files as JSON")


def add_fights(parser: argparse.ArgumentParser) -> None:
    """Add the arguments by which `chosen` finds fights: their kinds, further scenarios, and rules."""
    says = f"kinds of fights by their shapes, such as duel, team or map, or {EVERYTHING} (default: {EVERYTHING})"
    parser.add_argument("--for", dest="kinds", default=EVERYTHING, metavar="KIND,...", help=says)
    says = "a further scenario of your own, a TOML file; may be repeated"
    parser.add_argument("--scenario", action="append", default=[], metavar="FILE", help=says)
    add_rules(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write the files, and print their sizes."""
    games, further = chosen(arguments)
    make_folder(arguments.folder)
    check_folder(arguments.folder)
    with needing("jit", "`heartrush machine wasm`"):
        contents = engine_files(games, further, headers=arguments.header)
    for name, content in contents.items():
        replace_file(f"{arguments.folder}/{name}", content)
    sizes = {name: len(content) for name, content in contents.items()}
    if arguments.json:
        print(json.dumps({"folder": arguments.folder, "scenarios": list(games), "files": sizes}))
    else:
        print(f"{arguments.folder}: {', '.join(f'{name} ({size / 1000:,.0f} kB)' for name, size in sizes.items())}")
        print(f"scenarios: {', '.join(games)}")
    return 0


def chosen(arguments: argparse.Namespace) -> tuple[dict[str, Game], list[Game]]:
    """Return the games to describe by name, and one of each kind that was asked for."""
    rules = read_rules(arguments.rule)

    def opened(scenario: str) -> Game:
        return open_game({"game": arguments.game, "scenario": scenario, "rules": rules}, "")

    usual = usual_games(arguments.game)
    shipped = {name: opened(name) for name in scenario_names(arguments.game)}
    shapes = [game.options["shape"] for game in shipped.values()]
    kinds = shapes if arguments.kinds == EVERYTHING else [kind.strip() for kind in arguments.kinds.split(",")]
    if wrong := [kind for kind in kinds if kind not in usual]:
        raise HeartRushError(f"--for: expected {join_or([*usual, EVERYTHING])}, got {show(wrong[0])}.")
    games = {name: game for name, game in shipped.items() if game.options["shape"] in kinds}
    games |= {game.scenario_name: game for game in map(opened, arguments.scenario)}
    described = {game.options["shape"] for game in games.values()}
    tables = [usual[kind].as_table() for kind in kinds if kind not in described]
    return games, [
        open_game({**table, "game": arguments.game, "rules": table.get("rules", {}) | rules}, "") for table in tables
    ]
