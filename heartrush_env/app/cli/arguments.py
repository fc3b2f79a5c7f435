"""Arguments shared by several commands: game, scenario, rule settings, numbers."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.game import Game
from heartrush_env.tabletop.registry import DEFAULT_GAME, game_names, open_game, scenario_names, usual_scenario
from heartrush_env.tabletop.text import show
from heartrush_env.tabletop.validate import join_or

NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")
MOST_DIGITS = 100  # maximum length of a number; no setting needs more


def add_game(parser: argparse.ArgumentParser) -> None:
    """Add --game, which defaults to Heart Rush."""
    says = f"the game, {join_or(game_names())}; another package may add games (default: {DEFAULT_GAME})"
    parser.add_argument("--game", default=DEFAULT_GAME, metavar="GAME", help=says)


def add_game_of_scenario(parser: argparse.ArgumentParser) -> None:
    """Add --game, which defaults to the game that ships the scenario; `game_of` then returns the game."""
    says = f"the game, {join_or(game_names())} (default: the one that ships SCENARIO, otherwise {DEFAULT_GAME})"
    parser.add_argument("--game", metavar="GAME", help=says)


def game_of(arguments: argparse.Namespace, scenario: str | None) -> str:
    """Return the game of --game, or else the first game that ships a scenario of this name, or else Heart Rush."""
    if arguments.game is not None:
        return str(arguments.game)
    return next((game for game in game_names() if scenario in scenario_names(game)), DEFAULT_GAME)


def add_own_game(parser: argparse.ArgumentParser) -> None:
    """Add --game to a command that supports only Heart Rush; any other game is refused."""

    def heart_rush(text: str) -> str:
        if text != DEFAULT_GAME:
            raise argparse.ArgumentTypeError(f"expected {DEFAULT_GAME}, which this command is about, got {show(text)}")
        return text

    parser.add_argument("--game", type=heart_rush, default=DEFAULT_GAME, metavar="GAME", help=argparse.SUPPRESS)


def opened(arguments: argparse.Namespace, scenario: str | None = None, **options: Any) -> Game:
    """Return the game that --game, SCENARIO and --rule select, with further options of the game.

    Args:
        arguments: The parsed arguments.
        scenario: The scenario; by default the argument SCENARIO, or else the game's usual scenario.
        options: Options of the game by name; options that are None are left out.
    """
    rules = read_rules(arguments.rule) if getattr(arguments, "rule", None) else None
    given = {name: value for name, value in {"rules": rules, **options}.items() if value is not None}
    named = scenario or arguments.scenario or usual_scenario(arguments.game)
    return open_game({"game": arguments.game, "scenario": named, **given}, "")


def game_words(arguments: argparse.Namespace) -> list[str]:
    """Return the arguments that repeat --game and --rule in another command line; the default game is omitted."""
    words = ["--game", arguments.game] if arguments.game != DEFAULT_GAME else []
    return words + [word for rule in arguments.rule for word in ("--rule", rule)]


def add_scenario(parser: argparse.ArgumentParser, usual: str | None = "duel") -> None:
    """Add SCENARIO, which defaults to `usual`; if `usual` is None, `opened` takes the game's usual scenario."""
    shipped = ", ".join(scenario_names())
    says = f"a TOML file, or one of {shipped} (default: duel)"
    parser.add_argument("scenario", nargs="?", default=usual, metavar="SCENARIO", help=says)


def scenarios() -> str:
    """Return the help text of SCENARIO for commands that also play on maps."""
    shipped = ", ".join(scenario_names())
    return f"a TOML file, random:N for a fair fight on a map made from the seed N, or one of {shipped}"


def add_number(
    parser: argparse.ArgumentParser, option: str, says: str, usual: int | None = None, least: int = 1, name: str = "N"
) -> None:
    """Add an option for a whole number of at least `least`; its help text ends with the default, if it has one."""
    shown = "" if usual is None else f" (default: {usual})"
    parser.add_argument(option, type=at_least(least), default=usual, metavar=name, help=says + shown)


def add_decisions(parser: argparse.ArgumentParser, says: str = "choices left to the players") -> None:
    """Add --decisions."""
    parser.add_argument("--decisions", choices=("full", "stance"), default="full", help=says)


