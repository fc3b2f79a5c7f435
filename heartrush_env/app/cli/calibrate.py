"""`heartrush agent calibrate`: calibrates the difficulty levels of agents, and measures the strength of all agents."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from heartrush_agents import available, load, quick
from heartrush_agents.base import AgentError
from heartrush_agents.difficulty import TEN_LEVELS
from heartrush_agents.learned.agent import CARD
from heartrush_agents.registry import characters, told

from heartrush_env.app.cli.arguments import add_game, add_number, add_rules, game_words, opened, seed_of
from heartrush_env.app.cli.terminal import Count, note
from heartrush_env.tabletop.game import Game
from heartrush_env.tabletop.registry import DEFAULT_GAME, open_game
from heartrush_env.tabletop.text import show

LEVELED = ("duelist", "tactician", "modeller")  # agents of the package
SCENARIO = "duel"
MAP = "skirmish"
STRENGTHS, PERSONALITIES = "strengths", "personalities"
ABOUT = (
    "Finds the rates of mistakes at which an agent wins one fight in three (easy) and one in two (normal) against "
    "`uniform`, measures these levels and full strength (hard) against `uniform` and the agent itself, and writes them "
    "to the agent's card. The ten levels of a character are measured against a panel of "
    f"habits: {', '.join(told(DEFAULT_GAME, 'HABITS'))}. The ten levels of an agent of another game are measured "
    "against that game's yardstick. Without agents: those of the package that have levels, and "
    "the strengths by which `heartrush play` orders its list."
)
EXAMPLES = f"""examples:
  heartrush agent calibrate runs/mine      then: heartrush play --enemy runs/mine@easy
  heartrush agent calibrate duelist        after it was trained again
  heartrush agent calibrate berserker --levels 1,4,7,10 --fights 600
  heartrush agent calibrate runs/mine --scenario my.toml --rule edition=classic
  heartrush agent calibrate personalities --fights 10
  heartrush agent calibrate                {", ".join(LEVELED)}, then the strengths of all agents"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    more = f"{STRENGTHS!r} for the table of strengths, or {PERSONALITIES!r} for that of characters"
    parser.add_argument("agents", nargs="*", metavar="AGENT", help=f"ids, folders of trained agents, {more}")
    add_game(parser)
    says = "a shipped scenario or a TOML file (default: duel, or the game's first)"
    parser.add_argument("--scenario", metavar="SCENARIO", help=says)
    add_rules(parser)
    add_number(parser, "--fights", "fights for each measurement", 2000, least=2)
    says = "levels of a character (default: all ten)"
    parser.add_argument("--levels", type=_levels, default=TEN_LEVELS, metavar="1,4,...", help=says)
    add_number(parser, "--seed", "seed of all dice and choices", least=0)
    add_number(parser, "--processes", "number of worker processes (default: one per core)")
    parser.add_argument("--json", action="store_true", help="print one JSON object, and write nothing")


def _levels(text: str) -> list[str]:
    """Parse a comma-separated selection of the ten levels."""
    names = text.split(",")
    if not set(names) <= set(TEN_LEVELS):
        raise argparse.ArgumentTypeError(f"{text!r} is not a list of levels from 1 to 10 such as 1,4,7,10")
    return names


