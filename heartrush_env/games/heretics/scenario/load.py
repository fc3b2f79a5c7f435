"""The reader of scenarios: a shipped name, a file or a table; all faults are reported at once."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from os import PathLike
from pathlib import Path
from typing import Any, Final

from heartrush_env.games.heretics import terms
from heartrush_env.games.heretics.scenario.sheets import (
    BODIES,
    HERO_HP,
    PLATES,
    ROLES,
    USUAL_SPEED,
    Battlefield,
    Scenario,
    Sheet,
)
from heartrush_env.games.heretics.settings import DEFAULTS, NOT_PLAYED, SETTINGS
from heartrush_env.games.heretics.weapons import HANDS, WEAPON_NAMES
from heartrush_env.tabletop import validate
from heartrush_env.tabletop.errors import RulesError, ScenarioError
from heartrush_env.tabletop.text import show

GLYPHS: Final = ".#~^*"  # open, wall, water, small things, fire
BLOCKED: Final = "#~"
MOST_HP: Final = 1000
MOST_TAGS: Final = 8  # of what fighters fear
LONGEST_FILE: Final = 1_000_000  # bytes
_DICE: Final = (4, 6, 8, 10, 12)
_GIVEN: Final = tuple(condition for condition in terms.CONDITIONS if condition not in ("grappled", "open", "surprised"))
_LATER: Final = "not played yet"
_WORD: Final = validate.Field(
    lambda value: isinstance(value, str) and bool(re.fullmatch(r"[a-z][a-z_]{0,39}", value)),
    "a word of letters a to z and _",
)
_SQUARE: Final = validate.Field(
    lambda value: isinstance(value, list | tuple) and len(value) == 2 and all(map(validate.is_whole, value)),
    "a square as [x, y]",
    taken=list,
)
_FIGHTER: Final = {
    "from": _WORD,
    "id": _WORD,
    "team": _WORD,
    "role": validate.one_of(ROLES),
    **{ability: validate.whole(-10, 10) for ability in terms.ABILITIES},
    "hp": validate.whole(1, MOST_HP),
    "hp_now": validate.whole(1, MOST_HP),
    "body": validate.named((*BODIES, *PLATES)),
    "shield": validate.flag(),
    "helmet": validate.flag(),
    "held": validate.named(WEAPON_NAMES),
    "inventory": validate.list_of(validate.named(WEAPON_NAMES), f"a list of weapons: {validate.join_or(WEAPON_NAMES)}"),
    "to_hit": validate.whole(-20, 40),
    "hd": validate.whole(1, 20),
    "speed": validate.whole(0, terms.MOST_SQUARES * terms.FEET_A_SQUARE, "feet"),
    "natural": validate.number_of(_DICE),
    "on_hit": validate.table(),
    "fearless": validate.flag(),
    "steady": validate.flag(),
    "fearsome": _WORD,
    "fears": validate.list_of(_WORD, "a list of words"),
    "conditions": validate.list_of(validate.one_of(_GIVEN), f"a list of conditions: {validate.join_or(_GIVEN)}"),
    "at": _SQUARE,
    **dict.fromkeys(("opportunist", "commander", "spells", "mana", "ward"), validate.not_played(_LATER)),
}
_AS_GIVEN: Final = _FIGHTER.keys() & Sheet.__dataclass_fields__.keys() - {"id", "hp", "speed", "on_hit"}
_ON_HIT: Final = {
    "save": validate.one_of(terms.ABILITIES),
    "number": validate.whole(1, 40),
    "condition": validate.one_of(_GIVEN),
}
_OBJECTIVE: Final = {"kind": validate.one_of(terms.OBJECTIVES), "team": _WORD, "count": validate.whole(1, 1000)}
_BATTLEFIELD: Final = {
    "map": validate.list_of(validate.Field(lambda value: isinstance(value, str), "a row"), "a list of rows"),
    "exits": validate.list_of(_SQUARE, "a list of squares as [x, y]"),
}
_SCENARIO: Final = {
    "name": validate.text(),
    "mode": validate.Field(lambda value: value == "rounds", "rounds", refusal="the duel in beats is " + _LATER),
    "heroes": _WORD,
    "surprise": _WORD,
    "objective": validate.table(),
    "round_cap": validate.whole(1, 1000),
    "fighter": validate.Field(lambda value: isinstance(value, list), "a list of fighters"),
    "rules": validate.table(),
    "battlefield": validate.table(),
}
_RULES: Final = {
    **{
        name: validate.whole(*setting.values[1:]) if setting.is_number else validate.one_of(setting.values)
        for name, setting in SETTINGS.items()
    },
    **{name: validate.any_of(validate.one_of((word,))) for name, word in NOT_PLAYED.items()},
}


@cache
def sample_fighters() -> Mapping[str, Mapping[str, Any]]:
    """Return the shipped fighters by name."""
    return _shipped("fighters.toml")


@cache
def shipped_names() -> tuple[str, ...]:
    """Return the names of the shipped scenarios."""
    folder = files("heartrush_env.games.heretics") / "data" / "scenarios"
    return tuple(sorted(file.name.removesuffix(".toml") for file in folder.iterdir() if file.name.endswith(".toml")))


def _shipped(*path: str) -> dict[str, Any]:
    file = files("heartrush_env.games.heretics").joinpath("data", *path)
    return tomllib.loads(file.read_text(encoding="utf-8"))


def load_scenario(given: str | PathLike[str] | Mapping[str, Any], rules: Mapping[str, Any]) -> Scenario:
    """Return a scenario under the given settings, which override its own.

    Raises:
        ScenarioError: The scenario is invalid; the message lists every fault.
        RulesError: A setting is invalid.
    """
    where, found = _find(given)
    return _read(found, rules, where)


def _find(given: str | PathLike[str] | Mapping[str, Any]) -> tuple[str, Any]:
    """Return where a scenario is from, and its table."""
    if isinstance(given, Mapping):
        return "scenario", given
    if isinstance(given, str) and given in shipped_names():
        return given, _shipped("scenarios", f"{given}.toml")
    path = Path(given)
    if isinstance(given, str) and path.suffix != ".toml":
        raise ScenarioError(f"scenario: {validate.unknown_name('scenario', given, shipped_names())}.")
    try:
        if path.stat().st_size > LONGEST_FILE:
            raise ScenarioError(f"{path.name}: expected at most {LONGEST_FILE} bytes, got more.")
        return path.name, tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as fault:
        raise ScenarioError(f"{path.name}: expected a TOML file, got one that cannot be read ({fault}).") from None


def _read(given: Any, rules: Mapping[str, Any], where: str) -> Scenario:
    faults = validate.Faults()
    found = validate.read_table(given, _SCENARIO, where, ScenarioError, faults=faults)
    faults.settle(where)
    settings = dict(DEFAULTS)
    if "round_cap" in found:
        settings["round_cap"] = found["round_cap"]
    for source, name in ((found.get("rules", {}), f"{where}, rules"), (rules, "rules")):
        read = validate.read_table(source, _RULES, name, RulesError, "setting", faults)
        settings |= {key: value for key, value in read.items() if key in SETTINGS}
    battlefield = None
    if "battlefield" in found:
        with faults.caught():
            battlefield = _read_battlefield(found["battlefield"], f"{where}, battlefield")
    entries = found.get("fighter", [])
    with faults.caught():
        if not 2 <= len(entries) <= terms.MAX_FIGHTERS:
            raise ScenarioError(f"{where}: expected 2 to {terms.MAX_FIGHTERS} fighters, got {len(entries)}.")
    faults.settle(where)
    sheets: list[Sheet] = []
    for k, entry in enumerate(entries):
        with faults.caught():
            sheets.append(_read_fighter(entry, sheets, f"{where}, fighter {k + 1}"))
    faults.settle(where)
    sides = tuple(dict.fromkeys(sheet.team for sheet in sheets))
    tags = {tag for sheet in sheets for tag in (*sheet.fears, sheet.fearsome) if tag}
    with faults.caught():
        if len(tags) > MOST_TAGS:
            raise ScenarioError(f"{where}: expected at most {MOST_TAGS} tags of fear, got {len(tags)}.")
    with faults.caught():
        if len(sides) != 2:
            raise ScenarioError(f"{where}: expected fighters of two teams, got {validate.join_or(sides, 'and')}.")
    _check_squares(sheets, battlefield, where, faults)
    faults.settle(where)
    surprise, heroes = found.get("surprise", "roll"), found.get("heroes")
    with faults.caught():
        if surprise not in ("roll", "none", *sides):
            allowed = validate.join_or(("roll", "none", *sides))
            raise ScenarioError(f"{where}: surprise: expected {allowed}, got {show(surprise)}.")
    with faults.caught():
        if heroes is not None and heroes not in sides:
            raise ScenarioError(f"{where}: heroes: expected {validate.join_or(sides)}, got {show(heroes)}.")
    objective = None
    with faults.caught():
        objective = _read_objective(found.get("objective"), sheets, battlefield, f"{where}, objective")
    faults.settle(where)
    plain = {key: value for key, value in found.items() if key not in ("rules", "round_cap")}
    name = found.get("name", "custom")
    first, second = sides
    return Scenario(name, plain, tuple(sheets), (first, second), heroes, surprise, objective, settings, battlefield)


def _read_fighter(given: Any, before: list[Sheet], where: str) -> Sheet:
    faults = validate.Faults()
    own = validate.read_table(given, _FIGHTER, where, ScenarioError, faults=faults)
    base: Mapping[str, Any] = {}
    if "from" in own:
        with faults.caught():
            if own["from"] not in sample_fighters():
                raise ScenarioError(f"{where}: {validate.unknown_name('fighter', own['from'], sample_fighters())}.")
            base = sample_fighters()[own["from"]]
    found = {**base, **own}
    on_hit = None
    if "on_hit" in found:
        read = validate.read_table(found["on_hit"], _ON_HIT, f"{where}, on_hit", ScenarioError, faults=faults)
        if not faults and len(read) == len(_ON_HIT):
            on_hit = read["save"], read["number"], read["condition"]
        elif not faults:
            missing = next(key for key in _ON_HIT if key not in read)
            with faults.caught():
                raise ScenarioError(f"{where}, on_hit: expected {missing}, got a table without it.")
    with faults.caught():
        if "team" not in found:
            raise ScenarioError(f"{where}: expected a team, got a fighter without one.")
    faults.settle(where)
    return _make_sheet(found, on_hit, before, where)


def _make_sheet(
    found: Mapping[str, Any], on_hit: tuple[str, int, str] | None, before: list[Sheet], where: str
) -> Sheet:
    """Return a fighter with the defaults of what its table leaves out."""
    id = found.get("id", found.get("from", "fighter"))
    abilities = tuple(found.get(ability, 0) for ability in terms.ABILITIES)
    max_hp = found.get("hp", HERO_HP if found.get("role") == "hero" else 9 * found.get("hd", 1) // 2)
    held = found.get("held")
    slots = min(terms.INVENTORY, 10 + abilities[0])
    if len(found.get("inventory", ())) > slots:
        raise ScenarioError(f"{where}: inventory: expected at most {slots} items, got {len(found['inventory'])}.")
    if held is not None and found.get("shield") and HANDS[WEAPON_NAMES.index(held)] == 2:
        raise ScenarioError(f"{where}: expected a weapon for one hand beside a shield, got {held!r} for two.")
    if found.get("hp_now", max_hp) > max_hp:
        raise ScenarioError(f"{where}: hp_now: expected at most {max_hp}, got {found['hp_now']}.")
    as_given: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in found.items()}
    return Sheet(
        **{key: value for key, value in as_given.items() if key in _AS_GIVEN},
        id=id,
        agent=f"{id.replace('_', '')}_{sum(sheet.id == id for sheet in before)}",  # PettingZoo wants one underscore
        abilities=abilities,
        hp=found.get("hp_now", max_hp),
        max_hp=max_hp,
        speed=found.get("speed", USUAL_SPEED - terms.FEET_A_SQUARE * max(0, -abilities[1])),
        on_hit=on_hit,
    )


def _read_battlefield(given: Any, where: str) -> Battlefield:
    found = validate.read_table(given, _BATTLEFIELD, where, ScenarioError)
    rows = tuple(found.get("map", ()))
    if not rows or not 1 <= len(rows[0]) <= terms.WIDTH or len(rows) > terms.HEIGHT:
        raise ScenarioError(
            f"{where}: expected a map of at most {terms.WIDTH} x {terms.HEIGHT} squares, got another size."
        )
    for y, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise ScenarioError(f"{where}: row {y}: expected {len(rows[0])} squares as in row 0, got {len(row)}.")
        wrong = sorted(set(row) - set(GLYPHS))
        if wrong:
            raise ScenarioError(f"{where}: row {y}: expected the glyphs {' '.join(GLYPHS)}, got {show(wrong[0])}.")
    width, height = len(rows[0]), len(rows)
    edge = [(x, y) for y in range(height) for x in range(width) if x in (0, width - 1) or y in (0, height - 1)]
    exits = [tuple(square) for square in found["exits"]] if "exits" in found else edge
    for x, y in exits:
        if not (0 <= x < width and 0 <= y < height):
            raise ScenarioError(f"{where}: exits: expected squares on the map, got [{x}, {y}].")
    return Battlefield(rows, tuple((x, y) for x, y in exits if rows[y][x] not in BLOCKED))


def _check_squares(sheets: list[Sheet], field: Battlefield | None, where: str, faults: validate.Faults) -> None:
    """Check that fighters are on open squares of the map, one on each."""
    taken: dict[tuple[int, int], str] = {}
    for sheet in sheets:
        with faults.caught():
            if (sheet.at is None) != (field is None):
                wanted = "a square, because there is a map" if sheet.at is None else "no square without a map"
                raise ScenarioError(f"{where}: {sheet.agent}: at: expected {wanted}, got {show(sheet.at)}.")
            if sheet.at is None or field is None:
                continue
            x, y = sheet.at
            if not (0 <= x < len(field.rows[0]) and 0 <= y < len(field.rows)) or field.rows[y][x] in BLOCKED:
                raise ScenarioError(f"{where}: {sheet.agent}: at: expected an open square of the map, got [{x}, {y}].")
            if sheet.at in taken:
                raise ScenarioError(f"{where}: {sheet.agent}: at: expected a free square, got that of {taken[x, y]}.")
            taken[sheet.at] = sheet.agent


def _read_objective(
    given: Any, sheets: list[Sheet], field: Battlefield | None, where: str
) -> tuple[str, str, int] | None:
    if given is None:
        return None
    found = validate.read_table(given, _OBJECTIVE, where, ScenarioError)
    if found.get("kind", "defeat") == "defeat":
        return None
    for key in ("team", "count"):
        if key not in found:
            raise ScenarioError(f"{where}: expected {key}, got a table without it.")
    size = sum(sheet.team == found["team"] for sheet in sheets)
    if size == 0:
        raise ScenarioError(f"{where}: team: expected a team of the scenario, got {show(found['team'])}.")
    if found["kind"] == "escape" and (field is None or found["count"] > size):
        raise ScenarioError(f"{where}: expected a map and a count of at most {size}, got an escape without them.")
    return found["kind"], found["team"], found["count"]
