"""Functions that make Heart Rush from a table of options; the registry of games names this module.

Compiled code is imported by the functions that need it, because front ends list scenarios without playing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from functools import cache, lru_cache
from os import PathLike
from typing import TYPE_CHECKING, Any, Final, cast

from heartrush_env.games.heart_rush.scenario.load import load_scenario, shipped_scenarios, with_an_ability
from heartrush_env.games.heart_rush.scenario.settings import BEFORE
from heartrush_env.games.heart_rush.scenario.sheets import Scenario
from heartrush_env.games.heart_rush.tables import scenario_table
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.game import Game
from heartrush_env.tabletop.validate import Field, is_whole, one_of, read_table, table

if TYPE_CHECKING:
    from heartrush_env.games.heart_rush.game import HeartRush

_WORD: Final = Field(lambda value: isinstance(value, str), "a word")
_NUMBER: Final = Field(lambda value: value is None or is_whole(value), "a whole number or null")
GAME_FIELDS: Final = {
    "game": one_of(["heart_rush"]),
    "scenario": Field(
        lambda value: isinstance(value, str | PathLike | Mapping | Scenario), "a scenario's name or table"
    ),
    "rules": table(),
    "decisions": _WORD,
    "control": _WORD,
    "shape": Field(lambda value: value is None or isinstance(value, str), "a word or null"),
    "memory": _NUMBER,
    "reward": _WORD,
    "max_cycles": _NUMBER,
}
VIEW: Final = "heartrush_env.games.heart_rush.encoding.view_fields:View"
BOOK: Final = "heartrush_env.games.heart_rush.headings:BOOK"
SESSION: Final = "heartrush_env.app.heart_rush.playing.session:Session"
DESK: Final = "heartrush_env.app.heart_rush.encounters.desk:HeartRushDesk"
USUAL: Final = {"decisions": "full", "control": "fighter", "shape": None, "memory": None}  # brief tables omit these


def open_table(given: Mapping[str, Any], where: str) -> HeartRush:
    """Return the game of a table; error messages start with `where`."""
    from heartrush_env.games.heart_rush.game import HeartRush

    fields = read_table(given, GAME_FIELDS, where or "game", HeartRushError)
    if "scenario" not in fields:
        raise HeartRushError(f"{where or 'game'}: scenario is missing; expected {', '.join(GAME_FIELDS)}.")
    try:
        return HeartRush(**{option: value for option, value in fields.items() if option != "game"})
    except HeartRushError as error:
        if not where:
            raise
        raise HeartRushError(f"{where}: {error}") from None


def scenario_names() -> tuple[str, ...]:
    """Return the names of the shipped scenarios."""
    return tuple(shipped_scenarios())


def usual_games() -> dict[str, Game]:
    """Return a game of each shape under the default settings, by the shape's name."""
    from heartrush_env.games.heart_rush.encoding.shapes import SHAPES

    return {shape: _usual_game(shape) for shape in SHAPES}


@cache
def _usual_game(shape: str) -> Game:
    from heartrush_env.games.heart_rush.encoding.shapes import SHAPES
    from heartrush_env.games.heart_rush.game import HeartRush

    scenario = load_scenario("skirmish" if SHAPES[shape].on_map else "duel")
    return HeartRush(with_an_ability(scenario) if SHAPES[shape].abilities else scenario, shape=shape)


def brief_table(game: Game) -> dict[str, Any]:
    """Return a short table of the game: a shipped scenario by name, and the options that are not the usual ones.

    The reward and the limit of steps are left out, because no seat sees them.
    """
    options = {name: game.options[name] for name in USUAL if game.options[name] != USUAL[name]}
    return {"game": game.name, **_brief_scenario(cast("HeartRush", game).scenario), **options}


@lru_cache(maxsize=16)
def _brief_scenario(scenario: Scenario) -> dict[str, Any]:
    """Return the scenario's name and changed settings if it is a shipped one, otherwise its table."""
    if scenario.name in shipped_scenarios():
        shipped = load_scenario(scenario.name)
        usual, settings = asdict(shipped.settings), asdict(scenario.settings)
        rules = {key: value for key, value in settings.items() if value != usual[key]}
        if load_scenario(scenario.name, rules) == scenario:
            return {"scenario": scenario.name, **({"rules": rules} if rules else {})}
    return {"scenario": scenario_table(scenario)}


def as_read_before(given: Mapping[str, Any], game: Game) -> Mapping[str, Any]:
    """Return a recorded game's table, with the old values of the settings that older versions did not write.

    Raises:
        HeartRushError: The game has talk, which older versions placed at another moment of the round.
    """
    scenario = given["scenario"]
    before = {**given, "scenario": {**scenario, "rules": {**BEFORE, **scenario.get("rules", {})}}}
    if before != given and game.rules["talk"] != "none":
        raise HeartRushError("in that version, talk came before the action phase; give talk = 'none'")
    return before
