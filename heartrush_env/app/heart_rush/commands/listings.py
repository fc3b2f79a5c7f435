"""`heartrush list`: lists everything that a scenario, a command or a learner may name, with its properties.

Listings are generated from live objects: the tables that validate files, encode fights and hold the catalog.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

from heartrush_env.app.cli.arguments import add_game
from heartrush_env.app.cli.enemies import show_enemies
from heartrush_env.app.cli.game_lists import Column, Item, Listing, lists_of
from heartrush_env.app.cli.terminal import table
from heartrush_env.games.heart_rush.rules.terms import ABILITIES
from heartrush_env.games.heart_rush.scenario import catalog
from heartrush_env.games.heart_rush.scenario.abilities import abilities
from heartrush_env.games.heart_rush.scenario.battlefield import LARGEST_RANK, battlefield_fields
from heartrush_env.games.heart_rush.scenario.fields import (
    CONDITION_FIELDS,
    fighter_fields,
    scenario_fields,
    weapon_fields,
)
from heartrush_env.games.heart_rush.scenario.homebrew import ability_fields, effect_fields, when_fields
from heartrush_env.games.heart_rush.scenario.load import load_scenario, shipped_scenarios
from heartrush_env.games.heart_rush.scenario.objects import object_fields
from heartrush_env.games.heart_rush.scenario.settings import KEYS, Settings
from heartrush_env.games.heart_rush.scenario.sheets import Scenario
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.registry import DEFAULT_GAME
from heartrush_env.tabletop.text import show
from heartrush_env.tabletop.validate import Field, look_up, unknown_name

ENEMIES, ABOUT_ENEMIES = "enemies", "The enemies with characters."

ABOUT = "Lists everything that scenarios and commands may name, with its figures."
EXAMPLES = """examples:
  heartrush list                      the names of all lists
  heartrush list weapons
  heartrush list enemies              the enemies with characters
  heartrush list enemies berserker    one of them, with its levels and dials
  heartrush list fields               the fields of a scenario
  heartrush list monsters --json
  heartrush list scenarios --game GAME    the scenarios of another game"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("what", nargs="?", metavar="WHAT", help=f"one of {', '.join(LISTINGS)} and enemies")
    parser.add_argument("enemy", nargs="?", metavar="ENEMY", help="after `enemies`: the id or the name of one enemy")
    add_game(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Print one list, or the names of all lists."""
    listings, enemies = LISTINGS, {ENEMIES: ABOUT_ENEMIES}
    if arguments.game != DEFAULT_GAME:
        listings, enemies = lists_of(arguments.game), {}
    if arguments.what is None:
        overview = {name: listing.about for name, listing in listings.items()} | enemies
        if arguments.json:
            print(json.dumps({"lists": overview}, indent=1))
        else:
            print("\n".join(table(("list", "holds"), [[*item] for item in overview.items()])))
        return 0
    lists = (*listings, *enemies)
    name = look_up(arguments.what, lists) or look_up(f"{arguments.what}s", lists)
    if name is None:
        raise HeartRushError(f"{unknown_name('list', arguments.what, lists)}.")
    if name == ENEMIES:
        show_enemies(arguments.enemy, as_json=arguments.json)
        return 0
    if arguments.enemy is not None:
        raise HeartRushError(f"expected a name after `enemies` only, got {show(arguments.enemy)} after {name}.")
    listing = listings[name]
    if arguments.json:
        print(json.dumps({name: listing.items()}, indent=1))
    else:
        print("\n".join(table(list(listing.columns), listing.rows())))
    return 0


# -- the listings ----------------------------------------------------------------------------------------------------


def usual(field: Field) -> str:
    """Describe the default of a field in words."""
    return field.usually or json.dumps(field.usual)


def _fields(tables: Mapping[str, Mapping[str, Field]]) -> list[Item]:
    return [
        {
            "table": name,
            "field": key,
            "allowed": field.allowed or "[]",
            "default": None if field.usually else field.usual,
            "left_out": usual(field),
            "meaning": field.meaning,
        }
        for name, table in tables.items()
        for key, field in table.items()
    ]


def all_fields() -> dict[str, Mapping[str, Field]]:
    """Return the tables of a scenario file with their fields."""
    return {
        "scenario": scenario_fields(),
        "fighter": fighter_fields(),
        "weapon": weapon_fields(),
        "condition": CONDITION_FIELDS,
        "battlefield": battlefield_fields(),
        "object": object_fields(),
        "ability": ability_fields(),
        "when": when_fields(),
        "effect": effect_fields(),
    }


def _fighters() -> list[Item]:
    return [{"id": id, **_stat_line(line), "role": catalog.role(id)} for id, line in catalog.fighters().items()]


def _monsters() -> list[Item]:
    facts = {line["id"]: {key: line[key] for key in ("tier", "origin")} for line in catalog.bestiary()}
    return [{"id": id, **_stat_line(line), **facts[id]} for id, line in catalog.monsters().items()]


def _stat_line(line: Mapping[str, Any]) -> Item:
    """Return a stat line completed with default values."""
    usually = {key: field.usual for key, field in fighter_fields().items() if isinstance(field.usual, int | str)}
    shown = ("size", "armor", "shield", "attack_bonus", "defense_bonus", "wound_threshold")
    return {**{key: usually[key] for key in shown}, **line}


def _dice(item: Item) -> str:
    return " ".join(f"{item[die]:>2}" for die in (*ABILITIES, "heart"))


def _range(item: Item) -> str:
    return f"{item['range']}" if item["range"] == item["furthest"] else f"{item['range']} to {item['furthest']}"


def _weapons() -> list[Item]:
    return [
        {**asdict(weapon), "range": catalog.carries(weapon), "furthest": catalog.furthest(weapon)}
        for weapon in catalog.arms().values()
    ]


def _sizes() -> list[Item]:
    return [
        {"id": id, "rank": rank, "squares": None if rank > LARGEST_RANK else max(1, rank)}
        for id, rank in catalog.sizes().items()
    ]


def _scenario(scenario: Scenario) -> Item:
    field = scenario.battlefield
    return {
        "name": scenario.name,
        "teams": {team: sum(sheet.team == team for sheet in scenario.fighters) for team in scenario.teams},
        "map": None if field is None else [field.width, field.height],
        "victory": scenario.victory,
        "max_rounds": scenario.max_rounds,
        "about": catalog.about_scenario(scenario.name),
    }


def _settings() -> list[Item]:
    return [
        {"setting": field.name, "default": field.default, "allowed": KEYS[field.name].allowed}
        for field in fields(Settings)
    ]


def _agents() -> list[Item]:
    from heartrush_agents import available, load  # imports the agents' code, so only when needed

    known = {id: load(id) for id in available()}
    return [{"id": id, "levels": list(agent.levels), "description": agent.description} for id, agent in known.items()]


def _abilities() -> list[Item]:
    from heartrush_env.games.heart_rush.abilities import coverage  # imports the engine, so only when needed

    played, lacking = coverage.implemented_ids(), coverage.left_out()
    return [
        {**asdict(entry), "played": entry.id in played, "left_out": lacking.get(entry.id, "")}
        for entry in abilities().values()
    ]


def _actions() -> list[Item]:
    from heartrush_env.games.heart_rush.encoding.actions import describe_table  # imports the engine
    from heartrush_env.games.heart_rush.encoding.shapes import SHAPES

    return [{"shape": shape.name, **action} for shape in SHAPES.values() for action in describe_table(shape)]


def _features() -> list[Item]:
    from heartrush_env.games.heart_rush.encoding.features import feature_parts  # imports the engine

    return [
        {"part": part, "feature": each.name, "low": each.low, "high": each.high, "meaning": each.meaning}
        for part, features in feature_parts().items()
        for each in features
    ]


_PENALTY: dict[str, Column] = {
    "defence": "defense_bonus",
    "speed": lambda item: -item["speed_penalty"],
}

LISTINGS: dict[str, Listing] = {
    "fields": Listing(
        "The fields of a scenario file and their allowed values.",
        {"table": "table", "field": "field", "holds": lambda item: (
            f"{item['meaning']}; values: {item['allowed']}; default: {item['left_out']}"
        )},
        lambda: _fields(all_fields()),
    ),
    "fighters": Listing(
        "Sample fighters: `from = \"knight\"`. Dice are might, agility, cunning, presence, heart.",
        {"fighter": "id", "dice": _dice, "hp": "hp", "weapon": "weapon", "armor": "armor",
         "shield": "shield", "role": "role"},
        _fighters,
    ),
    "monsters": Listing(
        "Monsters: `from = \"queen_rat\"`. Dice as for fighters; bonuses to attack and defense; 0: takes no wounds.",
        {"monster": "id", "size": "size", "dice": _dice, "hp": "hp", "+hit": "attack_bonus",
         "+def": "defense_bonus", "wound": "wound_threshold", "tier": "tier"},
        _monsters,
    ),
    "abilities": Listing(
        "Talents, legacy abilities and those of monsters, by id; fights play those marked.",
        {"ability": "id", "played": "played", "effect": "effect"},
        _abilities,
    ),
    "weapons": Listing(
        "Weapons and cantrips: `weapon = \"longsword\"`. Ranges in squares; the far end at disadvantage, or for reach.",
        {"weapon": "id", "size": "size", "die": "die", "attack": "attack_type", "damage": "damage_type",
         "hands": "hands", "range": _range},
        _weapons,
    ),
    "weapon_sizes": Listing(
        "Sizes of weapons, including custom weapons of a scenario.",
        {"size": "id", "die": "die", "speed": lambda item: -item["speed_penalty"], "wielder": "smallest_wielder"},
        lambda: [{"id": id, **asdict(size)} for id, size in catalog.weapon_sizes().items()],
    ),
    "armors": Listing(
        "Suits of armor: `armor = \"medium\"`. Speed is in feet per round.",
        {"armor": "id", **_PENALTY, "name": "name"},
        lambda: [asdict(armor) for armor in catalog.armors().values()],
    ),
    "shields": Listing(
        "Shields: `shield = \"light_shield\"`. Their bonus is added to that of the armor.",
        {"shield": "id", **_PENALTY, "hands": "hands", "name": "name"},
        lambda: [asdict(shield) for shield in catalog.shields().values()],
    ),
    "sizes": Listing(
        "Size categories, smallest first. Rules compare ranks; the width on a map is in squares.",
        {"size": "id", "rank": "rank", "squares": "squares"},
        _sizes,
    ),
    "conditions": Listing(
        "Conditions: `conditions = {dazed = 2}`, and `{grappled = {source = \"rogue_0\"}}` for one with a source.",
        {"condition": "id", "levels": "max_level", "fades": "fading", "source": "needs_source", "effect": "effect"},
        lambda: [asdict(condition) for condition in catalog.conditions().values()],
    ),
    "terrain": Listing(
        "Kinds of squares on a map. Enter is the cost of entering, in squares of a dash.",
        {"glyph": "glyph", "terrain": "id", "enter": lambda item: "no" if item["blocks_way"] else item["cost"],
         "lines": lambda item: "blocked" if item["blocks_line"] else "free", "cover": "cover", "about": "about"},
        lambda: [asdict(kind) for kind in catalog.terrain().values()],
    ),
    "scenarios": Listing(
        "The scenarios shipped with the package.",
        {"scenario": "name", "fighters": lambda item: " v ".join(map(str, item["teams"].values())),
         "map": lambda item: item["map"] and "x".join(map(str, item["map"])), "about": "about"},
        lambda: [_scenario(load_scenario(name)) for name in shipped_scenarios()],
    ),
    "settings": Listing(
        "Settings of the rules: `[rules]` of a scenario, `--rule KEY=VALUE` on the command line.",
        {"setting": "setting", "default": lambda item: json.dumps(item["default"]), "allowed": "allowed"},
        _settings,
    ),
    "agents": Listing(
        "Agents: `--red tactician`, `load(\"tactician\")`.",
        {"agent": "id", "description": "description"},
        _agents,
    ),
    "actions": Listing(
        "The actions of each shape of fights, by number; an environment of the classic edition has a few more.",
        {"shape": "shape", "number": "action", "action": "name"},
        _actions,
    ),
    "features": Listing(
        "The numbers of an observation, listed once for each part of it that they describe.",
        {"part": "part", "feature": "feature", "range": lambda item: f"{item['low']:g} to {item['high']:g}",
         "meaning": "meaning"},
        _features,
    ),
}  # fmt: skip