def add_rules(parser: argparse.ArgumentParser) -> None:
    """Add --rule KEY=VALUE, which may be repeated."""
    parser.add_argument("--rule", action="append", default=[], metavar="KEY=VALUE", help="a setting of the rules")


def read_rules(given: Sequence[str]) -> dict[str, Any]:
    """Parse settings from KEY=VALUE; a value is true, false, a number or a word."""
    rules: dict[str, Any] = {}
    for pair in given:
        key, equals, value = pair.partition("=")
        if not equals or not key:
            raise HeartRushError(f"--rule: expected KEY=VALUE, as in profile=plain, got {pair!r}.")
        plain: dict[str, Any] = {"true": True, "false": False}
        found = NUMBER.fullmatch(value)
        number = None if found is None or len(value) > MOST_DIGITS else float(value) if found[1] else int(value)
        rules[key] = plain.get(value, value if number is None else number)
    return rules


def add_simulation(parser: argparse.ArgumentParser, *, markdown: bool = False) -> None:
    """Add the arguments for playing many fights: seed, processes, settings and output format, optionally Markdown."""
    add_number(parser, "--seed", "seed of all dice and choices", least=0)
    add_number(parser, "--processes", "number of worker processes (default: one per core)")
    add_rules(parser)
    printed = parser.add_mutually_exclusive_group()
    printed.add_argument("--json", action="store_true", help="print one JSON object")
    if markdown:
        printed.add_argument("--markdown", action="store_true", help="print a Markdown table")


def seed_of(arguments: argparse.Namespace) -> int:
    """Return the given seed, or the default seed of all ratings and simulations."""
    from heartrush_agents.tournament.play import SEED

    return SEED if arguments.seed is None else arguments.seed


@contextmanager
def needing(extra: str, what: str) -> Iterator[None]:
    """Run a block that imports packages of an extra; if one is missing, raise an error that says how to install it."""
    try:
        yield
    except ModuleNotFoundError as missing:
        install = f"install it with pip install 'heartrush-env[{extra}]'"
        raise HeartRushError(f"{what} needs the package {missing.name!r}: {install}.") from None


def agent_ids(text: str) -> list[str]:
    """Parse a comma-separated list of agent ids; an id with numeric arguments may contain commas itself."""
    ids: list[str] = []
    for part in text.split(","):
        if ids and "=" in part and "@" in ids[-1] and "@" not in part:  # one more parameter of the previous agent
            ids[-1] += f",{part.strip()}"
        else:
            ids.append(part.strip())
    if not all(ids):
        raise argparse.ArgumentTypeError(f"{text!r} is not a list of agents such as uniform,might")
    return ids


def at_least(least: int) -> Any:
    """Return an argparse type for whole numbers of at least `least`."""

    def number(text: str) -> int:
        if not text.isascii() or not text.isdigit() or len(text) > MOST_DIGITS or int(text) < least:
            most = f" and at most {MOST_DIGITS} digits" if len(text) > MOST_DIGITS else ""
            raise argparse.ArgumentTypeError(f"{show(text)} is not a whole number of at least {least}{most}")
        return int(text)

    return number


def add_thinking(parser: argparse.ArgumentParser) -> None:
    """Add --think-ms."""
    add_number(
        parser, "--think-ms", "milliseconds that agents with a budget, such as thinker, think over a decision", None, 0
    )


def with_time(ids: Sequence[str], think_ms: int | None) -> list[str]:
    """Return the ids with the argument `think_ms` added for each agent that has it, unless the id sets its own limit.

    Raises:
        HeartRushError: A time is given, but no agent has the argument `think_ms`.
    """
    from heartrush_agents import load

    if think_ms is None:
        return list(ids)
    timed = [id for id in ids if not id.startswith("exec:") and "think_ms" in load(id).arguments]
    if not timed:
        raise HeartRushError(
            f"--think-ms: expected an agent that takes think_ms, such as thinker, got {', '.join(ids)}."
        )
    return [
        f"{id}{',' if '@' in id else '@'}think_ms={think_ms}"
        if id in timed and not any(f"{name}=" in id for name in ("think_ms", "rollouts"))
        else id
        for id in ids
    ]
