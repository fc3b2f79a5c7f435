"""`heartrush machine warm`: compiles the rules ahead of the first start, for example in a container image."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from heartrush_env import __version__

USUAL = ("fights", "maps")
LEFT_OUT = "abilities"  # needed only by fights with talents or other abilities
SECONDS_LEFT_OUT = 190.0  # measured on the reference machine of tabletop/waiting.py
WINDOWS = 6  # enough to reach the action phase on a map
WITHOUT_MAP = ("duel", "melee")  # fights of two use record types of their own
EVERY_KIND = (*WITHOUT_MAP, "skirmish")
NOT_KEPT = 1  # exit code if the next start has to compile again
EXAMPLES = """examples:
  heartrush machine warm                        # fights without a map and on maps, without abilities
  heartrush machine warm maps                   # only fights on maps
  heartrush machine warm classic                # fights of the classic edition, without a map and on maps
  heartrush machine warm abilities              # fights with abilities, without a map and on maps
  heartrush machine warm entities               # fights that are observed as entities
  heartrush machine warm stances                # many duels at once with decisions="stance", as for training
  heartrush machine warm fights maps abilities classic stances entities solver   # everything
  heartrush machine warm --library FOLDER       # the libraries of machine code for a wheel; docs/install.md says when
  RUN heartrush machine warm                    # in a Dockerfile; docs/install.md has the lines around it"""


