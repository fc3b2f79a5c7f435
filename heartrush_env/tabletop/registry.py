"""The games, by name: those of `heartrush_env.games`, and those that other packages register.

`open_game` makes a game from a table, the inverse of `Game.as_table`:

    game = open_game({"game": "heart_rush", "scenario": "duel", "decisions": "stance"})
    assert open_game(game.as_table()).digest == game.digest

Another package adds a game by an entry point of the group `heartrush_env.games`. The entry point has the name of the
game, and its value is a module like `games/heart_rush/opening.py`, with a function `open_table(table, where)` that
returns the game of a table. The module may also have these members:

- `scenario_names()` returns the names of its scenarios; without it, they are those that `READER` finds. A server opens
  scenarios by these names alone; all others must be given as tables.
- `usual_games()` returns a game of each shape by the shape's name, for engines that list what they play; without it,
  the first scenario of each shape is used.
- `brief_table(game)` returns a table that is shorter than `game.as_table()` and opens a game with the same play.
- `VIEW`, a text like "package.module:Class", names a msgspec class, the type of a seat's view in messages; without it,
  a view is an object that the game's views check.
- `SESSION`, a text like "package.module:Class", names the class with which `heartrush play` plays a fight
  (app/cli/playing/table.py); without it, the game's words and text pictures are shown.
- `DESK`, a text like "package.module:Class", names the class that simulates and balances its encounters
  (app/encounters/desk.py); without it, answers hold what every game tells of its fights.
- `READER`, the reader of its scenarios (tabletop/scenario/reader.py), so that encounters can be balanced.
- `BOOK`, a text like "package.module:NAME", names the game's rule text (tabletop/books.py), for `heartrush rules`.
- `as_read_before(table, game)` returns the table of an older record as this version reads it.

A game itself may have `words` (tabletop/words.py) and `views` (tabletop/views.py). A game of tables derives both.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib import import_module
from importlib.metadata import entry_points
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, Protocol, cast

from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.game import Game
from heartrush_env.tabletop.sources import Sources, sources_of
from heartrush_env.tabletop.text import show
from heartrush_env.tabletop.validate import join_or

if TYPE_CHECKING:
    from heartrush_env.tabletop.books import Book

GROUP: Final = "heartrush_env.games"
SHIPPED: Final = "heartrush_env.games"  # its GAMES names the module of each game; the framework imports no game
DEFAULT_GAME: Final = "heart_rush"  # of a table that names none
VARIABLE: Final = "HEARTRUSH_GAMES"  # NAME=MODULE,...: registered by this process, and inherited by those it starts


class GameModule(Protocol):
    """The module of a registered game."""

    def open_table(self, table: Mapping[str, Any], where: str) -> Game:
        """Return the game of a table; raise HeartRushError, with a message that starts with `where`, for a bad one."""


def register_game(name: str, module: str) -> None:
    """Register a game for this process and for those that it starts from now on.

    The module is imported when it is first needed. Other processes read the name in the environment variable
    HEARTRUSH_GAMES, so they need to be able to import the module, too; an entry point reaches every process.
    """
    os.environ[VARIABLE] = ",".join(f"{game}={path}" for game, path in {**_registered(), name: module}.items())


def _registered() -> dict[str, str]:
    """Return the module of each game that was registered in this process or in the process that started it."""
    return dict(entry.split("=", 1) for entry in os.environ.get(VARIABLE, "").split(",") if "=" in entry)


def game_names() -> tuple[str, ...]:
    """Return the names of all registered games."""
    return tuple({**_modules(), **_installed(tuple(sys.path))})


def open_game(table: Mapping[str, Any], where: str = "game") -> Game:
    """Return the game of a table with the keys "game", "scenario" and the game's own options.

    Args:
        table: The game's name, its scenario and its options; options that are missing have their defaults. Without
            "game", the default game is opened.
        where: Where the table is from; error messages start with it. If it is empty, the game's own errors are raised
            as they are.

    Raises:
        HeartRushError: The game is not registered, or its table is invalid.
    """
    return module_of(table.get("game", DEFAULT_GAME), where).open_table(table, where)


def scenario_names(game: str = DEFAULT_GAME) -> tuple[str, ...]:
    """Return the names of the scenarios that a game ships; raise HeartRushError if it is not registered."""
    reader = getattr(module_of(game, "game"), "READER", None)
    shipped = () if reader is None else tuple(reader.library.scenarios)
    found: tuple[str, ...] = _face(game, "scenario_names", lambda: shipped)()
    return found


def usual_scenario(game: str = DEFAULT_GAME) -> str:
    """Return the scenario to play when none is named: "duel", or the game's first one.

    Raises:
        HeartRushError: The game is not registered, or ships no scenario.
    """
    names = scenario_names(game)
    if not names:
        raise HeartRushError(f"scenario: expected the name of a file, since {game} ships no scenarios, got none.")
    return "duel" if "duel" in names else names[0]


def usual_games(game: str = DEFAULT_GAME) -> dict[str, Game]:
    """Return a game of each shape under the default settings, by the shape's name."""
    found: dict[str, Game] = _face(game, "usual_games", lambda: _first_games(game))()
    return found