def run(arguments: argparse.Namespace) -> int:
    """Measure and write the results."""
    from heartrush_train.calibration import calibrate, place_of, strengths, ten_levels, write_levels, write_strengths

    game, found, people = opened(arguments), {}, [*characters()]
    given = arguments.agents or [*LEVELED, STRENGTHS]
    for id in given:
        if id in (STRENGTHS, PERSONALITIES) or place_of(id).name == CARD:
            continue
        own = load(id)  # raises for an unknown id
        if id not in available() and game.name not in own.games:
            raise AgentError(
                f"Expected an agent of the package or the folder of a trained agent, got {id!r}, "
                "which cannot store levels."
            )
    fixed = [id for id in given if place_of(id).name != CARD and not _has_ten_levels(id, game)]
    if fixed and _options(arguments):
        raise AgentError(
            f"--game, --scenario and --rule: expected trained agents, got {show(fixed[0])}, which is always measured "
            f"on {SCENARIO} of {DEFAULT_GAME}."
        )
    how: dict[str, Any] = {"seed": seed_of(arguments), "processes": arguments.processes}
    for id in given:
        count = Count("fights")
        if id in (PERSONALITIES, *people):
            found[id], write = _characters(id, people, game, arguments, count, how)
            if not arguments.json:
                print("\n".join(_of_characters(id, found[id])))
                print(f"  Written to {write(found[id])}.")
            continue
        if id == STRENGTHS:
            agents = [each for each in quick() if load(each).plays(game) is None]
            found[id] = strengths(agents, game, fights=max(2, arguments.fights // 2), progress=count, **how)
        elif _has_ten_levels(id, game):
            found[id] = ten_levels(id, game, fights=arguments.fights, progress=count, **how)
            found[id]["command"] += _options(arguments)
        else:
            found[id] = calibrate(id, game, fights=arguments.fights, progress=count, report=note, **how)
            found[id]["command"] += _options(arguments)
        if arguments.json:
            continue
        print(as_text(id, found[id]))
        place = write_strengths(found[id]) if id == STRENGTHS else write_levels(id, found[id])
        print(f"  Written to {place}.")
    if arguments.json:
        print(json.dumps(found))
    return 0


def _has_ten_levels(id: str, game: Game) -> bool:
    """Return whether an agent of the package was made for this game, if the game is not the default one."""
    from heartrush_train.calibration import place_of

    of_package = id not in (STRENGTHS, PERSONALITIES) and place_of(id).name != CARD
    return game.name != DEFAULT_GAME and of_package and game.name in load(id).games


def _options(arguments: argparse.Namespace) -> str:
    """Return the options that determine the fights, as they are written on the command line."""
    words = ["--scenario", arguments.scenario] if arguments.scenario else []
    return "".join(f" {word}" for word in [*words, *game_words(arguments)])


def _characters(
    id: str, known: list[str], game: Game, arguments: argparse.Namespace, progress: Count, how: dict[str, Any]
) -> tuple[dict[str, Any], Callable[[dict[str, Any]], Path]]:
    """Measure a character's levels or all personalities; return the results, and the function that writes them."""
    from heartrush_train import calibration

    if id == PERSONALITIES:
        map = open_game({"scenario": MAP})
        measured = calibration.personalities(known, game, map, fights=arguments.fights, seed=how["seed"])
        return measured, calibration.write_personalities
    levels = calibration.character_levels(
        id, game, levels=arguments.levels, fights=arguments.fights, progress=progress, **how
    )
    return levels, partial(calibration.write_character, id)


def _of_characters(id: str, found: dict[str, Any]) -> list[str]:
    """Return readable lines for the measured levels of one character, or for all personalities."""
    if id == PERSONALITIES:
        return [
            f"  {name:<12} distance {each['distance']:4.1f}, focus {each['focus']:.2f}, "
            f"retreats {each['retreats']:.2f}, hides {each['hides']:.2f}, "
            f"nearest mix {min(each['apart'].values()):.2f} away"
            for name, each in found["characters"].items()
        ]
    head = f"{id} on {found['scenario']}: percent won with 95 % intervals, against {', '.join(found['panel'])}"
    return [head, *(f"  level {level:<3} {_words(each)}" for level, each in found["levels"].items())]


def as_text(id: str, found: dict[str, Any]) -> str:
    """Format the measurements as readable text."""
    head = f"{id} on {found['scenario']}: {found['fights']} fights each, percent won with 95 % intervals"
    if id == STRENGTHS:
        head += f", against {', '.join(found['panel'])}"
        return "\n".join([head, *(f"  {agent:<20} {_words(each)}" for agent, each in found["scores"].items())])
    lines = [head]
    for name, level in found["levels"].items():
        shares = "; ".join(f"{_words(each)} against {other}" for other, each in level["against"].items())
        lines.append(f"  {name:<7} {100 * level['mistakes']:3.0f} % mistakes: {shares}")
    return "\n".join(lines)


def _words(each: list[float]) -> str:
    return f"{each[0]:5.1f} [{each[1]:.1f}, {each[2]:.1f}]"