def add_command(commands: Any) -> None:
    """Add `warm` to the command line."""
    parser = commands.add_parser(
        "warm",
        help="compile the rules ahead of the first start",
        description="Compiles everything that a first start would compile, into the cache folder. The exit code is 0 "
        "if the next start will find all of it there, and 1 if the folder cannot keep it.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument(
        "parts", nargs="*", choices=(*PARTS, []), metavar="PART", help=f"{', '.join(PARTS)} (default: fights and maps)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--library", type=Path, metavar="FOLDER", help="build the libraries that a wheel brings along, in this folder"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Compile the parts, and report what was compiled and where it is stored."""
    from heartrush_env.tabletop.compiling.code_cache import USED, VARIABLE, cache_directory
    from heartrush_env.tabletop.waiting import seconds_here

    if arguments.library is not None:
        return _build(arguments.library, arguments.parts or IN_LIBRARY)
    parts = dict.fromkeys(arguments.parts or USUAL)
    left_out = {} if arguments.parts else {LEFT_OUT: round(seconds_here(SECONDS_LEFT_OUT))}
    found: list[dict[str, Any]] = []
    for part in parts:
        before, begun, work = len(USED), perf_counter(), process_time()
        words, use = PARTS[part]
        use()
        compiled = sum(used.compiled for used in USED[before:])
        seconds, cpu_seconds = perf_counter() - begun, process_time() - work
        found.append({"part": part, "compiled": compiled, "seconds": seconds, "cpu_seconds": cpu_seconds})
        if not arguments.json:
            done = f"compiled in {seconds:.0f} s ({cpu_seconds:.0f} s of one core)" if compiled else "already compiled"
            print(f"{words}: {done}", flush=True)
    folder = cache_directory()
    kept = all(used.folder is not None and used.folder == folder for used in USED)
    if arguments.json:
        where = None if folder is None else str(folder)
        print(json.dumps({"version": __version__, "folder": where, "kept": kept, "parts": found, "left_out": left_out}))
    elif not USED:
        print("it comes with this installation")
    else:
        for part, seconds in left_out.items():
            about = f"`heartrush machine warm {part}` compiles them, in about {seconds} s of one core here"
            print(f"{PARTS[part][0]}: left out; {about}")
        if kept:
            print(f"kept in {folder}")
    if not kept:
        there = folder or "the user's cache folder"
        print(
            f"heartrush machine warm: not all compiled code is kept in {there}; {VARIABLE} names another folder.",
            file=sys.stderr,
        )
    return 0 if kept else NOT_KEPT


def _build(folder: Path, parts: Iterable[str]) -> int:
    """Build libraries from the machine code of the parts, one for each package with compiled functions."""
    from heartrush_env.tabletop.compiling.building import build_libraries

    def play() -> None:
        for part in parts:
            PARTS[part][1]()

    for path, kernels in build_libraries(folder, play).items():
        print(f"{len(kernels)} kernels: compiled into {path}")
    return 0


def _fights() -> None:
    for scenario in WITHOUT_MAP:
        _play(scenario)
    _weigh_odds()


def _maps() -> None:
    from heartrush_env.games.heart_rush.engine.outlook import cover_around
    from heartrush_env.games.heart_rush.scenario.battlefield import Battlefield

    _play("skirmish")
    cover_around(Battlefield((".",), 10, "bright"), 0, 0, 1, 1)
    _weigh_odds()


def _classic() -> None:
    for scenario in EVERY_KIND:
        _play(scenario, "classic")


def _stances() -> None:
    from heartrush_env.games.heart_rush.fights import MANY
    from heartrush_env.tabletop.registry import open_game

    for edition in ("june2025", "classic"):
        for settings in ({}, {"profile": "plain"}):  # the default settings, and any other settings
            rules = {"edition": edition, **settings}
            game = open_game({"scenario": "duel", "rules": rules, "decisions": "stance"})
            for observations in game.observation_kinds:
                game.batch(MANY, observations=observations).start([0], 0, [0])


def _abilities() -> None:
    from heartrush_env.games.heart_rush.scenario.load import load_scenario, with_an_ability

    for observations in ("vector", "entities"):
        for scenario in ("duel", "skirmish"):
            _play(with_an_ability(load_scenario(scenario)), observations=observations)


def _entities() -> None:
    for edition in ("june2025", "classic"):
        for scenario in EVERY_KIND:
            _play(scenario, edition, "entities")


def _play(scenario: Any, edition: str = "june2025", observations: str = "vector") -> None:
    """Play some windows of a fight, calling every compiled function that environments use."""
    from heartrush_env.tabletop.errors import HeartRushError
    from heartrush_env.tabletop.game import is_on_map
    from heartrush_env.tabletop.registry import open_game

    game = open_game({"scenario": scenario, "rules": {"edition": edition} if isinstance(scenario, str) else {}})
    batch = game.batch(1, record=True, observations=observations)
    batch.start([0], 0, [0])
    for _ in range(WINDOWS):
        if is_on_map(game):
            for seat, fighter in enumerate(batch.describe(0)["fighters"].values()):
                row, column = fighter["at"]
                with suppress(HeartRushError):  # if a dash is not possible, or not to this square
                    batch.give_details(0, seat, {"route": [(row, column + 1)]})
        batch.step(batch.masks.argmax(axis=2))
    batch.restore(0, batch.snapshot(0))
    batch.state(0)


def _weigh_odds() -> None:
    """Call every compiled function of agents that calculate odds, and of hints."""
    from heartrush_agents.tactics.odds import ASKS_OUTLOOK, attack_sources, odds_of
    from heartrush_agents.tactics.pairs import Fighter, Pairing, records

    from heartrush_env.games.heart_rush.rules.terms import DIE_LADDER, MIGHT
    from heartrush_env.games.heart_rush.scenario.settings import Settings

    anyone = Fighter(*[DIE_LADDER[0]] * len(Fighter._fields))
    attack_sources(anyone, anyone, MIGHT)
    odds_of(Settings()).ask(ASKS_OUTLOOK, records([Pairing(anyone, anyone, 1, 1)]))


def _solver() -> None:
    """Solve the smallest duels that each solver supports."""
    from heartrush_env.games.heart_rush.game import HeartRush, as_heart_rush
    from heartrush_env.research.best_response import exploitability
    from heartrush_env.research.full_rules.solve import solve_by_play
    from heartrush_env.research.solve import solve
    from heartrush_env.research.teams.one_v_two import solve_team
    from heartrush_env.tabletop.registry import open_game

    boar, fox, wolf = (
        {"id": id, "team": team, "might": 4, "agility": 4, "cunning": 4, "presence": 4, "heart": 4, "hp": 1,
         "weapon": "dagger"}
        for id, team in (("boar", "blue"), ("fox", "red"), ("wolf", "red"))
    )  # fmt: skip
    duel = {"victory": "first_down", "max_rounds": 2, "fighter": [boar, fox]}

    def game(**fields: Any) -> HeartRush:
        return as_heart_rush(open_game({"scenario": {**duel, **fields}, "memory": 0}))

    for profile in ("plain", "levels"):
        exploitability(solve(game(rules={"profile": profile})))
    solve_by_play(game(), rounds=1)
    solve_team(game(fighter=[boar, fox, wolf], rules={"profile": "plain"}))


PARTS: dict[str, tuple[str, Callable[[], None]]] = {
    "fights": ("fights without a map", _fights),
    "maps": ("fights on maps", _maps),
    "abilities": ("fights with abilities", _abilities),
    "classic": ("fights of the classic edition", _classic),
    "stances": ("many duels of stances, as for training", _stances),
    "entities": ("observations as entities", _entities),
    "solver": ("the solver", _solver),
}
IN_LIBRARY = tuple(part for part in PARTS if part != "solver")