def _first_games(game: str) -> dict[str, Game]:
    """Return the game of the first scenario of each shape, by the shape's name."""
    found: dict[str, Game] = {}
    for name in scenario_names(game):
        opened = open_game({"game": game, "scenario": name})
        found.setdefault(opened.options["shape"], opened)
    return found


def brief_table(game: Game) -> dict[str, Any]:
    """Return a table that opens a game with the same play, as short as the game can make it."""
    found: dict[str, Any] = _face(game.name, "brief_table", lambda game: game.as_table())(game)
    return found


def _modules() -> dict[str, str]:
    """Return the module of each game that is shipped or registered in this process."""
    return {**import_module(SHIPPED).GAMES, **_registered()}


@lru_cache(maxsize=4)
def _installed(path: tuple[str, ...]) -> dict[str, str]:
    """Return the module of each game that an installed package registers, by name; `path` is Python's search path."""
    return dict(sorted((point.name, point.value) for point in entry_points(group=GROUP)))


def _face(game: str, name: str, usual: Callable[..., Any]) -> Callable[..., Any]:
    """Return an optional function of a game's module, or `usual` if the module lacks it."""
    found: Callable[..., Any] = getattr(module_of(game, "game"), name, usual)
    return found


def book_of(game: str = DEFAULT_GAME) -> Book:
    """Return the rule text that a game's module names as BOOK; raise HeartRushError if it names none."""
    module, _, name = getattr(module_of(game, "game"), "BOOK", "").partition(":")
    if not module:
        raise HeartRushError(f"Expected a game that lists the headings of its rules, got {show(game)}.")
    return cast("Book", getattr(import_module(module), name))


def as_read_before(table: Mapping[str, Any], game: Game, where: str) -> Mapping[str, Any]:
    """Return a record's table, completed with the values that older versions used but did not write.

    Raises:
        HeartRushError: No table describes the game that the older version played.
    """
    convert = getattr(module_of(game.name, where), "as_read_before", None)
    return table if convert is None else cast(Mapping[str, Any], convert(table, game))


def sources_of_game(name: str) -> Sources | None:
    """Return the sources from which a game's machine code is built; None if its code is in no file."""
    module = module_of(name, "game")
    return sources_of(cast(ModuleType, module).__name__, cast(ModuleType, module).__file__ or "")


def module_of(name: Any, where: str) -> GameModule:
    """Return the module of a registered game; raise HeartRushError for any other name."""
    path = (_modules().get(name) or _installed(tuple(sys.path)).get(name)) if isinstance(name, str) else None
    if path is None:
        begin = f"{where}: " if where else ""
        raise HeartRushError(f"{begin}game: expected {join_or(game_names())}, got {show(name)}.")
    try:
        return cast(GameModule, import_module(path))
    except ModuleNotFoundError as missing:
        raise HeartRushError(
            f"{where}: expected a module {path!r} for the game {show(name)}, got none in this process "
            f"({missing.msg}); an installed package with an entry point of the group {GROUP!r} is found by all."
        ) from None
