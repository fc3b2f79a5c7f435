"""Heart Rush opened from a table: the module that the registry of games names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from heartrush_env.games.heart_rush.game import GAME, HeartRush
from heartrush_env.games.heart_rush.scenario.settings import BEFORE
from heartrush_env.games.heart_rush.scenario.sheets import Scenario
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.game import Game
from heartrush_env.tabletop.validate import Field, is_whole, one_of, read_table, table

_WORD: Final = Field(lambda value: isinstance(value, str), "a word")
_NUMBER: Final = Field(lambda value: value is None or is_whole(value), "a whole number or null")
GAME_FIELDS: Final = {
    "game": one_of([GAME]),
    "scenario": Field(lambda value: isinstance(value, str | Mapping | Scenario), "a scenario's name or table"),
    "rules": table(),
    "decisions": _WORD,
    "control": _WORD,
    "shape": Field(lambda value: value is None or isinstance(value, str), "a word or null"),
    "memory": _NUMBER,
    "reward": _WORD,
    "max_cycles": _NUMBER,
}


def open_table(given: Mapping[str, Any], where: str) -> HeartRush:
    """Return the game of a table; error messages start with `where`."""
    fields = read_table(given, GAME_FIELDS, where, HeartRushError)
    if "scenario" not in fields:
        raise HeartRushError(f"{where}: scenario is missing, needed: {', '.join(GAME_FIELDS)}.")
    try:
        return HeartRush(**{option: value for option, value in fields.items() if option != "game"})
    except HeartRushError as error:
        raise HeartRushError(f"{where}: {error}") from None


def as_read_before(given: Mapping[str, Any], game: Game) -> Mapping[str, Any]:
    """Return the table of a recorded game with the settings that an older version did not write, as they were then.

    Raises:
        HeartRushError: The game has talk, which came at another moment of the round then.
    """
    scenario = given["scenario"]
    before = {**given, "scenario": {**scenario, "rules": {**BEFORE, **scenario.get("rules", {})}}}
    if before != given and game.rules["talk"] != "none":
        raise HeartRushError("talk came before the action phase then, needed: talk = 'none'")
    return before
