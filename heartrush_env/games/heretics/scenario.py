"""Scenarios of Heretics: their reader, which reports all faults at once, and the record of their first moment."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from typing import Any, Final

from heartrush_env.games.heretics import terms
from heartrush_env.games.heretics.settings import SETTINGS
from heartrush_env.games.heretics.weapons import HANDS, LIBRARY, NO_ITEM, WEAPON_NAMES
from heartrush_env.tabletop.choosing import NOBODY
from heartrush_env.tabletop.errors import ScenarioError
from heartrush_env.tabletop.grids.squares import HEIGHT, WIDTH
from heartrush_env.tabletop.scenario.maps import check_map
from heartrush_env.tabletop.table_game import agent_names
from heartrush_env.tabletop.text import show
from heartrush_env.tabletop.validate import (
    Faults,
    Field,
    flag,
    is_whole,
    join_or,
    list_of,
    named,
    not_played,
    number_of,
    one_of,
    read_table,
    table,
    text,
    unknown_name,
    whole,
)  # fmt: skip

GROUND: Final = {".": "open", "#": "wall", "~": "water", "^": "small things", "*": "fire"}
BITS: Final = {"walls": "#", "water": "~", "small_hazards": "^", "fires": "*"}  # the fields of a fight's record
BLOCKED: Final = "#~"
BODIES: Final = {"none": 0, "cloth": 1, "brigandine": 2, "mail": 3}  # added to 10 and dex
PLATES: Final = {"half_plate": 15, "full_plate": 16}  # in place of that sum
USUAL_SPEED: Final = 40  # feet
HERO_HP: Final = 9
MOST_TAGS: Final = 8  # of what fighters fear
SURPRISES: Final = {"roll": 2, "none": NOBODY}  # in place of the side that is surprised
_DICE: Final = (4, 6, 8, 10, 12)
_GIVEN: Final = tuple(condition for condition in terms.CONDITIONS if condition not in ("grappled", "open", "surprised"))
_LATER: Final = "not played yet"
_WORD: Final = Field(
    lambda value: isinstance(value, str) and bool(re.fullmatch(r"[a-z][a-z_]{0,39}", value)),
    "a word of letters a to z and _",
)
_SQUARE: Final = Field(
    lambda value: isinstance(value, list | tuple) and len(value) == 2 and all(map(is_whole, value)),
    "a square as [x, y]",
    taken=tuple,
)
_USUAL: Final[Mapping[str, Any]] = {  # what a fighter has whose table does not say it
    "id": "fighter", "role": "npc", **dict.fromkeys(terms.ABILITIES, 0), "body": "none", "shield": False,
    "helmet": False, "held": None, "inventory": [], "to_hit": None, "hd": 1, "natural": 0, "on_hit": None,
    "fearless": False, "steady": False, "fearsome": None, "fears": [], "conditions": [], "at": None,
}  # fmt: skip
_FIGHTER: Final = {
    "from": _WORD,
    "id": _WORD,
    "team": _WORD,
    "role": one_of(("hero", "npc")),
    **{ability: whole(-10, 10) for ability in terms.ABILITIES},
    "hp": whole(1, terms.MOST_HP),
    "hp_now": whole(1, terms.MOST_HP),
    "body": named((*BODIES, *PLATES)),
    "shield": flag(),
    "helmet": flag(),
    "held": named(WEAPON_NAMES),
    "inventory": list_of(named(WEAPON_NAMES), f"a list of weapons: {join_or(WEAPON_NAMES)}"),
    "to_hit": whole(-20, 40),
    "hd": whole(1, 20),
    "speed": whole(0, terms.MOST_SQUARES * terms.FEET_A_SQUARE, "feet"),
    "natural": number_of(_DICE),
    "on_hit": table(),
    "fearless": flag(),
    "steady": flag(),
    "fearsome": _WORD,
    "fears": list_of(_WORD, "a list of words"),
    "conditions": list_of(one_of(_GIVEN), f"a list of conditions: {join_or(_GIVEN)}"),
    "at": _SQUARE,
    **dict.fromkeys(("opportunist", "commander", "spells", "mana", "ward"), not_played(_LATER)),
}
_ON_HIT: Final = {"save": one_of(terms.ABILITIES), "number": whole(1, 40), "condition": one_of(_GIVEN)}
_OBJECTIVE: Final = {"kind": one_of(terms.OBJECTIVES), "team": _WORD, "count": whole(1, 1000)}
_BATTLEFIELD: Final = {
    "map": list_of(Field(lambda value: isinstance(value, str), "a row"), "a list of rows"),
    "exits": list_of(_SQUARE, "a list of squares as [x, y]"),
}
_SCENARIO: Final = {
    "name": text(),
    "mode": Field(lambda value: value == "rounds", "rounds", refusal="the duel in beats is " + _LATER),
    "heroes": _WORD,
    "surprise": _WORD,
    "objective": table(),
    "round_cap": whole(1, 1000),
    "fighter": Field(lambda value: isinstance(value, list), "a list of fighters"),
    "rules": table(),
    "battlefield": table(),
}


@dataclass(frozen=True)
class Scenario:
    """A scenario."""

    name: str
    table: Mapping[str, Any]  # as it was read, without the rules
    fighters: tuple[Mapping[str, Any], ...]  # with all fields of a fighter, and its agent
    sides: tuple[str, ...]
    rules: Mapping[str, Any]  # all settings by name
    objective: Mapping[str, Any] | None
    map: tuple[str, ...] | None  # rows from north to south
    exits: tuple[tuple[int, int], ...]  # the squares from which fighters leave

    @property
    def tags(self) -> list[str]:
        """The tags that fighters fear, a bit each."""
        return sorted({tag for it in self.fighters for tag in (*it["fears"], it["fearsome"]) if tag})


# ------------------------------------------------------------------------------------------------------------ reading


def load_scenario(given: str | PathLike[str] | Mapping[str, Any], rules: Mapping[str, Any]) -> Scenario:
    """Return a scenario under the given settings, which override its own.

    Raises:
        ScenarioError: The scenario is invalid; the message lists every fault.
        RulesError: A setting is invalid.
    """
    content, where, _ = LIBRARY.find(given)
    faults = Faults()
    found = read_table(content, _SCENARIO, where, ScenarioError, faults=faults)
    faults.settle(where)
    settings = {**SETTINGS.defaults, **{key: found[key] for key in ("round_cap",) if key in found}}
    settings |= SETTINGS.read(found.get("rules", {}), f"{where}, rules", faults)
    settings |= SETTINGS.read(rules, "rules", faults)
    rows: tuple[str, ...] | None = None
    exits: tuple[tuple[int, int], ...] = ()
    with faults.caught():
        rows, exits = _read_battlefield(found.get("battlefield"), f"{where}, battlefield")
    entries = found.get("fighter", [])
    with faults.caught():
        if not 2 <= len(entries) <= terms.MAX_FIGHTERS:
            raise ScenarioError(f"{where}: expected 2 to {terms.MAX_FIGHTERS} fighters, got {len(entries)}.")
    faults.settle(where)
    fighters = []
    for k, entry in enumerate(entries):
        with faults.caught():
            fighters.append(_read_fighter(entry, f"{where}, fighter {k + 1}"))
    faults.settle(where)
    agents = agent_names([it["id"] for it in fighters])
    complete = tuple({**it, "agent": agent} for it, agent in zip(fighters, agents, strict=True))
    sides = tuple(dict.fromkeys(it["team"] for it in complete))
    plain = {key: value for key, value in found.items() if key not in ("rules", "round_cap")}
    name, objective = found.get("name", "custom"), found.get("objective")
    scenario = Scenario(name, plain, complete, sides, settings, objective, rows, exits)
    _check(scenario, where, faults)
    faults.settle(where)
    return scenario


def _read_fighter(given: Any, where: str) -> dict[str, Any]:
    """Return a fighter with the defaults of what its table leaves out."""
    faults = Faults()
    own = read_table(given, _FIGHTER, where, ScenarioError, faults=faults)
    samples, base = LIBRARY.table("fighters.toml"), own.get("from")
    with faults.caught():
        if base is not None and base not in samples:
            raise ScenarioError(f"{where}: {unknown_name('fighter', base, samples)}.")
    found = {**_USUAL, **({} if base is None else {"id": base, **samples.get(base, {})}), **own}
    if found["on_hit"] is not None:
        with faults.caught():
            found["on_hit"] = _whole_table(found["on_hit"], _ON_HIT, f"{where}, on_hit")
    with faults.caught():
        if "team" not in found:
            raise ScenarioError(f"{where}: expected a team, got a fighter without one.")
    faults.settle(where)
    usual_hp = HERO_HP if found["role"] == "hero" else 9 * found["hd"] // 2
    usual_speed = USUAL_SPEED - terms.FEET_A_SQUARE * max(0, -found["dex"])
    found = {"hp": usual_hp, "speed": usual_speed, **found}
    slots = min(terms.INVENTORY, 10 + found["str"])
    if len(found["inventory"]) > slots:
        raise ScenarioError(f"{where}: inventory: expected at most {slots} items, got {len(found['inventory'])}.")
    if found["held"] and found["shield"] and HANDS[WEAPON_NAMES.index(found["held"])] == 2:
        raise ScenarioError(f"{where}: expected a weapon for one hand beside a shield, got {found['held']!r} for two.")
    if found.get("hp_now", 1) > found["hp"]:
        raise ScenarioError(f"{where}: hp_now: expected at most {found['hp']}, got {found['hp_now']}.")
    return found


def _whole_table(given: Any, fields: Mapping[str, Field], where: str) -> dict[str, Any]:
    """Return a table that must have all of its fields."""
    found = read_table(given, fields, where, ScenarioError)
    for key in fields:
        if key not in found:
            raise ScenarioError(f"{where}: expected {key}, got a table without it.")
    return found


def _read_battlefield(given: Any, where: str) -> tuple[tuple[str, ...] | None, tuple[tuple[int, int], ...]]:
    """Return the rows of a map, and the squares from which fighters leave: by default all at its edge."""
    if given is None:
        return None, ()
    found, faults = read_table(given, _BATTLEFIELD, where, ScenarioError), Faults()
    rows = tuple(found.get("map", ()))
    check_map(rows, GROUND, WIDTH, HEIGHT, where, faults)
    faults.settle(where)
    width, height = len(rows[0]), len(rows)
    edge = [(x, y) for y in range(height) for x in range(width) if x in (0, width - 1) or y in (0, height - 1)]
    for x, y in found.get("exits", ()):
        if not (0 <= x < width and 0 <= y < height):
            raise ScenarioError(f"{where}: exits: expected squares on the map, got [{x}, {y}].")
    return rows, tuple((x, y) for x, y in found.get("exits", edge) if rows[y][x] not in BLOCKED)


def _check(scenario: Scenario, where: str, faults: Faults) -> None:
    """Check what depends on all fighters together."""
    sides, rows, taken = scenario.sides, scenario.map, dict[tuple[int, int], str]()
    heroes, surprise = scenario.table.get("heroes"), scenario.table.get("surprise", "roll")
    with faults.caught():
        if len(scenario.tags) > MOST_TAGS:
            raise ScenarioError(f"{where}: expected at most {MOST_TAGS} tags of fear, got {len(scenario.tags)}.")
    with faults.caught():
        if len(sides) != 2:
            raise ScenarioError(f"{where}: expected fighters of two teams, got {join_or(sides, 'and')}.")
    for fighter in scenario.fighters:
        with faults.caught():
            _check_square(fighter["at"], rows, taken, f"{where}: {fighter['agent']}: at")
            taken[fighter["at"]] = fighter["agent"]
    with faults.caught():
        if surprise not in (*SURPRISES, *sides):
            raise ScenarioError(f"{where}: surprise: expected {join_or((*SURPRISES, *sides))}, got {show(surprise)}.")
    with faults.caught():
        if heroes is not None and heroes not in sides:
            raise ScenarioError(f"{where}: heroes: expected {join_or(sides)}, got {show(heroes)}.")
    with faults.caught():
        _check_objective(scenario, f"{where}, objective")


def _check_square(
    at: tuple[int, int] | None, rows: tuple[str, ...] | None, taken: Mapping[tuple[int, int], str], where: str
) -> None:
    """Check that a fighter is on an open square of the map, alone."""
    if (at is None) != (rows is None):
        wanted = "a square, because there is a map" if at is None else "no square without a map"
        raise ScenarioError(f"{where}: expected {wanted}, got {show(at)}.")
    if at is not None and rows is not None:
        x, y = at
        if not (0 <= x < len(rows[0]) and 0 <= y < len(rows)) or rows[y][x] in BLOCKED:
            raise ScenarioError(f"{where}: expected an open square of the map, got [{x}, {y}].")
        if at in taken:
            raise ScenarioError(f"{where}: expected a free square, got that of {taken[at]}.")


def _check_objective(scenario: Scenario, where: str) -> None:
    """Check that the team of an objective can reach it."""
    given = scenario.objective
    if given is None or read_table(given, _OBJECTIVE, where, ScenarioError).get("kind", "defeat") == "defeat":
        return
    found = _whole_table(given, _OBJECTIVE, where)
    size = sum(it["team"] == found["team"] for it in scenario.fighters)
    if size == 0:
        raise ScenarioError(f"{where}: team: expected a team of the scenario, got {show(found['team'])}.")
    if found["kind"] == "escape" and (scenario.map is None or found["count"] > size):
        raise ScenarioError(f"{where}: expected a map and a count of at most {size}, got an escape without them.")


# ---------------------------------------------------------------------------------------------------- the first moment


def fill(fight: Any, scenario: Scenario) -> None:
    """Write a scenario into a fresh record."""
    SETTINGS.fill(fight.rules, scenario.rules)
    sides, heroes = scenario.sides, scenario.table.get("heroes")
    surprise = scenario.table.get("surprise", "roll")
    fight.free_side = fight.free_again = NOBODY
    fight.heroes = 0 if heroes is None else sides.index(heroes)
    fight.surprise = SURPRISES[surprise] if surprise in SURPRISES else sides.index(surprise)
    if scenario.objective is not None and scenario.objective.get("kind", "defeat") != "defeat":
        fight.objective = terms.OBJECTIVES.index(scenario.objective["kind"])
        fight.objective_team = sides.index(scenario.objective["team"])
        fight.objective_count = scenario.objective["count"]
    for i, fighter in enumerate(scenario.fighters):
        _fill_fighter(fight.fighters[i], i, fighter, scenario)
    for side in range(len(sides)):
        members = [fighter for fighter in fight.fighters[: len(scenario.fighters)] if fighter.team == side]
        max(members, key=lambda fighter: (fighter.hd, fighter.hp, -fighter.index)).leader = True
    if scenario.map is not None:
        fight.width, fight.height = len(scenario.map[0]), len(scenario.map)
        for y, row in enumerate(scenario.map):
            for name, glyph in BITS.items():
                fight[name][y] = sum(1 << x for x, found in enumerate(row) if found == glyph)
        for x, y in scenario.exits:
            fight.exits[y] |= 1 << x


def _fill_fighter(fighter: Any, i: int, table: Mapping[str, Any], scenario: Scenario) -> None:
    """Write a fighter into its record."""
    for name in ("hd", "natural", "shield", "steady", "fearless"):
        fighter[name] = table[name]
    fighter.index, fighter.hp, fighter.hp_max = i, table.get("hp_now", table["hp"]), table["hp"]
    fighter.ability[:] = [table[ability] for ability in terms.ABILITIES]
    body = table["body"]
    fighter.armor = table["helmet"] + (PLATES[body] if body in PLATES else 10 + table["dex"] + BODIES[body])
    fighter.speed = table["speed"] // terms.FEET_A_SQUARE
    fighter.to_hit, fighter.fixed_to_hit = table["to_hit"] or 0, table["to_hit"] is not None
    fighter.held = NO_ITEM if table["held"] is None else WEAPON_NAMES.index(table["held"])
    fighter.loaded = True
    fighter.inventory[:] = NO_ITEM
    fighter.inventory[: len(table["inventory"])] = [WEAPON_NAMES.index(item) for item in table["inventory"]]
    fighter.afflicted = sum(1 << terms.CONDITIONS.index(word) for word in set(table["conditions"]))
    fighter.grappler, fighter.turn = NOBODY, NOBODY
    fighter.hero = table["role"] == "hero" and table["team"] == scenario.table.get("heroes")
    fighter.fears = sum(1 << scenario.tags.index(tag) for tag in set(table["fears"]))
    fighter.fearsome = 0 if table["fearsome"] is None else 1 << scenario.tags.index(table["fearsome"])
    if table["on_hit"] is not None:
        fighter.hit_ability = terms.ABILITIES.index(table["on_hit"]["save"])
        fighter.hit_number = table["on_hit"]["number"]
        fighter.hit_condition = terms.CONDITIONS.index(table["on_hit"]["condition"])
    if table["at"] is not None:
        fighter.x, fighter.y = table["at"]
